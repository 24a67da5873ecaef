import type { List } from '@stoa/mail-model/list.ts'
import type { Correspondent, MessageItem } from '@stoa/mail-model/messages.ts'
import type { QueryClient } from '@tanstack/react-query'

/** Who wrote the messages that were listed: most of them nobody has written to, so that they are no contacts. */
export const sendersIn = (queryClient: QueryClient): readonly Correspondent[] => {
  const senders = new Map<string, Correspondent>()
  for (const [, page] of queryClient.getQueriesData<List<MessageItem>>({ queryKey: ['webmail', 'messages'] }))
    for (const { from } of page?.data ?? []) if (from && !senders.has(from.email)) senders.set(from.email, from)
  return [...senders.values()]
}
