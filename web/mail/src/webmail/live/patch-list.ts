import type { Folder } from '@stoa/mail-model/folders.ts'
import type { List } from '@stoa/mail-model/list.ts'
import type { MessageItem } from '@stoa/mail-model/messages.ts'
import type { MessagesFilter } from '../queries.ts'

/** Changes to messages, as the service reported them. */
export type MailChange = {
  readonly changed: readonly MessageItem[]
  readonly removed: ReadonlySet<string>
  readonly threads: ReadonlyMap<string, ThreadCounts>
  /** Folders whose counts changed. */
  readonly folders: ReadonlyMap<string, Folder>
}

/** How many messages a conversation has, and how many are unread in each folder. */
export type ThreadCounts = { readonly count: number; readonly unread_in: Readonly<Record<string, number>> }

type Pages = readonly List<MessageItem>[]

/**
 * The first pages of a list after a change; null when they have to be read again: because only the service knows what
 * fits the list, or what comes in place of a row that left. The count of the folder decides whether all of it is known:
 * what happened before anybody listened shows there.
 */
export const patchPages = (filter: MessagesFilter, pages: Pages, change: MailChange): List<MessageItem>[] | null => {
  const [first] = pages
  const { folder_id: folderId, collapse_threads: collapse, ...narrowed } = filter
  if (!first || folderId === undefined || Object.keys(narrowed).length > 0) return null
  const isCollapsed = collapse === '1'
  const before = pages.flatMap(({ data }) => data)
  const isWhole = before.length >= first.total
  const state: RowState = { rows: [...before], added: 0, perhapsAdded: 0 }
  for (const id of leaving(change, folderId)) if (!removeRow(state, id, { isCollapsed, change })) return null
  for (const item of change.changed)
    if (item.folder_ids.includes(folderId)) putRow(state, { ...item, folder_id: folderId }, { isCollapsed, isWhole })
  const counts = change.folders.get(folderId)
  const total = counts === undefined ? first.total : isCollapsed ? counts.threads : counts.total
  const least = first.total + state.added
  if (total < least || total > least + state.perhapsAdded) return null
  const rows = isCollapsed ? state.rows.map((row) => withCounts(row, folderId, change)) : state.rows
  const room = pages.length * first.per_page
  return rows.length < Math.min(room, total) ? null : split(rows, pages, total)
}

type RowState = { rows: MessageItem[]; added: number; perhapsAdded: number }

/** Messages that are not in the folder any more. */
const leaving = ({ changed, removed }: MailChange, folderId: string): Iterable<string> => [
  ...removed,
  ...changed.filter(({ folder_ids: ids }) => !ids.includes(folderId)).map(({ id }) => id),
]

/** False: another message of the conversation may take its place, and nobody here knows which. */
const removeRow = (
  state: RowState,
  id: string,
  { isCollapsed, change }: { isCollapsed: boolean; change: MailChange },
): boolean => {
  const row = state.rows.find((each) => each.id === id)
  if (!row) return true
  if (isCollapsed && (change.threads.get(row.thread_id)?.count ?? 0) > 0) return false
  state.rows = state.rows.filter((each) => each !== row)
  state.added -= 1
  return true
}

const putRow = (
  state: RowState,
  item: MessageItem,
  { isCollapsed, isWhole }: { isCollapsed: boolean; isWhole: boolean },
): void => {
  const known = state.rows.findIndex((row) => (isCollapsed ? row.thread_id === item.thread_id : row.id === item.id))
  const row = state.rows[known]
  if (row && row.id !== item.id && isNewer(row, item)) return
  if (row?.id === item.id) {
    state.rows[known] = item
    return
  }
  if (row) state.rows.splice(known, 1)
  const place = state.rows.findIndex((other) => isNewer(item, other))
  if (place === -1 && !isWhole) {
    // Further down, if it is new there at all
    state.perhapsAdded += 1
    return
  }
  state.rows.splice(place === -1 ? state.rows.length : place, 0, item)
  if (row) return
  // The conversation may have had its row further down
  if (isCollapsed && !isWhole) state.perhapsAdded += 1
  else state.added += 1
}

/** The sort order of the service. */
const isNewer = (a: MessageItem, b: MessageItem): boolean =>
  a.received_at > b.received_at || (a.received_at === b.received_at && a.id > b.id)

const withCounts = (row: MessageItem, folderId: string, { threads }: MailChange): MessageItem => {
  const counts = threads.get(row.thread_id)
  if (!counts) return row
  const unread = counts.unread_in[folderId] ?? 0
  if (row.thread_count === counts.count && row.thread_unread === unread) return row
  return { ...row, thread_count: counts.count, thread_unread: unread }
}

const split = (rows: readonly MessageItem[], pages: Pages, total: number): List<MessageItem>[] =>
  pages.map((page, index) => {
    const start = index * page.per_page
    const pageCount = Math.max(1, Math.ceil(total / page.per_page))
    return { ...page, data: rows.slice(start, start + page.per_page), total, pages: pageCount }
  })
