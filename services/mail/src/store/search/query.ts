import type { MailDatabase, MailDb } from '../handles.ts'
import { readMailbox } from '../mailbox/mailbox.ts'
import { refuse } from '../refusal.ts'
import { checkFilter, type Filter, splitFolder } from './filter.ts'
import { newestMessages, newestThreads } from './newest.ts'
import {
  countResults,
  findFolderTotal,
  findMatchingUids,
  findPage,
  findPositionOf,
  type Page,
  type Search,
  type SortKey,
} from './query-queries.ts'
import type { StoreParts } from './search.ts'

export type { SortKey } from './query-queries.ts'

export type MessageQuery = {
  addressId: string
  /** The viewer, if it is not the owner: `$seen` is theirs. */
  viewerId?: string | null
  filter: Filter
  /** Newest first if there is none. */
  sort?: readonly SortKey[]
  collapseThreads?: boolean
  /** From the end if negative. */
  position?: number
  /** Instead of a position: the result that the window is placed by. */
  anchor?: { messageId: string; offset: number }
  limit: number
  wantsTotal?: boolean
}

export type MessageResult = {
  ids: string[]
  position: number
  /** Null if it was not asked for. */
  total: number | null
  /** The state that the answer is of, or a later one was already visible in it. */
  modseq: number
}

const NEWEST_FIRST: readonly SortKey[] = [{ by: 'receivedAt', ascending: false }]
const MAX_SORT_KEYS = 10
const MAX_LIMIT = 5_000

/** A window of the messages that fit a filter. `no_such_message`: the anchor is not among them. */
export const queryMessages = async (
  { database }: Pick<StoreParts, 'database'>,
  query: MessageQuery,
): Promise<MessageResult> => {
  const { db } = database
  const search = searchOf(query)
  checkFilter(query.filter)
  const limit = Math.min(query.limit, MAX_LIMIT)
  const needsTotal = query.wantsTotal || (query.position ?? 0) < 0
  const isPageOnly = limit > 0 && !needsTotal && !query.anchor
  // With several statements, the state before the first of them counts.
  const before = isPageOnly ? null : await readMailbox(db, query.addressId)
  const total = needsTotal ? await totalOf(db, search) : null
  const position = await positionOf(db, search, query, total ?? 0)
  const page = limit > 0 ? await pageOf(database, search, { position, limit }) : { ids: [], modseq: 0 }
  return { ids: page.ids, position, total: query.wantsTotal ? total : null, modseq: before?.modseq ?? page.modseq }
}

/** UIDs of a folder that fit, in order; a folder of a hundred thousand is one row of text on its way here. */
export const queryUids = async (
  parts: StoreParts,
  query: { addressId: string; viewerId?: string | null; folderId: string; filter: Filter },
): Promise<number[]> => {
  checkFilter(query.filter, { hasRows: true })
  return findMatchingUids(parts.database.db, { ...query, viewerId: query.viewerId ?? null })
}

/** A query as the statements take it. */
export const searchOf = (
  query: Pick<MessageQuery, 'addressId' | 'viewerId' | 'filter' | 'sort' | 'collapseThreads'>,
): Search => {
  const sort = query.sort && query.sort.length > 0 ? query.sort : NEWEST_FIRST
  if (sort.length > MAX_SORT_KEYS) refuse('too_many', 'the order has too many keys')
  const { addressId, viewerId = null, filter, collapseThreads = false } = query
  return { addressId, viewerId, filter, sort, collapseThreads }
}

const positionOf = async (db: MailDb, search: Search, query: MessageQuery, total: number): Promise<number> => {
  const { anchor, position = 0 } = query
  if (!anchor) return position < 0 ? Math.max(0, total + position) : position
  const at = await findPositionOf(db, search, anchor.messageId)
  if (at === null) return refuse('no_such_message', 'the anchor is not among the results')
  return Math.max(0, at + anchor.offset)
}

const totalOf = async (db: MailDb, search: Search): Promise<number> => {
  const folderId = wholeFolderOf(search)
  if (folderId === null) return countResults(db, search)
  const known = await findFolderTotal(db, search.addressId, folderId)
  return (search.collapseThreads ? known?.threads : known?.total) ?? 0
}

/** The folder whose messages are all meant, or null. */
const wholeFolderOf = ({ filter }: Search): string | null => {
  const { folderId, rest } = splitFolder(filter)
  return rest.length === 0 ? folderId : null
}

const pageOf = async (
  database: MailDatabase,
  search: Search,
  window: { position: number; limit: number },
): Promise<Page> => {
  const folderId = wholeFolderOf(search)
  const [key] = search.sort
  const isNewestFirst = search.sort.length === 1 && key?.by === 'receivedAt' && !key.ascending
  const find = (): Promise<Page | null> => {
    if (!isNewestFirst || folderId === null) return findPage(database.db, search, window)
    const folder = { addressId: search.addressId, folderId, ...window }
    return search.collapseThreads ? newestThreads(database, folder) : newestMessages(database.db, folder)
  }
  return (await find()) ?? refuse('no_such_folder', 'the mailbox does not exist')
}
