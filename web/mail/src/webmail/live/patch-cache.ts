import type { Folder } from '@stoa/mail-model/folders.ts'
import type { List } from '@stoa/mail-model/list.ts'
import type { MailboxEvent } from '@stoa/mail-model/mailbox-events.ts'
import type { Message, MessageItem, Thread } from '@stoa/mail-model/messages.ts'
import type { Query, QueryClient } from '@tanstack/react-query'
import { labelsOf } from '../actions/labels.ts'
import { foldersQuery, labelsQuery, type MessagesFilter, mailboxQuery, messagesQuery } from '../queries.ts'
import { type MailChange, patchPages } from './patch-list.ts'

/** Applies what the service reported without a request; what does not follow from it is requested. */
export const applyEvents = (client: QueryClient, events: readonly MailboxEvent[]): void => {
  for (const event of events) {
    applyFolders(client, event)
    const { messages } = event
    if (messages) applyMessages(client, changeOf(event, messages))
    else readAgain(client, ['messages', 'thread'])
    if (event.scheduled !== null) applyScheduled(client, event.scheduled)
    if (event.submissions_changed) readAgain(client, ['submissions'])
  }
}

/** Asks again for what is on the screen of these parts of the cache. */
export const readAgain = (client: QueryClient, parts: readonly string[]): void => {
  for (const part of parts) void client.invalidateQueries({ queryKey: ['webmail', part] })
  if (parts.includes('messages')) readOpenedAgain(client)
}

/** The marks of a message that is read alone; in a conversation its thread has them, and the text never changes. */
const readOpenedAgain = (client: QueryClient): void => {
  const isInThread = client.getQueryCache().findAll({ queryKey: ['webmail', 'thread'], type: 'active' }).length > 0
  const refetchType = isInThread ? 'none' : 'active'
  void client.invalidateQueries({ queryKey: ['webmail', 'message'], refetchType })
}

const changeOf = (event: MailboxEvent, messages: NonNullable<MailboxEvent['messages']>): MailChange => ({
  changed: messages.changed,
  removed: new Set(messages.removed),
  threads: new Map(messages.threads.map(({ id, ...counts }) => [id, counts])),
  folders: new Map(event.changed_folders.map((folder) => [folder.id, folder])),
})

const applyFolders = (client: QueryClient, { folders, changed_folders: changed }: MailboxEvent): void => {
  if (folders.length === 0) return
  const { queryKey } = foldersQuery
  const known = client.getQueryData(queryKey)
  const next = known && replaceFolders(known, folders, changed)
  if (next && !isUnderWay(client.getQueryCache().find({ queryKey }))) client.setQueryData(queryKey, next)
  else readAgain(client, ['folders'])
}

/** Null: folders came, went or moved, and only the service knows their order. */
export const replaceFolders = (
  known: List<Folder>,
  ids: readonly string[],
  changed: readonly Folder[],
): List<Folder> | null => {
  const byId = new Map(changed.map((folder) => [folder.id, folder]))
  const before = new Map(known.data.map((folder) => [folder.id, folder]))
  const isSamePlace = (id: string): boolean => {
    const [old, next] = [before.get(id), byId.get(id)]
    return old !== undefined && next !== undefined && old.path === next.path && old.position === next.position
  }
  return ids.every(isSamePlace) ? { ...known, data: known.data.map((folder) => byId.get(folder.id) ?? folder) } : null
}

const applyScheduled = (client: QueryClient, scheduled: number): void =>
  void client.setQueryData(mailboxQuery.queryKey, (mailbox) => mailbox && { ...mailbox, scheduled })

const applyMessages = (client: QueryClient, change: MailChange): void => {
  applyLists(client, change)
  applyLabels(client, change)
  for (const query of client.getQueryCache().findAll({ queryKey: ['webmail', 'thread'] }))
    applyThread(client, query, change)
  const changed = new Map(change.changed.map((item) => [item.id, item]))
  for (const [key, message] of client.getQueriesData<Message>({ queryKey: ['webmail', 'message'] })) {
    const item = message && changed.get(message.id)
    // The content of a message never changes
    if (item) client.setQueryData(key, { ...message, ...marksOf(item) })
  }
}

/** An unknown label, set by another program, shows up beside the others. */
const applyLabels = (client: QueryClient, { changed }: MailChange): void => {
  const known = new Set(client.getQueryData(labelsQuery.queryKey)?.data.map(({ name }) => name))
  if (changed.some(({ keywords }) => labelsOf(keywords).some((name) => !known.has(name)))) readAgain(client, ['labels'])
}

const marksOf = ({ folder_id, folder_ids, keywords, flags, snoozed_until }: MessageItem) => ({
  folder_id,
  folder_ids,
  keywords,
  flags,
  snoozed_until,
})

/** An answer in flight may be older than what was reported. */
const isUnderWay = (query: Query | undefined): boolean => query?.state.fetchStatus === 'fetching'

const applyLists = (client: QueryClient, change: MailChange): void => {
  for (const { filter, queries } of listsIn(client)) {
    const loaded = firstPages(queries)
    const pages = loaded.flatMap(({ page }) => page ?? [])
    const isBusy = queries.some(({ query }) => isUnderWay(query))
    const next = isBusy || loaded.length < queries.length ? null : patchPages(filter, pages, change)
    if (next)
      for (const [index, page] of next.entries()) client.setQueryData(messagesQuery(filter, index + 1).queryKey, page)
    // One by one: a filter is also a part of narrower ones, which may be known
    else for (const { query } of queries) void client.invalidateQueries({ queryKey: query.queryKey, exact: true })
  }
}

type ListedQuery = { query: Query; number: number; page: List<MessageItem> | undefined }

/** The pages from the first one on, without a gap. */
const firstPages = (queries: readonly ListedQuery[]): readonly ListedQuery[] => {
  const ordered = queries.toSorted((a, b) => a.number - b.number)
  const gap = ordered.findIndex(({ number, page }, index) => number !== index + 1 || page === undefined)
  return gap === -1 ? ordered : ordered.slice(0, gap)
}

const listsIn = (client: QueryClient): { filter: MessagesFilter; queries: ListedQuery[] }[] => {
  const lists = new Map<string, { filter: MessagesFilter; queries: ListedQuery[] }>()
  for (const query of client.getQueryCache().findAll({ queryKey: ['webmail', 'messages'] })) {
    const [, , filter, number] = query.queryKey as readonly [string, string, MessagesFilter, number]
    const key = JSON.stringify(Object.entries(filter).toSorted())
    const list = lists.get(key) ?? { filter, queries: [] }
    list.queries.push({ query, number, page: query.state.data as List<MessageItem> | undefined })
    lists.set(key, list)
  }
  return [...lists.values()]
}

const applyThread = (client: QueryClient, query: Query, change: MailChange): void => {
  const thread = query.state.data as Thread | undefined
  if (!thread) return
  const next = patchThread(thread, change)
  if (next === thread) return
  if (next && !isUnderWay(query)) client.setQueryData(query.queryKey, next)
  else void client.invalidateQueries({ queryKey: query.queryKey })
}

/** A conversation after a change; null when it has to be read again. */
export const patchThread = (thread: Thread, { changed, removed, threads }: MailChange): Thread | null => {
  const own = changed.filter(({ thread_id: id }) => id === thread.id)
  const isTouched = own.length > 0 || thread.messages.some(({ id }) => removed.has(id)) || threads.has(thread.id)
  if (!isTouched) return thread
  const byId = new Map(thread.messages.filter(({ id }) => !removed.has(id)).map((item) => [item.id, item]))
  for (const item of own) byId.set(item.id, item)
  const messages = [...byId.values()].sort((a, b) =>
    a.received_at < b.received_at ? -1 : a.received_at > b.received_at ? 1 : a.id < b.id ? -1 : 1,
  )
  const count = threads.get(thread.id)?.count ?? messages.length
  return count === messages.length ? { ...thread, messages } : null
}
