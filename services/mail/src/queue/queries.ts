import type { Tx } from '@stoa/kit/db/database.ts'
import type { Insertable } from 'kysely'
import type { QueueMessageTable, QueueRecipientTable } from '../tables/sending.ts'
import type { BlobLinkTable } from '../tables/store.ts'
import type { Tables } from '../tables.ts'

export const insertQueued = async (
  tx: Tx<Tables>,
  rows: {
    message: Insertable<QueueMessageTable>
    recipients: readonly Insertable<QueueRecipientTable>[]
    link: Insertable<BlobLinkTable>
  },
): Promise<void> => {
  await tx.insertInto('queue_message').values(rows.message).execute()
  await tx
    .insertInto('queue_recipient')
    .values([...rows.recipients])
    .execute()
  await tx.insertInto('blob_link').values(rows.link).execute()
}

/** Its recipients, locked against being claimed until the transaction ends. */
export const lockRecipients = (tx: Tx<Tables>, messageId: string) =>
  tx
    .selectFrom('queue_recipient')
    .select(['state', 'attempts', 'finished_at as finishedAt'])
    .where('message_id', '=', messageId)
    .orderBy('ordinal')
    .forUpdate()
    .execute()

export const cancelRecipients = async (tx: Tx<Tables>, messageId: string): Promise<void> => {
  await tx.query({
    text: `update queue_recipient
           set state = 'cancelled', finished_at = transaction_timestamp(), lease_until = null, lease_token = null
           where message_id = $1`,
    values: [messageId],
  })
  await unlinkQueued(tx, [messageId])
}

/** The bytes of messages without an unfinished recipient are no longer needed. */
export const unlinkQueued = async (tx: Tx<Tables>, messageIds: readonly string[]): Promise<void> => {
  await tx.query({
    name: 'queue_unlink',
    text: `delete from blob_link l
           where l.ref_id = any($1) and l.kind = 'queue' and not exists (
             select from queue_recipient r where r.message_id = l.ref_id and r.finished_at is null)`,
    values: [messageIds],
  })
}

/**
 * Forgets finished messages, some at a time; true when there may be more. Their links go too: two processes that finish
 * the last recipients at the same moment take each other's for unfinished.
 */
export const deleteFinished = async (tx: Tx<Tables>, before: Date, limit: number): Promise<boolean> => {
  const rows = await tx.query<{ id: string }>({
    text: `with old as (
             select m.id from queue_message m
             where m.created_at < $1 and not exists (
               select from queue_recipient r
               where r.message_id = m.id and (r.finished_at is null or r.finished_at >= $1))
             order by m.created_at limit $2 for update skip locked
           ), unlinked as (
             delete from blob_link l using old where l.ref_id = old.id and l.kind = 'queue'
           )
           delete from queue_message m using old where m.id = old.id returning m.id`,
    values: [before, limit],
  })
  return rows.length === limit
}

export const deleteOldSoftBounces = async (tx: Tx<Tables>, before: Date): Promise<void> => {
  await tx.deleteFrom('soft_bounce').where('created_at', '<', before).execute()
}

export const deleteOldDestinations = async (tx: Tx<Tables>, before: Date): Promise<void> => {
  await tx.deleteFrom('queue_destination').where('retry_at', '<', before).execute()
}
