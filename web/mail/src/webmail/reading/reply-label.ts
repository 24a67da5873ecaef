import type { Correspondent, MessageItem } from '@stoa/mail-model/messages.ts'
import { useQuery } from '@tanstack/react-query'
import { nameOf } from '../people.ts'
import { mailboxQuery, mailIdentitiesQuery } from '../queries.ts'

/** "Reply to Ann": whom an answer goes to first. Nobody answers themselves, but those they wrote to. */
export const replyLabel = (
  { from, to, cc }: Pick<MessageItem, 'from' | 'to' | 'cc'>,
  own: readonly (string | undefined)[],
): string => {
  const emails = new Set(own.map((email) => email?.toLowerCase()))
  const isOther = ({ email }: Correspondent) => !emails.has(email.toLowerCase())
  const other = [...(from ? [from] : []), ...to, ...cc].find(isOther)
  return other ? `Reply to ${nameOf(other)}` : 'Reply'
}

export const useReplyLabel = (message: MessageItem): string => {
  const { data: mailbox } = useQuery(mailboxQuery)
  const { data: identities } = useQuery(mailIdentitiesQuery)
  return replyLabel(message, [mailbox?.email, ...(identities?.data ?? []).map(({ email }) => email)])
}
