import type { ReceivedEmailData } from '@stoa/mail-model/webhook-events.ts'
import type { Mailbox } from '../../formats/mime/mime.ts'
import { type ReadMessage, storable } from '../../store/store.ts'

/** A mail may name thousands of people and files, and an endpoint gets it in one request. */
const MAX_ADDRESSES = 100
const MAX_ATTACHMENTS = 100
const MAX_TEXT = 998

/** What webhooks get about a message that was delivered to a mailbox: not its content. */
export const receivedData = (
  read: Pick<ReadMessage, 'envelope' | 'subject' | 'body'>,
  { messageId, recipient, receivedAt }: { messageId: string; recipient: string; receivedAt: Date },
): ReceivedEmailData => {
  const { envelope } = read
  return {
    email_id: messageId,
    created_at: receivedAt.toISOString(),
    from: addressesOf(envelope.from)[0] ?? '',
    to: addressesOf(envelope.to),
    cc: addressesOf(envelope.cc),
    bcc: addressesOf(envelope.bcc),
    received_for: [recipient],
    message_id: envelope.messageId[0] === undefined ? '' : `<${cut(envelope.messageId[0])}>`,
    subject: cut(read.subject ?? ''),
    attachments: read.body.attachments.slice(0, MAX_ATTACHMENTS).map((part) => ({
      id: part.partId ?? '',
      filename: part.name === null ? null : cut(part.name),
      content_type: cut(part.type),
      content_disposition: part.disposition === null ? null : cut(part.disposition),
      content_id: part.cid === null ? null : cut(part.cid),
    })),
  }
}

const addressesOf = (mailboxes: readonly Mailbox[]): string[] =>
  mailboxes.slice(0, MAX_ADDRESSES).map(({ name, email }) => cut(name === null ? email : `${name} <${email}>`))

const cut = (text: string): string => storable(text.slice(0, MAX_TEXT))
