import type { Db } from '@stoa/kit/db/database.ts'
import type { EmailStatus } from '@stoa/mail-model/emails.ts'
import type { Overview } from '@stoa/mail-model/overview.ts'
import type { Ctx } from '../../context.ts'
import { type ActivityRow, activityJson, traceLines } from '../../hosting/trace/trace.ts'
import { sessionOf } from '../../principal.ts'
import type { Tables } from '../../tables.ts'
import { userJson } from '../accounts/accounts.ts'
import { getDomains } from '../domains/domains.ts'
import { getEntitlement } from '../entitlement/entitlement.ts'
import { alertsOf } from './alerts.ts'

const DAYS = 30
const DAY_MS = 86_400_000
const NEWEST_DOMAINS = { page: 1, per_page: 100, sort: 'created_at', direction: 'desc' } as const
const SHOWN_DOMAINS = 5
const NEWEST_ACTIVITY = 10

export const getOverview = async (ctx: Ctx): Promise<Overview> => {
  const { account } = sessionOf(ctx)
  const now = ctx.now()
  const since = new Date(now.getTime() - DAYS * DAY_MS)
  const first = new Date(now.getTime() - (DAYS - 1) * DAY_MS)
  const [entitlement, facts, byStatus, series, { data: newest }, recent] = await Promise.all([
    getEntitlement(ctx),
    findFacts(ctx.db, account.id, now),
    countByStatus(ctx.db, account.id, { since, now }),
    countDays(ctx.db, account.id, { first: dayOf(first), last: dayOf(now) }),
    getDomains(ctx, NEWEST_DOMAINS),
    listRecentActivity(ctx.db, account.id, { since, limit: NEWEST_ACTIVITY }),
  ])
  // Domains that do not work come first: nobody would look for them among many
  const isWell = ({ status }: (typeof newest)[number]): number => Number(status === 'verified')
  const domains = newest.toSorted((a, b) => isWell(a) - isWell(b)).slice(0, SHOWN_DOMAINS)
  const { usage, limits } = entitlement
  const storage = { used_bytes: usage.storage_bytes, limit_bytes: limits.storage_bytes }
  const sending = {
    today: usage.emails_today,
    month: usage.emails_month,
    daily_limit: limits.emails_per_day,
    monthly_limit: limits.emails_per_month,
    by_status: Object.fromEntries(byStatus.map(({ status, count }) => [status, count])),
  }
  const isEmailVerified = account.emailVerifiedAt !== null
  return {
    object: 'overview',
    user: userJson(account),
    entitlement,
    counts: {
      domains: usage.domains,
      domains_verified: facts.domainsVerified,
      addresses: usage.addresses,
      filters: usage.filters,
      transfers_active: usage.transfers_active,
      webhooks: usage.webhooks,
      api_keys: usage.api_keys,
      suppressions: facts.suppressions,
    },
    storage,
    sending,
    series,
    domains,
    recent_activity: recent.map(activityJson),
    alerts: alertsOf({
      storage,
      sending,
      domains,
      suspension: facts.isSuspended ? { reason: facts.suspendedReason } : null,
      isEmailVerified,
      billing: { entitlement, pastDueAt: account.pastDueAt, now },
    }),
    onboarding: [
      { step: 'verify_email', done: isEmailVerified },
      { step: 'add_domain', done: usage.domains > 0 },
      { step: 'verify_domain', done: facts.domainsVerified > 0 },
      { step: 'create_address', done: usage.addresses > 0 },
      { step: 'receive_mail', done: facts.hasMail },
    ],
  }
}

const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10)

type Facts = {
  domainsVerified: number
  suppressions: number
  isSuspended: boolean
  suspendedReason: string | null
  hasMail: boolean
}

const findFacts = async (db: Db<Tables>, accountId: string, now: Date): Promise<Facts> => {
  const [row] = await db.query<Facts>({
    name: 'overview-facts',
    text: `select
        (select count(*) from domain join dns_check on dns_check.domain_id = domain.id
          where domain.account_id = $1 and domain.deleted_at is null and dns_check.status = 'verified') as "domainsVerified",
        (select count(*) from suppression
          where account_id = $1 and (expires_at is null or expires_at > $2)) as suppressions,
        coalesce((select suspended_at is not null from account where id = $1), false) as "isSuspended",
        (select suspended_reason from account where id = $1) as "suspendedReason",
        exists (select from address join mailbox on mailbox.address_id = address.id
          where address.account_id = $1 and address.deleted_at is null and mailbox.message_count > 0) as "hasMail"`,
    values: [accountId, now],
  })
  if (!row) throw new Error('a count returned no row')
  return row
}

/**
 * The results for the recipients of the account's mail since a moment, in the words of the API. Recipients that were
 * suppressed when a program sent them mail never came into the queue; a complaint follows a delivery.
 */
const countByStatus = (
  db: Db<Tables>,
  accountId: string,
  { since, now }: { since: Date; now: Date },
): Promise<{ status: EmailStatus; count: number }[]> =>
  db.query<{ status: EmailStatus; count: number }>({
    name: 'overview-by-status',
    text: `select status, count(*) as count from (
             select case
                 when complaint.id is not null then 'complained'
                 when recipient.state = 'deferred' then 'delayed'
                 when recipient.state = 'queued' and message.not_before > $3 then 'scheduled'
                 else recipient.state
               end as status
             from queue_message message join queue_recipient recipient on recipient.message_id = message.id
             left join email_event complaint on complaint.account_id = message.account_id
               and complaint.email_id = message.id and complaint.type = 'complained'
               and complaint.recipient = recipient.recipient
             where message.account_id = $1 and message.created_at >= $2
             union all
             select 'suppressed' from email_event event
             where event.account_id = $1 and event.type = 'suppressed' and event.created_at >= $2 and not exists (
               select from queue_recipient where message_id = event.email_id and recipient = event.recipient)
           ) counted group by status order by status`,
    values: [accountId, since, now],
  })

type Day = { date: string; received: number; sent: number; rejected: number }

/** The days from one to another with what happened in them; all of them, also the quiet ones. */
const countDays = (
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
             select date_trunc('day', created_at at time zone 'UTC') as on_day,
               sum(count) filter (where type in ('received', 'spam'))::int as received,
               sum(count) filter (where type = 'sent')::int as sent,
               sum(count) filter (where type = 'rejected')::int as rejected
             from ${traceLines("$2::timestamp at time zone 'UTC'")} line
             where type in ('received', 'spam', 'sent', 'rejected')
             group by 1
           ) counted on counted.on_day = day
           order by day`,
    values: [accountId, first, last],
  })

/**
 * The newest lines of all addresses and of mail of programs, without unknown recipients: a sender who guesses names
 * would fill it. Each address gives its newest, which its index finds, and the newest of those stay.
 */
const listRecentActivity = (
  db: Db<Tables>,
  accountId: string,
  { since, limit }: { since: Date; limit: number },
): Promise<ActivityRow[]> =>
  db.query<ActivityRow>({
    name: 'overview-activity',
    text: `(select newest.* from address, lateral (
              select id, type, direction, sender, recipient, subject, message_id, size_bytes, remote_ip, result, created_at
              from activity where address_id = address.id order by id desc limit $2
            ) newest
            where address.account_id = $1 and address.deleted_at is null
            order by newest.created_at desc, newest.id desc limit $2)
           union all
           (select id, type, direction, sender, recipient, subject, message_id, size_bytes, remote_ip, result, created_at
            from ${traceLines('$3')} line where address_id is null and direction = 'out'
            order by created_at desc, id desc limit $2)
           order by created_at desc, id desc limit $2`,
    values: [accountId, limit, since],
  })
