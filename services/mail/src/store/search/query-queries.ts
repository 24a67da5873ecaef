import type { MailDb } from '../handles.ts'
import { type Filter, splitFolder } from './filter.ts'
import { createValues, filterSql, hasKeywordSql, inThreadSql, type Values, visibleSql } from './filter-queries.ts'

/** What results are sorted by (RFC 8621 §4.4.2). */
export type SortKey =
  | { by: 'receivedAt' | 'sentAt' | 'size' | 'from' | 'to' | 'subject'; ascending: boolean }
  | { by: 'hasKeyword' | 'allInThreadHaveKeyword' | 'someInThreadHaveKeyword'; keyword: string; ascending: boolean }

export type Search = {
  addressId: string
  viewerId: string | null
  filter: Filter
  sort: readonly SortKey[]
  collapseThreads: boolean
}

type Source = { select: string; from: string; order: string; keys: string; values: Values }

const columnOf = (key: SortKey, values: Values): string => {
  switch (key.by) {
    case 'receivedAt':
      return 'm.received_at'
    case 'sentAt':
      return 'coalesce(m.sent_at, m.received_at)'
    case 'size':
      return 'm.size'
    case 'from':
      return 'm.from_sort collate "C"'
    case 'to':
      return 'm.to_sort collate "C"'
    case 'subject':
      return 'm.subject_sort collate "C"'
    case 'hasKeyword':
      return hasKeywordSql('m', key.keyword, values)
    case 'allInThreadHaveKeyword':
      return `not ${inThreadSql(`not ${hasKeywordSql('o', key.keyword, values)}`)}`
    case 'someInThreadHaveKeyword':
      return inThreadSql(hasKeywordSql('o', key.keyword, values))
  }
}

/** The rows that a search is about, each with its keys; one order for all statements. */
export const sourceOf = ({ addressId, viewerId, filter, sort }: Omit<Search, 'collapseThreads'>): Source => {
  const values = createValues(addressId, viewerId)
  const { folderId, rest } = splitFolder(filter)
  const conditions = rest.map((each) => filterSql(each, values))
  const isAscending = sort[0]?.ascending ?? false
  const directions = [...sort.map(({ ascending }) => ascending), isAscending]
  const byDate = sort.length === 1 && sort[0]?.by === 'receivedAt'
  // The rows of a folder have the date too, in an index.
  const columns =
    folderId !== null && byDate
      ? ['p.received_at', 'p.message_id']
      : [...sort.map((key) => columnOf(key, values)), 'm.id']
  const direction = (index: number) => (directions[index] ? 'asc' : 'desc')
  const from =
    folderId === null
      ? `message m where m.address_id = $1 and ${[visibleSql('true'), ...conditions].join(' and ')}`
      : `message_folder p join message m on m.address_id = $1 and m.id = p.message_id
         where p.address_id = $1 and p.folder_id = ${values.add(folderId, 'uuid')} and not p.deleted
         ${conditions.map((each) => `and ${each}`).join(' ')}`
  return {
    select: columns.map((column, index) => `${column} as k${index}`).join(', '),
    from,
    order: columns.map((column, index) => `${column} ${direction(index)}`).join(', '),
    keys: columns.map((_, index) => `k${index} ${direction(index)}`).join(', '),
    values,
  }
}

/** The rows of a search, only the first of each thread if they are collapsed. */
export const rowsSql = ({ select, from, keys }: Source, collapseThreads: boolean): string => {
  const all = `select m.id, m.thread_id, ${select} from ${from}`
  if (!collapseThreads) return all
  return `select * from (
      select *, row_number() over (partition by thread_id order by ${keys}) as in_thread from (${all}) a
    ) c where in_thread = 1`
}

/** Results, and how far the mailbox was when they were read. */
export type Page = { ids: string[]; modseq: number }

/** Ids as one text: five thousand rows would take ten times as long. Null: there is no such mailbox. */
export const findPage = async (
  db: MailDb,
  search: Search,
  { position, limit }: { position: number; limit: number },
): Promise<Page | null> => {
  const source = sourceOf(search)
  const offset = source.values.add(position, 'bigint')
  const count = source.values.add(limit, 'bigint')
  const page = search.collapseThreads
    ? `select id from (${rowsSql(source, true)}) r order by ${source.keys} limit ${count} offset ${offset}`
    : `select m.id from ${source.from} order by ${source.order} limit ${count} offset ${offset}`
  const [row] = await db.query<{ modseq: number; ids: string }>({
    text: `select modseq, array_to_string(array(${page}), ',') as ids from mailbox where address_id = $1`,
    values: source.values.list,
  })
  return row ? { modseq: row.modseq, ids: row.ids === '' ? [] : row.ids.split(',') } : null
}

/** The position of a message among the results, or null. */
export const findPositionOf = async (db: MailDb, search: Search, messageId: string): Promise<number | null> => {
  const source = sourceOf(search)
  const id = source.values.add(messageId, 'uuid')
  const [row] = await db.query<{ position: number }>({
    text: `select position from (
        select id, row_number() over (order by ${source.keys}) - 1 as position
        from (${rowsSql(source, search.collapseThreads)}) r
      ) n where id = ${id}`,
    values: source.values.list,
  })
  return row?.position ?? null
}

export const countResults = async (db: MailDb, search: Search): Promise<number> => {
  const source = sourceOf({ ...search, sort: [] })
  const what = search.collapseThreads ? 'count(distinct m.thread_id)' : 'count(*)'
  const [row] = await db.query<{ count: number }>({
    text: `select ${what} as count from ${source.from}`,
    values: source.values.list,
  })
  return row?.count ?? 0
}

/** The count of all messages or threads of a folder, which it knows. */
export const findFolderTotal = async (
  db: MailDb,
  addressId: string,
  folderId: string,
): Promise<{ total: number; threads: number } | null> => {
  const [row] = await db.query<{ total: number; threads: number }>({
    name: 'store-find-folder-total',
    text: 'select total, threads from folder where address_id = $1 and id = $2',
    values: [addressId, folderId],
  })
  return row ?? null
}

/** UIDs of a folder whose messages fit, \Deleted ones included: what IMAP's SEARCH answers. */
export const findMatchingUids = async (
  db: MailDb,
  { addressId, viewerId, folderId, filter }: Pick<Search, 'addressId' | 'viewerId' | 'filter'> & { folderId: string },
): Promise<number[]> => {
  const values = createValues(addressId, viewerId)
  const folder = values.add(folderId, 'uuid')
  const [row] = await db.query<{ uids: string | null }>({
    text: `select string_agg(p.uid::text, ',' order by p.uid) as uids
      from message_folder p join message m on m.address_id = $1 and m.id = p.message_id
      where p.address_id = $1 and p.folder_id = ${folder} and ${filterSql(filter, values)}`,
    values: values.list,
  })
  return row?.uids ? row.uids.split(',').map(Number) : []
}
