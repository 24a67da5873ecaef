import type { MailboxSettings } from '@stoa/mail-model/mailbox-settings.ts'
import type { MessageItem } from '@stoa/mail-model/messages.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { hasName } from '../../api.ts'
import { knownStates } from '../acts/mail-cache.ts'
import { mailSettingsQuery, messageQuery, threadQuery } from '../queries.ts'

export type Conversation =
  | { status: 'loading' }
  | { status: 'gone' }
  | { status: 'error'; error: unknown; onRetry: () => void }
  | { status: 'ready'; threadId: string; messages: readonly MessageItem[]; settings: MailboxSettings }

/** Of a longer conversation the service gives the newest. */
const MAX_IN_THREAD = 500

/** The message of the address with the rest of its conversation, oldest first. */
export const useConversation = (messageId: string): Conversation => {
  const queryClient = useQueryClient()
  const settings = useQuery(mailSettingsQuery)
  const message = useQuery(messageQuery(messageId))
  // A list knows the conversation already: it is asked for at the same time as the message
  const threadId = message.data?.thread_id ?? knownStates(queryClient, [messageId]).get(messageId)?.thread_id
  const isWhole = settings.data?.conversations ?? false
  const thread = useQuery({ ...threadQuery(threadId ?? ''), enabled: isWhole && threadId !== undefined })
  const error = message.error ?? settings.error ?? (isWhole ? thread.error : null)
  if (hasName(message.error, 'not_found')) return { status: 'gone' }
  if (error && !(message.data && settings.data && (thread.data || !isWhole))) {
    const onRetry = () => {
      for (const query of [message, settings, thread]) if (query.error) void query.refetch()
    }
    return { status: 'error', error, onRetry }
  }
  if (!settings.data) return { status: 'loading' }
  if (!isWhole)
    return message.data
      ? { status: 'ready', threadId: message.data.id, messages: [message.data], settings: settings.data }
      : { status: 'loading' }
  if (!thread.data) return { status: 'loading' }
  const { messages } = thread.data
  if (messages.some(({ id }) => id === messageId))
    return { status: 'ready', threadId: thread.data.id, messages, settings: settings.data }
  if (messages.length < MAX_IN_THREAD) return thread.isFetching ? { status: 'loading' } : { status: 'gone' }
  return message.data
    ? { status: 'ready', threadId: thread.data.id, messages: [message.data, ...messages], settings: settings.data }
    : { status: 'loading' }
}
