import { setImmediate as nextTurn } from 'node:timers/promises'
import { type FlagSet, listFlags, MAX_FLAG_ENTRIES } from '../../../store/store.ts'
import { MAX_ANNOUNCED } from '../announcements.ts'
import { formatFlags, SYSTEM_KEYWORDS } from '../flags.ts'
import type { KnownFlags } from '../folder-cache.ts'
import type { ImapSession } from '../session.ts'
import type { FolderView } from '../view.ts'
import { entryPages } from './entries.ts'
import type { FetchItem } from './items.ts'

const FLAG_KINDS: ReadonlySet<FetchItem['kind']> = new Set(['UID', 'FLAGS', 'MODSEQ'])

/** For fewer the rows cost less than a plan for the statement. */
const MANY = 100

/** What clients ask of a whole folder when they open it. */
export const isFlagsOfMany = (items: readonly FetchItem[], uids: readonly number[]): boolean =>
  uids.length > MANY && items.every(({ kind }) => FLAG_KINDS.has(kind))

/** Messages that are answered for until others get their turn. */
const TURN = 2_000

type Wanted = { items: readonly FetchItem[]; uids: readonly number[]; changedSince: number }
/** A message with its flags; the same object for all that have the same ones. */
type Shown = { readonly uid: number; readonly modseq: number; readonly flags: FlagSet }

/** Answers for messages some at a time, and gives how many there were. */
export const answerFlags = async (session: ImapSession, view: FolderView, wanted: Wanted): Promise<number> => {
  const showsFlags = wanted.items.some(({ kind }) => kind === 'FLAGS')
  const lineOf = lineFormat(view, wanted.items)
  let found = 0
  for await (const some of await shownMessages(session, view, wanted)) {
    found += some.length
    const keywords = showsFlags ? keywordsOf(some) : []
    const isMany = keywords.length > MAX_ANNOUNCED - SYSTEM_KEYWORDS.length
    if (!isMany) await view.announce(keywords)
    if (!isMany) await session.out.raw(some.map(lineOf).join(''))
    else
      for (const entry of some) {
        await view.announce(entry.flags.keywords)
        await session.out.raw(lineOf(entry))
      }
    await nextTurn()
  }
  return found
}

/** From memory for who asks for most of their own folder; all of it would be read for that. */
const shownMessages = async (
  session: ImapSession,
  view: FolderView,
  wanted: Wanted,
): Promise<AsyncIterable<Shown[]> | Iterable<Shown[]>> => {
  const { addressId, viewerId } = view.access
  const isMost = 2 * wanted.uids.length >= view.uids.length
  const folder = { addressId, folderId: view.folder.id }
  const known = viewerId === null && isMost ? await session.door.folders.flags(folder) : null
  return known ? knownMessages(known, wanted) : readMessages(session, view, wanted)
}

/** Somebody else may read on between two turns, so that places are looked up again in each. */
function* knownMessages({ uids, flags }: KnownFlags, wanted: Wanted): Generator<Shown[], void, undefined> {
  for (let at = 0; at < wanted.uids.length; at += TURN) {
    const some: Shown[] = []
    for (const uid of wanted.uids.slice(at, at + TURN)) {
      const place = uids.sequenceOf(uid) - 1
      const set = place < 0 ? undefined : flags.sets[flags.setAt(place)]
      if (!set) continue
      const modseq = flags.modseqAt(place)
      if (modseq > wanted.changedSince) some.push({ uid, modseq, flags: set })
    }
    yield some
  }
}

async function* readMessages(
  { parts }: ImapSession,
  view: FolderView,
  { uids, changedSince }: Wanted,
): AsyncGenerator<Shown[], void, undefined> {
  const { db } = parts.database
  const pages = entryPages((query) => listFlags(db, query), view, { uids, changedSince, pageSize: MAX_FLAG_ENTRIES })
  for await (const page of pages) for (let at = 0; at < page.length; at += TURN) yield page.slice(at, at + TURN)
}

const keywordsOf = (entries: readonly Shown[]): string[] => {
  const sets = new Set(entries.map(({ flags }) => flags))
  return [...new Set([...sets].flatMap(({ keywords }) => keywords))]
}

const lineFormat = (view: FolderView, items: readonly FetchItem[]): ((entry: Shown) => string) => {
  const texts = [new Map<FlagSet, string>(), new Map<FlagSet, string>()] as const
  const flagsText = (flags: FlagSet, isRecent: boolean): string => {
    const known = texts[isRecent ? 1 : 0]
    const text = known.get(flags) ?? formatFlags(flags, isRecent)
    known.set(flags, text)
    return text
  }
  const textOf = ({ kind }: FetchItem, { uid, modseq, flags }: Shown): string => {
    if (kind === 'UID') return `UID ${uid}`
    return kind === 'MODSEQ' ? `MODSEQ (${modseq})` : `FLAGS ${flagsText(flags, view.isRecent(uid))}`
  }
  return (entry) => {
    let line = `* ${view.uids.sequenceOf(entry.uid)} FETCH (`
    for (let at = 0; at < items.length; at += 1) {
      const item = items[at]
      if (item) line += at === 0 ? textOf(item, entry) : ` ${textOf(item, entry)}`
    }
    return `${line})\r\n`
  }
}
