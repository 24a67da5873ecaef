import { setImmediate as nextTurn } from 'node:timers/promises'
import { type FlagEntry, type FlagSet, listFlags, MAX_FLAG_ENTRIES } from '../../../store/store.ts'
import { MAX_ANNOUNCED } from '../announcements.ts'
import { formatFlags, SYSTEM_KEYWORDS } from '../flags.ts'
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

/** Answers for messages page by page, and gives how many there were. */
export const answerFlags = async (
  session: ImapSession,
  view: FolderView,
  { items, uids, changedSince }: { items: readonly FetchItem[]; uids: readonly number[]; changedSince: number },
): Promise<number> => {
  const { db } = session.parts.database
  const showsFlags = items.some(({ kind }) => kind === 'FLAGS')
  let found = 0
  const pages = entryPages((query) => listFlags(db, query), view, { uids, changedSince, pageSize: MAX_FLAG_ENTRIES })
  for await (const page of pages) {
    found += page.length
    const lineOf = lineFormat(view, items)
    for (let at = 0; at < page.length; at += TURN) {
      const some = page.slice(at, at + TURN)
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
  }
  return found
}

const keywordsOf = (entries: readonly FlagEntry[]): string[] => {
  const sets = new Set(entries.map(({ flags }) => flags))
  return [...new Set([...sets].flatMap(({ keywords }) => keywords))]
}

const lineFormat = (view: FolderView, items: readonly FetchItem[]): ((entry: FlagEntry) => string) => {
  const texts = [new Map<FlagSet, string>(), new Map<FlagSet, string>()] as const
  const flagsText = (flags: FlagSet, isRecent: boolean): string => {
    const known = texts[isRecent ? 1 : 0]
    const text = known.get(flags) ?? formatFlags(flags, isRecent)
    known.set(flags, text)
    return text
  }
  const textOf = ({ kind }: FetchItem, { uid, modseq, flags }: FlagEntry): string => {
    if (kind === 'UID') return `UID ${uid}`
    return kind === 'MODSEQ' ? `MODSEQ (${modseq})` : `FLAGS ${flagsText(flags, view.isRecent(uid))}`
  }
  return (entry) =>
    `* ${view.uids.sequenceOf(entry.uid)} FETCH (${items.map((item) => textOf(item, entry)).join(' ')})\r\n`
}
