import type { MessageItem, Thread } from '@stoa/mail-model/messages.ts'
import { type QueryClient, useQueries } from '@tanstack/react-query'
import { threadQuery } from '../queries.ts'
import type { ChosenRow } from './use-chosen.ts'

/** The messages that an action covers when the row is a conversation. */
export type Reach =
  /** The messages of it that are where the row is: those in Sent stay there when it is archived. */
  | 'folder'
  | 'conversation'
  /** Only the message that the row shows. */
  | 'message'

const hasMore = ({ thread_count = 1 }: ChosenRow): boolean => thread_count > 1

/** The messages of a conversation that an action on its row is about. */
export const idsOfRow = (row: ChosenRow, messages: readonly MessageItem[] | undefined, reach: Reach): string[] => {
  if (!messages || reach === 'message') return [row.id]
  const reached = messages.filter(({ folder_ids }) => reach === 'conversation' || folder_ids.includes(row.folder_id))
  return [...new Set([row.id, ...reached.map(({ id }) => id)])]
}

/** The limit of the service is ten requests a second: conversations are read a few at a time. */
const AT_ONCE = 4

/** The ids of all messages that an action on these rows is about. */
export const readIds = async (
  queryClient: QueryClient,
  rows: readonly ChosenRow[],
  reach: Reach,
): Promise<readonly string[]> => {
  const longer = reach === 'message' ? [] : rows.filter(hasMore)
  const threads = new Map<string, Thread>()
  for (let start = 0; start < longer.length; start += AT_ONCE) {
    const some = longer
      .slice(start, start + AT_ONCE)
      .map(({ thread_id }) => queryClient.fetchQuery(threadQuery(thread_id)))
    for (const thread of await Promise.all(some)) threads.set(thread.id, thread)
  }
  return rows.flatMap((row) => idsOfRow(row, threads.get(row.thread_id)?.messages, reach))
}

/** More conversations than a hand chooses one by one are read when the action begins. */
const MAX_AHEAD = 8

/** The ids of the chosen rows, loaded in advance: menus need them at once. */
export const useIdsAhead = (rows: readonly ChosenRow[]): readonly string[] => {
  const longer = rows.filter(hasMore)
  const threads = useQueries({
    queries: longer.length > MAX_AHEAD ? [] : longer.map(({ thread_id }) => threadQuery(thread_id)),
    combine: (results) => results.map(({ data }) => data),
  })
  const byId = new Map(threads.flatMap((thread) => (thread ? [[thread.id, thread.messages] as const] : [])))
  return rows.flatMap((row) => idsOfRow(row, byId.get(row.thread_id), 'folder'))
}
