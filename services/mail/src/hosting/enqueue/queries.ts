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

/** Locks the recipients of a message against being claimed until the transaction ends. */
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

/**
 * The bytes of messages without an unfinished recipient are no longer needed. `limit 1` is a look-up by key: PostgreSQL would read
 * the queue from its beginning when it has just been filled.
 */
export const unlinkQueued = async (tx: Tx<Tables>, messageIds: readonly string[]): Promise<void> => {
  await tx.query({
    name: 'queue_unlink',
    text: `delete from blob_link l
           using unnest(array(select unnest($1::uuid[]))) w (id) cross join lateral (
             select ctid from blob_link where ref_id = w.id and kind || '' = 'queue' limit 1
           ) found cross join lateral (
             select count(*) as left from (
               select from queue_recipient where message_id = w.id and finished_at is null limit 1
             ) r
           ) r where l.ctid = found.ctid and r.left = 0`,
    values: [messageIds],
  })
}
