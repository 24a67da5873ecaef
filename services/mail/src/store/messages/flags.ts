import type { MailDb } from '../handles.ts'
import { keywordsSql, viewerStatement } from '../mailbox/viewer-queries.ts'
import { type EntryQuery, entryRange } from './list.ts'

/** The flags that messages have; the same object for all that have the same ones. */
export type FlagSet = { readonly keywords: readonly string[]; readonly deleted: boolean }
type FlagEntry = { readonly uid: number; readonly modseq: number; readonly flags: FlagSet }

/** As many as are read at once. */
export const MAX_FLAG_ENTRIES = 20_000

/**
 * UIDs of a folder with their flags and modseqs, in the order of UIDs. Thousands of messages have the same few sets of flags,
 * so the database gives each set once with all its UIDs: a row for each would take ten times as long.
 */
export const listFlags = async (db: MailDb, query: EntryQuery): Promise<FlagEntry[]> =>
  (await listFlagsAt(db, query))?.entries ?? []

/** The same with how far the mailbox was when they were read. Null: there is no such mailbox. */
export const listFlagsAt = async (
  db: MailDb,
  query: EntryQuery,
): Promise<{ modseq: number; entries: FlagEntry[] } | null> => {
  const { viewerId, addressId, folderId, fromUid, toUid, limit, uids, changedSince } = entryRange(
    query,
    MAX_FLAG_ENTRIES,
  )
  const { text, values } = viewerStatement(viewerId, {
    name: '',
    text: (viewer) => `select b.modseq, s.* from mailbox b left join (
        select e.keywords, e.deleted, string_agg(e.uid::text, ',') as uids, string_agg(e.modseq::text, ',') as modseqs
        from (
          select p.uid, p.modseq, p.deleted, ${keywordsSql('m', viewer)} as keywords
          from message_folder p join message m on m.address_id = p.address_id and m.id = p.message_id
          where p.address_id = $1 and p.folder_id = $2 and p.uid between $3 and $4
            and ($6::bigint[] is null or p.uid = any($6::bigint[])) and p.modseq > $7
          order by p.uid limit $5
        ) e group by e.keywords, e.deleted
      ) s on true where b.address_id = $1`,
    values: [addressId, folderId, fromUid, toUid, limit, uids, changedSince],
  })
  const rows = await db.query<{ modseq: number } & SetRow>({ text, values })
  const [first] = rows
  return first ? { modseq: first.modseq, entries: inOrder(rows.flatMap(entriesOf)) } : null
}

type SetRow = FlagSet & { uids: string | null; modseqs: string }

const entriesOf = ({ keywords, deleted, uids, modseqs }: SetRow): FlagEntry[] => {
  if (uids === null) return []
  const flags = { keywords, deleted }
  const at = numbersOf(modseqs)
  return numbersOf(uids).map((uid, index) => ({ uid, modseq: at[index] ?? 0, flags }))
}

const COMMA = 44
const ZERO = 48

/** Digit by digit: a hundred thousand pieces of text take several times as long. */
const numbersOf = (text: string): number[] => {
  const numbers: number[] = []
  let number = 0
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code !== COMMA) number = number * 10 + code - ZERO
    else {
      numbers.push(number)
      number = 0
    }
  }
  numbers.push(number)
  return numbers
}

/** By UID. Sorted as plain numbers that carry their places along, which takes no call for each comparison. */
const inOrder = (entries: readonly FlagEntry[]): FlagEntry[] => {
  const keys = Float64Array.from(entries, ({ uid }, place) => uid * PLACES + place)
  keys.sort()
  return Array.from(keys, (key) => entries[key % PLACES]).filter((entry) => entry !== undefined)
}

/** More than a page has; with a UID of 32 bits it fits a number. */
const PLACES = 2 ** 20
