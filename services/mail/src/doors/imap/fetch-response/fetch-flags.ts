import { setImmediate as nextTurn } from 'node:timers/promises'
import { type FlagSet, listFlags, MAX_FLAG_ENTRIES } from '../../../store/store.ts'
import { MAX_ANNOUNCED } from '../announcements.ts'
import { formatFlags, SYSTEM_KEYWORDS } from '../flags.ts'
import type { KnownFlags } from '../folder-cache.ts'
import type { ImapSession } from '../session.ts'
import type { FolderView } from '../view.ts'
import { entryPages } from './entry-pages.ts'
import type { FetchItem } from './fetch-items.ts'

const FLAG_KINDS: ReadonlySet<FetchItem['kind']> = new Set(['UID', 'FLAGS', 'MODSEQ'])

/** For fewer the rows cost less than a plan for the statement. */
const MANY = 100

/** Whether a FETCH asks for the flags of many messages, as clients do when they open a folder. */
export const isFlagsOfMany = (items: readonly FetchItem[], uids: readonly number[]): boolean =>
  uids.length > MANY && items.every(({ kind }) => FLAG_KINDS.has(kind))

/** Messages that are answered for until others get their turn. */
const TURN = 2_000

type Wanted = { items: readonly FetchItem[]; uids: readonly number[]; changedSince: number }

/** Answers for messages some at a time, and gives how many there were. */
export const answerFlags = async (session: ImapSession, view: FolderView, wanted: Wanted): Promise<number> => {
  const known = await knownFlags(session, view, wanted)
  return known ? answerKnown(session, view, known, wanted) : answerRead(session, view, wanted)
}

/** From memory when a client requests most of its own folder: all of it would be read for that. */
const knownFlags = async (session: ImapSession, view: FolderView, { uids }: Wanted): Promise<KnownFlags | null> => {
  const { addressId, viewerId } = view.access
  if (viewerId !== null || 2 * uids.length < view.uids.length) return null
  const known = await session.door.folders.flags({ addressId, folderId: view.folder.id })
  return known && !isTooMany(known.flags.sets) ? known : null
}

/** More keywords than are announced to a client at a time. */
const isTooMany = (sets: Iterable<FlagSet>): boolean => keywordsOf(sets).length > MAX_ANNOUNCED - SYSTEM_KEYWORDS.length

const keywordsOf = (sets: Iterable<FlagSet>): string[] => [...new Set([...sets].flatMap(({ keywords }) => keywords))]

/** Somebody else may read on between two turns, so that places are looked up again in each. */
const answerKnown = async (
  session: ImapSession,
  view: FolderView,
  { uids, flags }: KnownFlags,
  wanted: Wanted,
): Promise<number> => {
  const showsFlags = wanted.items.some(({ kind }) => kind === 'FLAGS')
  const lineOf = lineFormat(view, wanted.items)
  let found = 0
  for (let from = 0; from < wanted.uids.length; from += TURN) {
    const shown = new Set<FlagSet>()
    let text = ''
    for (let at = from; at < Math.min(from + TURN, wanted.uids.length); at += 1) {
      const uid = wanted.uids[at] ?? 0
      const place = uids.sequenceOf(uid) - 1
      const set = place < 0 ? undefined : flags.sets[flags.setAt(place)]
      const modseq = flags.modseqAt(place)
      if (!set || modseq <= wanted.changedSince) continue
      found += 1
      shown.add(set)
      text += lineOf(uid, modseq, set)
    }
    if (showsFlags) await view.announce(keywordsOf(shown))
    await session.out.raw(text)
    await nextTurn()
  }
  return found
}

const answerRead = async (session: ImapSession, view: FolderView, wanted: Wanted): Promise<number> => {
  const { uids, changedSince, items } = wanted
  const { db } = session.parts.database
  const showsFlags = items.some(({ kind }) => kind === 'FLAGS')
  const lineOf = lineFormat(view, items)
  let found = 0
  const pages = entryPages((query) => listFlags(db, query), view, { uids, changedSince, pageSize: MAX_FLAG_ENTRIES })
  for await (const page of pages) {
    found += page.length
    for (let at = 0; at < page.length; at += TURN) {
      const some = page.slice(at, at + TURN)
      const sets = new Set(showsFlags ? some.map(({ flags }) => flags) : [])
      const isMany = isTooMany(sets)
      if (!isMany) await view.announce(keywordsOf(sets))
      if (!isMany) await session.out.raw(some.map(({ uid, modseq, flags }) => lineOf(uid, modseq, flags)).join(''))
      else
        for (const { uid, modseq, flags } of some) {
          await view.announce(flags.keywords)
          await session.out.raw(lineOf(uid, modseq, flags))
        }
      await nextTurn()
    }
  }
  return found
}

type LineFormat = (uid: number, modseq: number, flags: FlagSet) => string

const lineFormat = (view: FolderView, items: readonly FetchItem[]): LineFormat => {
  const texts = [new Map<FlagSet, string>(), new Map<FlagSet, string>()] as const
  const flagsText = (flags: FlagSet, isRecent: boolean): string => {
    const known = texts[isRecent ? 1 : 0]
    const text = known.get(flags) ?? `FLAGS ${formatFlags(flags, isRecent)}`
    known.set(flags, text)
    return text
  }
  const kinds = items.map(({ kind }) => kind)
  const mayBeRecent = view.recentCount() > 0
  return (uid, modseq, flags) => {
    let line = `* ${view.uids.sequenceOf(uid)} FETCH `
    let before = '('
    for (const kind of kinds) {
      line += before
      before = ' '
      if (kind === 'UID') line += `UID ${uid}`
      else if (kind === 'MODSEQ') line += `MODSEQ (${modseq})`
      else line += flagsText(flags, mayBeRecent && view.isRecent(uid))
    }
    return `${line})\r\n`
  }
}
