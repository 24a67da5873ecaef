import type { MailboxSettings } from '@stoa/mail-model/mailbox-settings.ts'
import type { Message, MessageItem, Thread } from '@stoa/mail-model/messages.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { hasName } from '../../api.ts'
import { knownStates } from '../actions/mail-cache.ts'
import { mailSettingsQuery, messageQuery, threadQuery } from '../queries.ts'

export type Conversation =
  | { status: 'loading' }
  | { status: 'gone' }
  | { status: 'error'; error: unknown; onRetry: () => void }
  | { status: 'ready'; threadId: string; messages: readonly MessageItem[]; settings: MailboxSettings }

/** The service returns only the newest messages of a longer conversation. */
const MAX_IN_THREAD = 500

/** The message of the address with the rest of its conversation, oldest first. */
export const useConversation = (messageId: string): Conversation => {
  const queryClient = useQueryClient()
  const settings = useQuery(mailSettingsQuery)
  const message = useQuery(messageQuery(messageId))
  // A list knows the conversation already: it is asked for at the same time as the message
  const threadId = message.data?.thread_id ?? knownStates(queryClient, [messageId]).get(messageId)?.thread_id
  const thread = useQuery({ ...threadQuery(threadId ?? ''), enabled: threadId !== undefined })
  const error = message.error ?? settings.error ?? thread.error
  if (hasName(message.error, 'not_found') || hasName(thread.error, 'not_found')) return { status: 'gone' }
  if (error && !(settings.data && thread.data)) {
    const onRetry = () => {
      for (const query of [message, settings, thread]) if (query.error) void query.refetch()
    }
    return { status: 'error', error, onRetry }
  }
  if (!settings.data || !thread.data) return { status: 'loading' }
  // The marks of the thread are kept up to date; those of the message are as it was read
  const asked = thread.data.messages.find(({ id }) => id === messageId) ?? olderThan(thread.data, message.data)
  if (!asked) return thread.isFetching ? { status: 'loading' } : { status: 'gone' }
  if (!settings.data.conversations)
    return { status: 'ready', threadId: messageId, messages: [asked], settings: settings.data }
  const messages = thread.data.messages.includes(asked) ? thread.data.messages : [asked, ...thread.data.messages]
  return { status: 'ready', threadId: thread.data.id, messages, settings: settings.data }
}

const olderThan = ({ messages }: Thread, message: Message | undefined): MessageItem | undefined =>
  messages.length < MAX_IN_THREAD ? undefined : message
