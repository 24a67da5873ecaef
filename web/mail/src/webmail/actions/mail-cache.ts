import type { Folder } from '@stoa/mail-model/folders.ts'
import type { List } from '@stoa/mail-model/list.ts'
import type { Message, MessageItem, Thread } from '@stoa/mail-model/messages.ts'
import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { foldersQuery, type MessagesFilter } from '../queries.ts'
import {
  changeFolders,
  changeMessage,
  changePages,
  changeThread,
  type KnownStates,
  type MessageChange,
  type MessageState,
} from './message-cache.ts'

const PAGES = ['webmail', 'messages'] as const
const THREADS = ['webmail', 'thread'] as const
const MESSAGES = ['webmail', 'message'] as const

/** The cached states of these messages, each from the latest read. */
export const knownStates = (queryClient: QueryClient, ids: Iterable<string>): KnownStates => {
  const wanted = new Set(ids)
  const known = new Map<string, { state: MessageState; at: number }>()
  const note = (state: MessageState, at: number) => {
    const other = known.get(state.id)
    if (wanted.has(state.id) && (!other || other.at <= at)) known.set(state.id, { state, at })
  }
  for (const query of queryClient.getQueryCache().findAll({ queryKey: ['webmail'] })) {
    const { data, dataUpdatedAt } = query.state
    for (const item of itemsIn(query.queryKey, data)) note(item, dataUpdatedAt)
  }
  return new Map([...known].map(([id, { state }]) => [id, state]))
}

/** Shows what an action will have done. Gives back how to show what was there before. */
export const showChange = (queryClient: QueryClient, known: KnownStates, change: MessageChange): (() => void) => {
  const before: [QueryKey, unknown][] = []
  const write = (key: QueryKey, old: unknown, next: unknown) => {
    if (next === old) return
    before.push([key, old])
    queryClient.setQueryData(key, next)
  }
  const pages = queryClient
    .getQueriesData<List<MessageItem>>({ queryKey: PAGES })
    .flatMap(([key, page]) => (page ? [{ key, page, filter: filterOf(key) }] : []))
  const changed = changePages(pages, { known, change })
  for (const [index, { key, page }] of pages.entries()) write(key, page, changed[index] ?? page)
  for (const [key, thread] of queryClient.getQueriesData<Thread>({ queryKey: THREADS }))
    if (thread) write(key, thread, changeThread(thread, { known, change }))
  for (const [key, message] of queryClient.getQueriesData<Message>({ queryKey: MESSAGES }))
    if (message && known.has(message.id) && !change.gone) write(key, message, changeMessage(message, change))
  const folders = queryClient.getQueryData<List<Folder>>(foldersQuery.queryKey)
  const unreadIn = (folderId: string, threadId: string): number | undefined =>
    pages
      .filter(({ filter }) => filter.folder_id === folderId)
      .flatMap(({ page }) => page.data.find((row) => row.thread_id === threadId)?.thread_unread ?? [])[0]
  if (folders) write(foldersQuery.queryKey, folders, changeFolders(folders, { known, change }, unreadIn))
  return () => {
    for (const [key, data] of before) queryClient.setQueryData(key, data)
  }
}

/** Answers that are on their way were written before the action: they must not put back what it changed. */
export const stopReading = async (queryClient: QueryClient): Promise<void> => {
  await Promise.all(
    [PAGES, THREADS, MESSAGES, foldersQuery.queryKey].map((queryKey) =>
      // The first answer of a screen is waited for: there is nothing to show without it
      queryClient.cancelQueries({ queryKey, predicate: ({ state }) => state.data !== undefined }),
    ),
  )
}

/** Reads again what is on the screen and may have changed. What a message says never does. */
export const readAgain = (queryClient: QueryClient): void => {
  for (const queryKey of [PAGES, THREADS, foldersQuery.queryKey]) void queryClient.invalidateQueries({ queryKey })
}

/** Whether lists and conversations on the screen were read since then, or are being read: the live updates were quicker. */
export const wasReadSince = (queryClient: QueryClient, moment: number): boolean =>
  [PAGES, THREADS].some((queryKey) =>
    queryClient
      .getQueryCache()
      .findAll({ queryKey, type: 'active' })
      .some(({ state }) => state.dataUpdatedAt >= moment || state.fetchStatus === 'fetching'),
  )

const filterOf = (key: QueryKey): MessagesFilter => {
  const filter: unknown = key[2]
  return typeof filter === 'object' && filter !== null ? Object.fromEntries(Object.entries(filter)) : {}
}

/** The messages that a part of the cache holds. */
const itemsIn = (key: QueryKey, data: unknown): readonly MessageState[] => {
  if (typeof data !== 'object' || data === null) return []
  if (key[1] === 'message' && isState(data)) return [data]
  const items = key[1] === 'thread' && 'messages' in data ? data.messages : 'data' in data ? data.data : []
  return (key[1] === 'messages' || key[1] === 'thread') && Array.isArray(items) ? items.filter(isState) : []
}

const isState = (value: unknown): value is MessageState =>
  typeof value === 'object' && value !== null && 'thread_id' in value && 'folder_ids' in value
