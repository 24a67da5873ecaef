import { checkFilter, type Filter, needsWords } from './filter.ts'
import { indexMailbox, type StoreParts } from './search.ts'
import {
  findSortRows,
  findThreadedRows,
  findUidModseqs,
  type SortMember,
  type SortRow,
  type ThreadedRow,
  type UidSearch,
} from './uid-search-queries.ts'

export type { FirstAddress, SortRow, ThreadedRow } from './uid-search-queries.ts'

/** Rows of one folder, \Deleted ones included, as IMAP looks for them. */
export type FolderSearch = { addressId: string; viewerId?: string | null; folderId: string; filter: Filter }

const prepare = async (parts: StoreParts, search: FolderSearch): Promise<UidSearch> => {
  checkFilter(search.filter, { hasRows: true })
  if (needsWords(search.filter)) await indexMailbox(parts, search.addressId)
  return { ...search, viewerId: search.viewerId ?? null }
}

/** As `queryUids`, with the modseq of each row. */
export const queryUidModseqs = async (
  parts: StoreParts,
  search: FolderSearch,
): Promise<{ uid: number; modseq: number }[]> => findUidModseqs(parts.database.db, await prepare(parts, search))

/** The same rows with what they are sorted by. */
export const querySortRows = async (
  parts: StoreParts,
  search: FolderSearch,
  members: readonly SortMember[],
): Promise<SortRow[]> => findSortRows(parts.database.db, await prepare(parts, search), members)

/** The same rows with what threads are made from. */
export const queryThreadedRows = async (parts: StoreParts, search: FolderSearch): Promise<ThreadedRow[]> =>
  findThreadedRows(parts.database.db, await prepare(parts, search))
