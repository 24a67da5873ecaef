import type { Db, Tx } from '@stoa/kit/db/database.ts'
import { traceLines } from '../../hosting/trace/trace.ts'
import type { Tables } from '../../tables.ts'

/**
 * Nothing hangs on the account any more: its addresses are purged, what it sent has arrived or come back, and the
 * payment provider charges it nothing.
 */
const IS_PURGED = `a.deleted_at is not null
  and not exists (select from domain d where d.account_id = a.id)
  and not exists (select from address d where d.account_id = a.id)
  and not exists (select from billing_customer c where c.account_id = a.id)
  and not exists (
    select from queue_message m join queue_recipient r on r.message_id = m.id
    where m.account_id = a.id and r.finished_at is null)`

/** Deleted accounts that can be removed, in the order of their ids. */
export const listPurgedAccounts = async (db: Db<Tables>, after: string | null, limit: number): Promise<string[]> => {
  const rows = await db.query<{ id: string }>({
    text: `select a.id from account a where ${IS_PURGED} and ($1::uuid is null or a.id > $1) order by a.id limit $2`,
    values: [after, limit],
  })
  return rows.map(({ id }) => id)
}

/** Removes some of the mail that has left, with what keeps its bytes; gives how much. */
export const deleteSomeSent = async (tx: Tx<Tables>, accountId: string, limit: number): Promise<number> => {
  const rows = await tx.query({
    text: `with gone as (
             delete from queue_message where ctid = any (array(
               select m.ctid from queue_message m
               where m.account_id = $1 and not exists (
                 select from queue_recipient r where r.message_id = m.id and r.finished_at is null)
               limit $2)) returning id
           ), unlinked as (
             delete from blob_link l using gone where l.ref_id = gone.id and l.kind = 'queue'
           )
           select 1 from gone`,
    values: [accountId, limit],
  })
  return rows.length
}

/** With the little that is left of it. Mail that was sent meanwhile is removed the next time, and then the account. */
export const deletePurgedAccount = async (tx: Tx<Tables>, id: string): Promise<void> => {
  await tx.query({
    text: `with old as (
             select a.id from account a where a.id = $1 and ${IS_PURGED}
               and not exists (select from queue_message m where m.account_id = a.id)
             for update skip locked
           )
           delete from account a using old where a.id = old.id`,
    values: [id],
  })
}

export type FullSubject = { subjectId: string; accountId: string; email: string | null; percent: number }

type Levels = {
  levels: readonly number[]
  plans: readonly { name: string; storageBytes: number }[]
  after: string | null
  limit: number
}

/** How much account `c` may store, as `l.bytes`: its own limit, else its plan's; null is no limit. */
const storageLimit = (names: string, bytes: string): string =>
  `left join unnest(${names}::text[], ${bytes}::bigint[]) as p (name, bytes) on p.name = c.plan
             cross join lateral (select coalesce((c.limits ->> 'storage_bytes')::bigint, p.bytes) as bytes) l`

/** Mailboxes, and whole accounts (without an e-mail), that have reached a level since their owner was last notified. */
export const listNewlyFull = (db: Db<Tables>, { levels, plans, after, limit }: Levels): Promise<FullSubject[]> =>
  db.query<FullSubject>({
    text: `with filled as (
             select a.id, a.account_id, a.email, 100.0 * m.used_bytes / a.quota_bytes as percent
             from address a join mailbox m on m.address_id = a.id
             where a.deleted_at is null and a.quota_bytes > 0
             union all
             select c.id, c.id, null, 100.0 * sum(m.used_bytes) / l.bytes
             from account c
             ${storageLimit('$2', '$3')}
             join address a on a.account_id = c.id and a.deleted_at is null
             join mailbox m on m.address_id = a.id
             where c.deleted_at is null and l.bytes > 0
             group by c.id, l.bytes
           ), reached as (
             select f.id, f.account_id, f.email, max(l.level) as level
             from filled f join unnest($1::int[]) as l (level) on f.percent >= l.level
             group by f.id, f.account_id, f.email
           )
           select r.id as "subjectId", r.account_id as "accountId", r.email, r.level as percent
           from reached r left join quota_warning w on w.subject_id = r.id
           where r.level > coalesce(w.percent, 0) and ($4::uuid is null or r.id > $4)
           order by r.id limit $5`,
    values: [levels, plans.map(({ name }) => name), plans.map(({ storageBytes }) => storageBytes), after, limit],
  })

/** False when another process has sent it already. */
export const putQuotaWarning = async (tx: Tx<Tables>, subject: FullSubject, now: Date): Promise<boolean> => {
  const rows = await tx.query<{ isNew: boolean }>({
    text: `insert into quota_warning as old (subject_id, account_id, percent, warned_at) values ($1, $2, $3, $4)
           on conflict (subject_id) do update set percent = excluded.percent, warned_at = excluded.warned_at
           where old.percent < excluded.percent
           returning true as "isNew"`,
    values: [subject.subjectId, subject.accountId, subject.percent, now],
  })
  return rows.length > 0
}

/** Forgets warnings of what has room again, so that the next time is announced too. */
export const deleteOldQuotaWarnings = async (
  tx: Tx<Tables>,
  { below, plans, limit }: { below: number; plans: Levels['plans']; limit: number },
): Promise<number> => {
  const gone = await tx.query({
    text: `delete from quota_warning where ctid = any (array(select w.ctid from quota_warning w
           where not exists (
             select from address a join mailbox m on m.address_id = a.id
             where a.id = w.subject_id and a.deleted_at is null and a.quota_bytes > 0
               and 100.0 * m.used_bytes / a.quota_bytes >= $1)
           and not exists (
             select from account c
             ${storageLimit('$2', '$3')}
             join address a on a.account_id = c.id and a.deleted_at is null
             join mailbox m on m.address_id = a.id
             where c.id = w.subject_id and l.bytes > 0
             group by l.bytes having 100.0 * sum(m.used_bytes) / l.bytes >= $1)
           limit $4)) returning 1`,
    values: [below, plans.map(({ name }) => name), plans.map(({ storageBytes }) => storageBytes), limit],
  })
  return gone.length
}

/** In the order of their ids. */
export const listSummaryReaders = async (
  db: Db<Tables>,
  { before, after, limit }: { before: Date; after: string | null; limit: number },
): Promise<string[]> => {
  const rows = await db.query<{ id: string }>({
    text: `select id from account
           where deleted_at is null and notifications ->> 'weekly_summary' = 'true'
             and (weekly_summary_at is null or weekly_summary_at < $1)
             and ($2::uuid is null or id > $2)
           order by id limit $3`,
    values: [before, after, limit],
  })
  return rows.map(({ id }) => id)
}

/** False when another process has done it already. */
export const takeSummary = async (tx: Tx<Tables>, accountId: string, times: { now: Date; before: Date }) => {
  const rows = await tx.query<{ taken: boolean }>({
    text: `update account set weekly_summary_at = $2
           where id = $1 and (weekly_summary_at is null or weekly_summary_at < $3)
           returning true as taken`,
    values: [accountId, times.now, times.before],
  })
  return rows.length > 0
}

export type Week = { received: number; sent: number; rejected: number; spam: number }

export const countWeek = async (db: Db<Tables>, accountId: string, since: Date): Promise<Week> => {
  const [row] = await db.query<Week>({
    text: `select coalesce(sum(count) filter (where type = 'received'), 0)::int as received,
                  coalesce(sum(count) filter (where type = 'sent'), 0)::int as sent,
                  coalesce(sum(count) filter (where type = 'rejected'), 0)::int as rejected,
                  coalesce(sum(count) filter (where type = 'spam'), 0)::int as spam
           from ${traceLines('$2')} line`,
    values: [accountId, since],
  })
  return row ?? { received: 0, sent: 0, rejected: 0, spam: 0 }
}
