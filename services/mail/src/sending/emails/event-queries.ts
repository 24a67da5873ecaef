import type { Tx } from '@stoa/kit/db/database.ts'
import type { EmailEventType } from '@stoa/mail-model/emails.ts'
import type { EmailTable } from '../../tables/emails.ts'
import type { Tables } from '../../tables.ts'

export type EmailKey = { accountId: string; emailId: string }

/** What events include about their email. */
export type EmailFacts = {
  account_id: string
  id: string
  message_id: string
  sender: string
  to_list: string[]
  subject: string
  headers: Record<string, string>
  tags: { name: string; value: string }[]
  sent_at: Date | null
  created_at: Date
  status: EmailTable['status']
}

/**
 * The mails of these keys that there are, held until the transaction ends. A statement of its own: what is read after it
 * sees all that others wrote before they let go of them.
 */
export const lockEmails = (tx: Tx<Tables>, keys: readonly EmailKey[]): Promise<EmailFacts[]> =>
  tx.query<EmailFacts>({
    name: 'emails-lock',
    text: `select e.account_id, e.id, e.message_id, e.sender, e.to_list, e.subject, e.headers, e.tags, e.sent_at,
                  e.created_at, e.status
           from email e
           join (select distinct account_id, id from unnest($1::uuid[], $2::uuid[]) as g (account_id, id)) wanted
             on wanted.account_id = e.account_id and wanted.id = e.id
           order by e.account_id, e.id for update of e`,
    values: [keys.map(({ accountId }) => accountId), keys.map(({ emailId }) => emailId)],
  })

export type EventRow = {
  account_id: string
  email_id: string
  id: string
  type: EmailEventType
  recipient: string | null
  detail: string | null
  created_at: Date
}

/**
 * Writes events of mails that are locked, and what follows for their states. Gives the ids of those that are new: of
 * some kinds there is one for each recipient.
 */
export const insertEvents = async (tx: Tx<Tables>, rows: readonly EventRow[]): Promise<Set<string>> => {
  const added = await tx.query<{ id: string }>({
    name: 'emails-insert-events',
    text: INSERT_EVENTS,
    values: [JSON.stringify(rows), [...new Set(rows.map((row) => row.email_id))]],
  })
  return new Set(added.map(({ id }) => id))
}

// A mail that is retried counts as delayed, also during an attempt.
const INSERT_EVENTS = `
  with added as (
    insert into email_event (account_id, email_id, id, type, recipient, detail, created_at)
    select account_id, email_id, id, type, recipient, detail, created_at
    from json_to_recordset($1::json) as g (account_id uuid, email_id uuid, id uuid, type text, recipient text,
      detail text, created_at timestamptz)
    order by id
    on conflict do nothing
    returning account_id, email_id, id, type, created_at
  ), news as (
    select account_id, email_id, (array_agg(type order by id desc))[1] as last_event,
      bool_or(type = 'complained') as is_complaint, bool_and(type in ('opened', 'clicked', 'scheduled', 'queued', 'canceled')) as is_aside,
      min(created_at) filter (where type = 'sent') as sent_at
    from added group by account_id, email_id
  ), states as (
    select message_id, bool_or(state = 'bounced') as bounced, bool_or(state = 'failed') as failed,
      bool_or(state = 'deferred' or (state = 'sending' and attempts > 1)) as delayed,
      bool_or(state in ('queued', 'sending')) as under_way, bool_or(state = 'delivered') as delivered,
      bool_or(state = 'suppressed') as suppressed
    from queue_recipient where message_id = any($2) group by message_id
  ), changed as (
    update email e
    set last_event = n.last_event, sent_at = coalesce(e.sent_at, n.sent_at),
      status = case
        when n.is_complaint then 'complained'
        when n.is_aside or e.status in ('complained', 'cancelled') then e.status
        when s.bounced then 'bounced'
        when s.failed then 'failed'
        when s.delayed then 'delayed'
        when s.under_way then 'sending'
        when s.delivered then 'delivered'
        when s.suppressed then 'suppressed'
        else e.status end
    from news n left join states s on s.message_id = n.email_id
    where e.account_id = n.account_id and e.id = n.email_id
  )
  select id from added`

/** How often it is already known that a mail was opened or a link in it followed. */
export const countEvents = async (tx: Tx<Tables>, key: EmailKey, type: EmailEventType): Promise<number> => {
  const [row] = await tx.query<{ count: number }>({
    name: 'emails-count-events',
    text: 'select count(*) as count from email_event where account_id = $1 and email_id = $2 and type = $3',
    values: [key.accountId, key.emailId, type],
  })
  return row?.count ?? 0
}
