import type { Db } from '@stoa/kit/db/database.ts'
import type { ActivityRow } from '../addresses/panel.ts'
import type { Tables } from '../tables.ts'

export type Facts = {
  domainsVerified: number
  suppressions: number
  isSuspended: boolean
  hasMail: boolean
}

export const findFacts = async (db: Db<Tables>, accountId: string, now: Date): Promise<Facts> => {
  const [row] = await db.query<Facts>({
    name: 'overview-facts',
    text: `select
        (select count(*) from domain join dns_check on dns_check.domain_id = domain.id
          where domain.account_id = $1 and domain.deleted_at is null and dns_check.status = 'verified') as "domainsVerified",
        (select count(*) from suppression
          where account_id = $1 and (expires_at is null or expires_at > $2)) as suppressions,
        coalesce((select suspended_at is not null from account where id = $1), false) as "isSuspended",
        exists (select from address join mailbox on mailbox.address_id = address.id
          where address.account_id = $1 and address.deleted_at is null and mailbox.message_count > 0) as "hasMail"`,
    values: [accountId, now],
  })
  if (!row) throw new Error('a count returned no row')
  return row
}

/** What became of the recipients of the account's mail since a moment. */
export const countByStatus = (
  db: Db<Tables>,
  accountId: string,
  since: Date,
): Promise<{ state: string; count: number }[]> =>
  db.query<{ state: string; count: number }>({
    name: 'overview-by-status',
    text: `select state, count(*) as count
           from queue_message join queue_recipient on queue_recipient.message_id = queue_message.id
           where queue_message.account_id = $1 and queue_message.created_at >= $2
           group by state order by state`,
    values: [accountId, since],
  })

export type Day = { date: string; received: number; sent: number; rejected: number }

/** The days from one to another with what happened in them; all of them, also the quiet ones. */
export const countDays = (
  db: Db<Tables>,
  accountId: string,
  { first, last }: { first: string; last: string },
): Promise<Day[]> =>
  db.query<Day>({
    name: 'overview-days',
    text: `select to_char(day, 'YYYY-MM-DD') as date, coalesce(received, 0) as received, coalesce(sent, 0) as sent,
             coalesce(rejected, 0) as rejected
           from generate_series($2::timestamp, $3::timestamp, interval '1 day') day
           left join (
             select date_trunc('day', activity.created_at at time zone 'UTC') as on_day,
               count(*) filter (where type in ('received', 'spam')) as received,
               count(*) filter (where type = 'sent') as sent,
               count(*) filter (where type = 'rejected') as rejected
             from address join activity on activity.address_id = address.id
             where address.account_id = $1 and address.deleted_at is null
               and activity.created_at >= $2::timestamp at time zone 'UTC'
               and type in ('received', 'spam', 'sent', 'rejected')
             group by 1
           ) counted on counted.on_day = day
           order by day`,
    values: [accountId, first, last],
  })

/** The newest lines of all addresses. Each address gives its newest, which its index finds, and the newest of those stay. */
export const listRecentActivity = (db: Db<Tables>, accountId: string, limit: number): Promise<ActivityRow[]> =>
  db.query<ActivityRow>({
    name: 'overview-activity',
    text: `select newest.* from address, lateral (
             select id, type, direction, sender, recipient, subject, message_id, size_bytes, remote_ip, result, created_at
             from activity where address_id = address.id order by id desc limit $2
           ) newest
           where address.account_id = $1 and address.deleted_at is null
           order by newest.created_at desc, newest.id desc limit $2`,
    values: [accountId, limit],
  })
