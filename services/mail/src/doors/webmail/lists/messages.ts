import { type List, toList } from '@stoa/mail-model/list.ts'
import type { MessageItem, MessageListRequest, Thread } from '@stoa/mail-model/messages.ts'
import type { Ctx } from '../../../context.ts'
import { fail } from '../../../errors.ts'
import { signInOf } from '../../../principal.ts'
import {
  type Filter,
  type Folder,
  getMessages,
  isOperator,
  listFolders,
  queryMessages,
  type SortKey,
  threadCounts,
  threadsOf,
} from '../../../store/store.ts'
import { messageJson } from '../message-json.ts'
import { withStore } from '../refusals.ts'
import { namesFolders, parseMailFilter } from './filter.ts'

/** A page of the messages of a folder or of the whole mailbox that fit. A folder that is not there: 404. */
export const getMessageList = (ctx: Ctx, list: MessageListRequest): Promise<List<MessageItem>> =>
  withStore(async () => {
    const addressId = signInOf(ctx).address.id
    const folders = namesFolders(list) ? await listFolders(ctx.db, addressId) : []
    const filter = parseMailFilter(list, { folders, now: ctx.now() })
    const { ids, total } = await findPage(ctx, { addressId, list, filter, folders })
    const messages = await getMessages(ctx.db, addressId, ids)
    const items = messages.map((each) => messageJson(each, list.folder_id ?? null))
    return toList(list, total, list.collapse_threads ? await withThreads(ctx, addressId, items, list.folder_id) : items)
  })

type PageInput = { addressId: string; list: MessageListRequest; filter: Filter; folders: readonly Folder[] }

const findPage = async (ctx: Ctx, { addressId, list, filter, folders }: PageInput) => {
  const collapseThreads = list.collapse_threads ?? false
  const knownTotal = knownTotalOf(filter, folders, collapseThreads)
  const position = (list.page - 1) * list.per_page
  if (knownTotal !== null && position >= knownTotal) return { ids: [], total: knownTotal }
  const found = await queryMessages(ctx.parts, {
    addressId,
    filter,
    sort: [sortKey(list)],
    collapseThreads,
    position,
    limit: list.per_page,
    wantsTotal: knownTotal === null,
  })
  return { ids: found.ids, total: knownTotal ?? found.total ?? 0 }
}

/** How many messages of a folder there are, or unread ones, is known; of anything else it is not. */
const knownTotalOf = (filter: Filter, folders: readonly Folder[], collapseThreads: boolean): number | null => {
  if (isOperator(filter)) return null
  const { inFolder, isUnread, ...others } = filter
  const folder = folders.find(({ id }) => id === inFolder)
  if (!folder || isUnread === false || Object.keys(others).length > 0) return null
  if (isUnread) return collapseThreads ? folder.unreadThreads : folder.unread
  return collapseThreads ? folder.threads : folder.total
}

const SORT_KEYS = {
  received_at: 'receivedAt',
  date: 'sentAt',
  from: 'from',
  subject: 'subject',
  size_bytes: 'size',
} as const satisfies Record<MessageListRequest['sort'], SortKey['by']>

const sortKey = ({ sort, direction }: MessageListRequest): SortKey => ({
  by: SORT_KEYS[sort],
  ascending: direction === 'asc',
})

/** In the list of a folder a conversation is as unread as it is there: the folder counts it by the same rule. */
const withThreads = async (
  ctx: Ctx,
  addressId: string,
  items: readonly MessageItem[],
  folderId: string | undefined,
): Promise<MessageItem[]> => {
  const ids = [...new Set(items.map((item) => item.thread_id))]
  const counts = await threadCounts(ctx.db, addressId, ids, folderId ?? null)
  return items.map((item) => {
    const { total = 1, unread = 0 } = counts.get(item.thread_id) ?? {}
    return { ...item, thread_count: total, thread_unread: unread }
  })
}

/** The most messages shown of a conversation: the newest. */
const MAX_IN_THREAD = 500

export const getThread = (ctx: Ctx, threadId: string): Promise<Thread> =>
  withStore(async () => {
    const addressId = signInOf(ctx).address.id
    const ids = (await threadsOf(ctx.db, addressId, [threadId])).get(threadId) ?? fail('not_found')
    const messages = await getMessages(ctx.db, addressId, ids.slice(-MAX_IN_THREAD))
    return { object: 'thread', id: threadId, messages: messages.map((each) => messageJson(each)) }
  })
