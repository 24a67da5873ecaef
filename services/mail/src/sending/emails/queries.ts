import type { Tx } from '@stoa/kit/db/database.ts'
import type { EmailAttachment, EmailTag } from '@stoa/mail-model/emails.ts'
import type { EmailTable } from '../../tables/emails.ts'
import type { Tables } from '../../tables.ts'
import type { EventRow } from './event-queries.ts'

export type NewEmailRow = Omit<EmailTable, 'headers' | 'tags' | 'attachments'> & {
  headers: Record<string, string>
  tags: readonly EmailTag[]
  attachments: readonly EmailAttachment[]
  html: string | null
  text: string | null
}

/** Mails with their bodies and first events: one statement whatever their number. */
export const insertEmails = async (
  tx: Tx<Tables>,
  rows: readonly NewEmailRow[],
  events: readonly EventRow[],
): Promise<void> => {
  await tx.query({
    name: 'emails-insert',
    text: INSERT,
    values: [
      JSON.stringify(rows.map(({ html: _html, text: _text, ...row }) => row)),
      JSON.stringify(events),
      rows.map(({ account_id: accountId }) => accountId),
      rows.map(({ id }) => id),
      rows.map(({ html }) => html),
      rows.map(({ text }) => text),
      rows.map(({ created_at: at }) => at),
    ],
  })
}

const INSERT = `
  with emails as (
    insert into email (account_id, id, api_key_id, domain_id, message_id, sender, to_list, cc_list, bcc_list,
      reply_to_list, subject, headers, tags, attachments, topic_id, status, last_event, scheduled_at, sent_at, created_at)
    select * from json_to_recordset($1::json) as g (account_id uuid, id uuid, api_key_id uuid, domain_id uuid,
      message_id text, sender text, to_list text[], cc_list text[], bcc_list text[], reply_to_list text[], subject text,
      headers jsonb, tags jsonb, attachments jsonb, topic_id text, status text, last_event text,
      scheduled_at timestamptz, sent_at timestamptz, created_at timestamptz)
  ), events as (
    insert into email_event (account_id, email_id, id, type, recipient, detail, created_at)
    select * from json_to_recordset($2::json) as g (account_id uuid, email_id uuid, id uuid, type text, recipient text,
      detail text, created_at timestamptz)
  )
  insert into email_body (account_id, email_id, html, text, created_at)
  select * from unnest($3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::timestamptz[])`

/** Last before the commit: everybody who sends for the account waits for this row. */
export const addToCount = async (tx: Tx<Tables>, accountId: string, more: number): Promise<void> => {
  await tx.query({
    name: 'emails-count',
    text: `insert into email_count as c (account_id, total) values ($1, $2)
           on conflict (account_id) do update set total = c.total + excluded.total`,
    values: [accountId, more],
  })
}

/** For a scheduled mail; the caller has postponed its queue rows already. */
export const setSchedule = async (
  tx: Tx<Tables>,
  { accountId, id, scheduledAt }: { accountId: string; id: string; scheduledAt: Date | null },
): Promise<void> => {
  await tx.query({
    text: `update email set scheduled_at = $3, status = case when $3::timestamptz is null then 'queued' else 'scheduled' end
           where account_id = $1 and id = $2 and status = 'scheduled'`,
    values: [accountId, id, scheduledAt],
  })
}

export const setCancelled = async (
  tx: Tx<Tables>,
  { accountId, id }: { accountId: string; id: string },
): Promise<void> => {
  await tx.query({
    text: `update email set status = 'cancelled' where account_id = $1 and id = $2 and status = 'scheduled'`,
    values: [accountId, id],
  })
}
