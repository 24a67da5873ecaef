import type { Tx } from '@stoa/kit/db/database.ts'
import type { Insertable } from 'kysely'
import type { QueueMessageTable, QueueRecipientTable } from '../../tables/sending.ts'
import type { BlobLinkTable } from '../../tables/store.ts'
import type { Tables } from '../../tables.ts'

/** One statement whatever their number. */
export const insertQueued = async (
  tx: Tx<Tables>,
  rows: {
    messages: readonly Insertable<QueueMessageTable>[]
    recipients: readonly Insertable<QueueRecipientTable>[]
    links: readonly Insertable<BlobLinkTable>[]
  },
): Promise<void> => {
  const messages = rows.messages.map((row) => ({ ...row, prefix: row.prefix?.toString('hex') ?? '' }))
  await tx.query({
    name: 'queue_insert',
    text: INSERT,
    values: [JSON.stringify(messages), JSON.stringify(rows.recipients), JSON.stringify(rows.links)],
  })
}

const INSERT = `
  with messages as (
    insert into queue_message (id, account_id, address_id, source, blob_key, prefix, size, signing_domain_id,
      message_id, header_from, subject, needs_utf8, needs_8bit, requires_tls, envid, ret, not_before, expires_at,
      created_at)
    select id, account_id, address_id, source, blob_key, decode(prefix, 'hex'), size, signing_domain_id, message_id,
      header_from, subject, needs_utf8, needs_8bit, requires_tls, envid, ret, not_before, expires_at, created_at
    from json_to_recordset($1::json) as g (id uuid, account_id uuid, address_id uuid, source text, blob_key text,
      prefix text, size integer, signing_domain_id uuid, message_id text, header_from text, subject text, needs_utf8 boolean, needs_8bit boolean, requires_tls boolean, envid text, ret text, not_before timestamptz, expires_at timestamptz, created_at timestamptz)
  ), recipients as (
    insert into queue_recipient (message_id, ordinal, id, recipient, domain, return_path, bounce_token, next_at, notify,
      orcpt)
    select message_id, ordinal, id, recipient, domain, return_path, bounce_token, next_at, notify, orcpt
    from json_to_recordset($2::json) as g (message_id uuid, ordinal integer, id uuid, recipient text, domain text,
      return_path text, bounce_token text, next_at timestamptz, notify text[], orcpt text)
  )
  insert into blob_link (owner_id, blob_key, kind, ref_id, size, created_at, expires_at)
  select owner_id, blob_key, kind, ref_id, size, created_at, expires_at
  from json_to_recordset($3::json) as g (owner_id uuid, blob_key text, kind text, ref_id uuid, size bigint,
    created_at timestamptz, expires_at timestamptz)`

/** Its recipients, locked against being claimed until the transaction ends. */
export const lockRecipients = (tx: Tx<Tables>, messageId: string) =>
  tx
    .selectFrom('queue_recipient')
    .select(['state', 'attempts', 'finished_at as finishedAt'])
    .where('message_id', '=', messageId)
    .orderBy('ordinal')
    .forUpdate()
    .execute()

/** Its recipients must be locked. Gives whose message it was and since when. */
export const cancelRecipients = async (
  tx: Tx<Tables>,
  messageId: string,
): Promise<{ accountId: string | null; createdAt: Date } | undefined> => {
  const [message] = await tx.query<{ accountId: string | null; createdAt: Date }>({
    text: `with cancelled as (
             update queue_recipient
             set state = 'cancelled', finished_at = transaction_timestamp(), lease_until = null, lease_token = null
             where message_id = $1
           )
           select account_id as "accountId", created_at as "createdAt" from queue_message where id = $1`,
    values: [messageId],
  })
  await unlinkQueued(tx, [messageId])
  return message
}

/** Its recipients must be locked. */
export const postponeRecipients = async (
  tx: Tx<Tables>,
  messageId: string,
  { notBefore, expiresAt, prefix }: { notBefore: Date; expiresAt: Date; prefix: Buffer },
): Promise<void> => {
  await tx.query({
    text: `with message as (
             update queue_message
             set not_before = $2, expires_at = $3, prefix = $4, size = size - length(prefix) + length($4::bytea)
             where id = $1
           )
           update queue_recipient set next_at = $2 where message_id = $1`,
    values: [messageId, notBefore, expiresAt, prefix],
  })
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
 * Forgets finished messages, some at a time; gives how many. Their links go too: two processes that finish
 * the last recipients at the same moment take each other's for unfinished.
 */
export const deleteFinished = async (tx: Tx<Tables>, before: Date, limit: number): Promise<number> => {
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
  return rows.length
}

export const deleteOldSoftBounces = async (tx: Tx<Tables>, before: Date, limit: number): Promise<number> => {
  const gone = await tx.query({
    text: `delete from soft_bounce where ctid = any (array(
             select ctid from soft_bounce where created_at < $1 limit $2 for update skip locked))
           returning 1`,
    values: [before, limit],
  })
  return gone.length
}

export const deleteOldDestinations = async (tx: Tx<Tables>, before: Date, limit: number): Promise<number> => {
  const gone = await tx.query({
    text: `delete from queue_destination where ctid = any (array(
             select ctid from queue_destination where retry_at < $1 limit $2 for update skip locked))
           returning 1`,
    values: [before, limit],
  })
  return gone.length
}
