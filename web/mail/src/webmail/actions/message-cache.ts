import type { Folder } from '@stoa/mail-model/folders.ts'
import type { List } from '@stoa/mail-model/list.ts'
import type { MessageItem, Thread } from '@stoa/mail-model/messages.ts'
import type { MessagesFilter } from '../queries.ts'

/** The members of a message that actions change. */
export type MessageState = Pick<
  MessageItem,
  'id' | 'thread_id' | 'folder_id' | 'folder_ids' | 'keywords' | 'flags' | 'snoozed_until'
>

/** The effect of an action on one message. */
export type MessageChange = {
  /** Marks (`seen`, `flagged`, `junk` …) and labels. */
  readonly add?: readonly string[]
  readonly remove?: readonly string[]
  /** The one folder that it is in then. */
  readonly folderId?: string
  readonly snoozedUntil?: string | null
  readonly gone?: boolean
}

/** The states that are known of the messages of an action, before it. */
export type KnownStates = ReadonlyMap<string, MessageState>

/** The message after the action. */
export const changeMessage = <M extends MessageState>(message: M, change: MessageChange): M => {
  const removed = new Set((change.remove ?? []).map(keywordOf))
  const kept = message.keywords.filter((keyword) => !removed.has(keyword))
  const keywords = [...new Set([...kept, ...(change.add ?? []).map(keywordOf)])]
  const { folderId } = change
  return {
    ...message,
    ...(folderId === undefined ? {} : { folder_id: folderId, folder_ids: [folderId] }),
    ...(change.snoozedUntil === undefined ? leavesSnoozed(message, folderId) : { snoozed_until: change.snoozedUntil }),
    keywords,
    flags: {
      seen: keywords.includes('$seen'),
      flagged: keywords.includes('$flagged'),
      answered: keywords.includes('$answered'),
      draft: keywords.includes('$draft'),
      forwarded: keywords.includes('$forwarded'),
    },
  }
}

/** Pages of lists after the action: what no longer belongs on one is gone from it, and from the total of its list. */
export const changePages = (
  pages: readonly ListedPage[],
  { known, change }: { known: KnownStates; change: MessageChange },
): List<MessageItem>[] => {
  const changed = pages.map(({ page, filter }) =>
    changeRows(page, { filter, known, change, threads: threadChanges(known, change, filter.folder_id) }),
  )
  const removed = new Map<string, number>()
  for (const [index, { page, filter }] of pages.entries()) {
    const gone = page.data.length - (changed[index]?.length ?? 0)
    removed.set(listOf(filter), (removed.get(listOf(filter)) ?? 0) + gone)
  }
  return pages.map(({ page, filter }, index) => {
    const data = changed[index] ?? page.data
    const total = Math.max(0, page.total - (removed.get(listOf(filter)) ?? 0))
    return data === page.data && total === page.total ? page : { ...page, data, total }
  })
}

export type ListedPage = { filter: MessagesFilter; page: List<MessageItem> }

const listOf = (filter: MessagesFilter): string => JSON.stringify(Object.entries(filter).toSorted())

type RowChange = {
  filter: MessagesFilter
  known: KnownStates
  change: MessageChange
  threads: ReadonlyMap<string, ThreadChange>
}

const changeRows = (page: List<MessageItem>, { filter, known, change, threads }: RowChange): MessageItem[] => {
  if (!page.data.some((item) => known.has(item.id) || threads.has(item.thread_id))) return page.data
  return page.data.flatMap((item) => {
    const shared = changeThreadCounts(item, threads.get(item.thread_id))
    if (!known.has(item.id)) return [shared]
    const changed = changeMessage(shared, change)
    return change.gone || !isListed(changed, filter) ? [] : [changed]
  })
}

/** A conversation after the action. */
export const changeThread = (
  thread: Thread,
  { known, change }: { known: KnownStates; change: MessageChange },
): Thread => {
  if (!thread.messages.some(({ id }) => known.has(id))) return thread
  const messages = thread.messages.flatMap((item) => {
    if (!known.has(item.id)) return [item]
    return change.gone ? [] : [changeMessage(item, change)]
  })
  return { ...thread, messages }
}

type FolderDelta = { total: number; unread: number; threads: number; unread_threads: number }

/**
 * The counts of the folders after the action. `unreadIn`: how much of a conversation is unread in a folder, where a
 * list knows it; conversations are counted as if an action were about all of what they have there.
 */
export const changeFolders = (
  folders: List<Folder>,
  { known, change }: { known: KnownStates; change: MessageChange },
  unreadIn: (folderId: string, threadId: string) => number | undefined,
): List<Folder> => {
  const data = folders.data.map((folder) => {
    const delta = folderDelta(folder.id, { known, change, unreadIn })
    if (Object.values(delta).every((by) => by === 0)) return folder
    return {
      ...folder,
      total: Math.max(0, folder.total + delta.total),
      unread: Math.max(0, folder.unread + delta.unread),
      threads: Math.max(0, folder.threads + delta.threads),
      unread_threads: Math.max(0, folder.unread_threads + delta.unread_threads),
    }
  })
  return { ...folders, data }
}

type DeltaInput = {
  known: KnownStates
  change: MessageChange
  unreadIn: (folderId: string, threadId: string) => number | undefined
}

const folderDelta = (folderId: string, { known, change, unreadIn }: DeltaInput): FolderDelta => {
  const delta = { total: 0, unread: 0, threads: 0, unread_threads: 0 }
  const threads = new Map<string, { total: number; unread: number; wasUnread: number }>()
  for (const state of known.values()) {
    const before = countIn(state, folderId)
    const after = change.gone ? NOTHING : countIn(changeMessage(state, change), folderId)
    const thread = threads.get(state.thread_id) ?? { total: 0, unread: 0, wasUnread: 0 }
    threads.set(state.thread_id, {
      total: thread.total + after.total - before.total,
      unread: thread.unread + after.unread - before.unread,
      wasUnread: thread.wasUnread + before.unread,
    })
  }
  for (const [threadId, { total, unread, wasUnread }] of threads) {
    const unreadBefore = unreadIn(folderId, threadId) ?? wasUnread
    delta.total += total
    delta.unread += unread
    delta.threads += Math.sign(total)
    delta.unread_threads += Number(unreadBefore + unread > 0) - Number(unreadBefore > 0)
  }
  return delta
}

const NOTHING = { total: 0, unread: 0 }

const countIn = ({ folder_ids: ids, flags }: MessageState, folderId: string): typeof NOTHING =>
  ids.includes(folderId) ? { total: 1, unread: flags.seen || flags.draft ? 0 : 1 } : NOTHING

const MARKS = new Set(['seen', 'flagged', 'answered', 'forwarded', 'junk'])

/** The keyword of a mark; a label is its own. */
export const keywordOf = (word: string): string => (MARKS.has(word) ? `$${word}` : word)

/** Moving a message out of Snoozed ends the snooze. */
const leavesSnoozed = (
  message: MessageState,
  folderId: string | undefined,
): { snoozed_until: null } | Record<string, never> =>
  folderId !== undefined && message.snoozed_until !== null && !message.folder_ids.includes(folderId)
    ? { snoozed_until: null }
    : {}

const isListed = (item: MessageItem, { folder_id: folderId }: MessagesFilter): boolean =>
  folderId === undefined || item.folder_ids.includes(folderId)

type ThreadChange = { count: number; unread: number }

/** Changes to the counts of conversations; unread ones count in the folder of the list, if it is of one. */
const threadChanges = (
  known: KnownStates,
  change: MessageChange,
  folderId: string | undefined,
): Map<string, ThreadChange> => {
  const changes = new Map<string, ThreadChange>()
  const isUnread = ({ flags, folder_ids: ids }: MessageState): boolean =>
    !flags.seen && !flags.draft && (folderId === undefined || ids.includes(folderId))
  for (const state of known.values()) {
    const after = changeMessage(state, change)
    const { count, unread } = changes.get(state.thread_id) ?? { count: 0, unread: 0 }
    changes.set(state.thread_id, {
      count: count - (change.gone ? 1 : 0),
      unread: unread + Number(!change.gone && isUnread(after)) - Number(isUnread(state)),
    })
  }
  return changes
}

const changeThreadCounts = (item: MessageItem, change: ThreadChange | undefined): MessageItem => {
  if (!change || item.thread_count === undefined || item.thread_unread === undefined) return item
  return {
    ...item,
    thread_count: Math.max(1, item.thread_count + change.count),
    thread_unread: Math.max(0, item.thread_unread + change.unread),
  }
}
