import type { MailDb } from '../handles.ts'
import { keywordsSql, viewerStatement } from '../mailbox/viewer-queries.ts'
import { type EntryQuery, entryRange } from './list.ts'

/** The flags that messages have; the same object for all that have the same ones. */
export type FlagSet = { readonly keywords: readonly string[]; readonly deleted: boolean }
type FlagEntry = { readonly uid: number; readonly modseq: number; readonly flags: FlagSet }

/** The most entries per read. */
export const MAX_FLAG_ENTRIES = 20_000

/**
 * UIDs of a folder with their flags and modseqs, in the order of UIDs. Thousands of messages have the same few sets of flags,
 * so the database gives each set once with all its UIDs: a row for each would take ten times as long.
 */
export const listFlags = async (db: MailDb, query: EntryQuery): Promise<FlagEntry[]> =>
  (await listFlagsAt(db, query))?.entries ?? []

/** Flags with the modseq of the mailbox when they were read. Null: there is no such mailbox. */
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

/** Flags of all messages of a folder in the order of UIDs; `which` is the place of a message's flags in `sets`. */
export type AllFlags = {
  /** How far the mailbox was when they were read. */
  readonly modseq: number
  readonly sets: readonly FlagSet[]
  readonly uids: Uint32Array
  readonly modseqs: Float64Array
  readonly which: Uint16Array
}

/** Messages of a folder that are read in one statement; it takes half a second. */
export const MAX_ALL_FLAGS = 200_000

/**
 * The same of a whole folder as its owner sees it. Neither sorted nor written out by the database, which takes a third less
 * of both. Null: there is no such mailbox, or there is too much; then it is read page by page.
 */
export const readAllFlags = async (
  db: MailDb,
  { addressId, folderId }: { addressId: string; folderId: string },
): Promise<AllFlags | null> => {
  const rows = await db.query<PackedRow>({
    text: `select b.modseq, s.* from mailbox b left join (
        select keywords, deleted, string_agg(int8send(uid << 32 | modseq), '') as packed from (
          select p.uid, p.modseq, p.deleted, m.keywords
          from message_folder p join message m on m.address_id = p.address_id and m.id = p.message_id
          where p.address_id = $1 and p.folder_id = $2 limit $3
        ) e group by keywords, deleted
      ) s on true where b.address_id = $1 and b.modseq < ${2 ** 32}`,
    values: [addressId, folderId, MAX_ALL_FLAGS + 1],
  })
  const [first] = rows
  const sets = rows.filter(({ packed }) => packed !== null)
  const count = sets.reduce((sum, { packed }) => sum + packed.length / PACKED_BYTES, 0)
  if (!first || count > MAX_ALL_FLAGS || sets.length > MAX_SETS) return null
  return {
    modseq: first.modseq,
    sets: sets.map(({ keywords, deleted }) => ({ keywords, deleted })),
    ...unpacked(sets, count),
  }
}

/** `packed`: UID and modseq of each message, 32 bits each. Null when there is no message at all. */
type PackedRow = FlagSet & { modseq: number; packed: Buffer }

const PACKED_BYTES = 8
const MAX_SETS = 2 ** 16

const unpacked = (rows: readonly PackedRow[], count: number): Pick<AllFlags, 'uids' | 'modseqs' | 'which'> => {
  const keys = new Float64Array(count)
  const read = { modseqs: new Float64Array(count), which: new Uint16Array(count) }
  let place = 0
  for (const [set, { packed }] of rows.entries())
    for (let at = 0; at < packed.length; at += PACKED_BYTES) {
      keys[place] = packed.readUInt32BE(at) * PLACES + place
      read.modseqs[place] = packed.readUInt32BE(at + 4)
      read.which[place] = set
      place += 1
    }
  keys.sort()
  const sorted = { uids: new Uint32Array(count), modseqs: new Float64Array(count), which: new Uint16Array(count) }
  for (let to = 0; to < count; to += 1) {
    const key = keys[to] ?? 0
    const from = key % PLACES
    sorted.uids[to] = (key - from) / PLACES
    sorted.modseqs[to] = read.modseqs[from] ?? 0
    sorted.which[to] = read.which[from] ?? 0
  }
  return sorted
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

/** Sorts by UID. Plain numbers that include the index need no call for each comparison. */
const inOrder = (entries: readonly FlagEntry[]): FlagEntry[] => {
  const keys = Float64Array.from(entries, ({ uid }, place) => uid * PLACES + place)
  keys.sort()
  return Array.from(keys, (key) => entries[key % PLACES]).filter((entry) => entry !== undefined)
}

/** More than are read at once; with a UID of 32 bits it fits a number. */
const PLACES = 2 ** 20
