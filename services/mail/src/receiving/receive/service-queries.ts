import type { Tx } from '@stoa/kit/db/database.ts'
import type { QueueMessageTable } from '../../tables/sending.ts'
import type { Tables } from '../../tables.ts'

export type SentRecipient = {
  ordinal: number
  recipient: string
  attempts: number
  /** Whether the token is this recipient's. */
  isHere: boolean
}

export type SentMessage = {
  id: string
  accountId: string | null
  addressId: string | null
  source: QueueMessageTable['source']
  recipients: SentRecipient[]
}

/** The message that reports to this token are about, with all of its recipients. */
export const lockSentMessage = async (tx: Tx<Tables>, token: string): Promise<SentMessage | null> => {
  const [row] = await tx.query<SentMessage>({
    name: 'lock-sent-message',
    text: `select id, account_id as "accountId", address_id as "addressId", source,
                  (select json_agg(json_build_object('ordinal', ordinal, 'recipient', recipient,
                                                     'attempts', attempts, 'isHere', coalesce(bounce_token = $1, false)) order by ordinal)
                   from queue_recipient where message_id = queue_message.id) as recipients
           from queue_message
           where id = (select message_id from queue_recipient where bounce_token = $1 limit 1) for update`,
    values: [token],
  })
  return row ? { ...row, recipients: row.recipients ?? [] } : null
}

export const isKnownToken = async (db: Pick<Tx<Tables>, 'query'>, token: string): Promise<boolean> => {
  const rows = await db.query({
    name: 'is-known-token',
    text: 'select 1 from queue_recipient where bounce_token = $1 limit 1',
    values: [token],
  })
  return rows.length > 0
}

/** A recipient that took a message, or might, gave it back; false when that is known, or being tried again. */
export const markBounced = async (
  tx: Tx<Tables>,
  bounce: { messageId: string; ordinal: number; status: string; reply: string; now: Date },
): Promise<boolean> => {
  const rows = await tx.query({
    name: 'mark-bounced',
    text: `update queue_recipient set state = 'bounced', last_status = $3, last_reply = $4,
                  finished_at = coalesce(finished_at, $5)
           where message_id = $1 and ordinal = $2 and state in ('delivered', 'deferred') returning 1`,
    values: [bounce.messageId, bounce.ordinal, bounce.status, bounce.reply, bounce.now],
  })
  return rows.length > 0
}
