import type { MailDb } from '../handles.ts'
import { checkFilter, type Filter } from './filter.ts'
import { createValues, filterSql } from './filter-queries.ts'
import type { StoreParts } from './search.ts'

/** Rows of one folder, \Deleted ones included, as IMAP looks for them. */
export type FolderSearch = { addressId: string; viewerId?: string | null; folderId: string; filter: Filter }

const prepare = (search: FolderSearch): UidSearch => {
  checkFilter(search.filter, { hasRows: true })
  return { ...search, viewerId: search.viewerId ?? null }
}

/** Like `queryUids`, with the modseq of each row. */
export const queryUidModseqs = async (
  parts: StoreParts,
  search: FolderSearch,
): Promise<{ uid: number; modseq: number }[]> => findUidModseqs(parts.database.db, prepare(search))

/** Like `queryUids`, with the values to sort by. */
export const querySortRows = async (
  parts: StoreParts,
  search: FolderSearch,
  members: readonly SortMember[],
): Promise<SortRow[]> => findSortRows(parts.database.db, prepare(search), members)

/** Like `queryUids`, with the values that threads are built from. */
export const queryThreadedRows = async (parts: StoreParts, search: FolderSearch): Promise<ThreadedRow[]> =>
  findThreadedRows(parts.database.db, prepare(search))

type UidSearch = { addressId: string; viewerId: string | null; folderId: string; filter: Filter }

const rowsOf = ({ addressId, viewerId, folderId, filter }: UidSearch) => {
  const values = createValues(addressId, viewerId)
  const folder = values.add(folderId, 'uuid')
  const from = `message_folder p join message m on m.address_id = $1 and m.id = p.message_id
    where p.address_id = $1 and p.folder_id = ${folder} and ${filterSql(filter, values)}`
  return { from, values: values.list }
}

/** UIDs and modseqs of rows that fit, in order of UIDs. */
const findUidModseqs = async (db: MailDb, search: UidSearch): Promise<{ uid: number; modseq: number }[]> => {
  const { from, values } = rowsOf(search)
  const [row] = await db.query<{ pairs: string | null }>({
    text: `select string_agg(p.uid || ' ' || p.modseq, ',' order by p.uid) as pairs from ${from}`,
    values,
  })
  return (row?.pairs?.split(',') ?? []).map((pair) => {
    const [uid = 0, modseq = 0] = pair.split(' ').map(Number)
    return { uid, modseq }
  })
}

/** The values that messages of a folder are sorted by. Texts are as they were written. */
export type SortRow = {
  uid: number
  receivedAt?: Date
  sentAt?: Date
  size?: number
  subject?: string | null
  /** The first address, or the name of the group that comes first. */
  from?: FirstAddress
  to?: FirstAddress
  cc?: FirstAddress
}
export type FirstAddress = { name: string | null; email: string | null; group: string | null }
export type SortMember = Exclude<keyof SortRow, 'uid'>

const firstAddressSql = (field: string): string =>
  `jsonb_build_object('name', m.envelope->'${field}'->0->'name', 'email', m.envelope->'${field}'->0->'email',
    'group', m.envelope->'groups'->'${field}') as "${field}"`

const SORT_COLUMNS: Readonly<Record<SortMember, string>> = {
  receivedAt: 'm.received_at as "receivedAt"',
  sentAt: 'coalesce(m.sent_at, m.received_at) as "sentAt"',
  size: 'm.size',
  subject: 'm.subject',
  from: firstAddressSql('from'),
  to: firstAddressSql('to'),
  cc: firstAddressSql('cc'),
}

const findSortRows = (db: MailDb, search: UidSearch, members: readonly SortMember[]): Promise<SortRow[]> => {
  const { from, values } = rowsOf(search)
  const columns = members.map((member) => SORT_COLUMNS[member])
  return db.query<SortRow>({ text: `select ${['p.uid', ...columns].join(', ')} from ${from} order by p.uid`, values })
}

/** What threads are made from (RFC 5256 §3). */
export type ThreadedRow = {
  uid: number
  subject: string | null
  sentAt: Date
  messageId: string | null
  references: readonly string[]
  inReplyTo: string | null
}

const findThreadedRows = (db: MailDb, search: UidSearch): Promise<ThreadedRow[]> => {
  const { from, values } = rowsOf(search)
  return db.query<ThreadedRow>({
    text: `select p.uid, m.subject, coalesce(m.sent_at, m.received_at) as "sentAt",
        m.envelope->'messageId'->>0 as "messageId", m.envelope->'references' as "references",
        m.envelope->'inReplyTo'->>0 as "inReplyTo"
      from ${from} order by p.uid`,
    values,
  })
}
