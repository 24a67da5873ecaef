import { createQueueTable, type QueueTable } from '@stoa/kit/queue/table.ts'
import type { CmsTx } from '../../context.ts'
import type { Options, Progress } from '../networks/networks.ts'
import { notifyUpdated } from '../posts/posts.ts'

/** A target as its claim brought it. */
export type ClaimedTarget = {
  postId: string
  accountId: string
  network: string
  caption: string
  options: Options
  dueAt: Date
  step: 'prepare' | 'upload' | 'wait' | 'committing' | 'confirm'
  progress: Progress
  attempts: number
  startedAt: Date
  waitingSince: Date | null
  polls: number
  isUnsure: boolean
  remoteId: string | null
  url: string | null
  postedAt: Date | null
  warnings: string[]
  idempotencyKey: string
  isDeleted: boolean
}

const SLOTS_PER_NETWORK = 2

/** How many targets of each network this process is sending. */
export type Busy = ReadonlyMap<string, number>

const plain = createQueueTable<never>({
  table: 'social_target',
  id: 'id',
  key: 'account_id',
  dueAt: 'next_attempt_at',
  fence: 'fence',
  isClaimed: "status = 'publishing'",
  // A process that stops in good order has not tried.
  onRelease: 'attempts = greatest(attempts - 1, 0)',
})

export const { settle } = plain

/**
 * The queue of targets: one of each account at a time, two of each network in this process. One that its worker left
 * comes before the others of its account; pauses hold up all but those that a person sends. One statement, which jumps
 * from account to account and never looks at what is done.
 */
export const targetQueue = (busy: Busy): QueueTable<ClaimedTarget> => ({
  ...plain,
  async claim(tx, { limit, now, leaseUntil }) {
    const cmsTx = tx as unknown as CmsTx
    const rows = await cmsTx.query<ClaimedTarget & { id: string; fence: number }>({
      name: 'claim-social-targets',
      text: CLAIM,
      values: [
        now,
        leaseUntil,
        [...busy.keys()],
        [...busy.values()].map((running) => Math.max(0, SLOTS_PER_NETWORK - running)),
        SLOTS_PER_NETWORK,
        limit,
      ],
    })
    for (const postId of new Set(rows.map((row) => row.postId))) notifyUpdated(cmsTx, postId)
    return rows.map(({ id, fence, ...row }) => ({ id, key: row.network, fence, leaseUntil, row }))
  },
})

const CLAIM = `with recursive waiting as (
    (select account_id as key from social_target where next_attempt_at is not null order by account_id limit 1)
    union all
    select next.key from waiting w cross join lateral (
      select account_id as key from social_target
      where next_attempt_at is not null and account_id > w.key order by account_id limit 1
    ) next
  ),
  candidate as (
    select item.id, item.due, a.network, row_number() over (partition by a.network order by item.due, item.id) as place
    from waiting
    join social_account a on a.id = waiting.key
    left join social_app app on app.network = a.network
    cross join lateral (
      (select t.id, t.next_attempt_at as due from social_target t
        where t.account_id = waiting.key and t.status = 'publishing')
      union all
      (select t.id, t.next_attempt_at from social_target t
        where t.account_id = waiting.key and t.next_attempt_at <= $1 and t.status <> 'publishing'
          and not exists (select from social_target o where o.account_id = waiting.key and o.status = 'publishing')
          and (t.is_urgent or coalesce(greatest(a.paused_until, app.paused_until) <= $1, true))
        order by t.next_attempt_at, t.id limit 1)
    ) item
    where item.due <= $1
  ),
  chosen as (
    select c.id from candidate c
    left join unnest($3::text[], $4::integer[]) as busy (network, slots) on busy.network = c.network
    where c.place <= coalesce(busy.slots, $5) order by c.due, c.id limit $6
  ),
  locked as (
    select t.id, t.status as was, p.deleted_at is not null as is_deleted
    from social_target t join social_post p on p.id = t.post_id
    where t.id = any (array(select id from chosen)) and t.next_attempt_at <= $1
    for update of t, p skip locked
  ),
  claimed as (
    update social_target t set status = 'publishing', next_attempt_at = $2, fence = t.fence + 1,
      step = coalesce(t.step, 'prepare'), started_at = coalesce(t.started_at, $1), is_urgent = false, error = null,
      attempts = t.attempts + case when l.was = 'publishing' and (t.step = 'wait' or t.polls > 0) then 0 else 1 end,
      updated_at = $1
    from locked l where t.id = l.id returning t.*, l.is_deleted
  ),
  post as (
    update social_post set status = 'publishing'
    where id in (select post_id from claimed) and status <> 'publishing'
  ),
  attempt as (
    insert into social_attempt (target_id, n, started_at)
    select c.id, coalesce((select max(a.n) from social_attempt a where a.target_id = c.id), 0) + 1, $1 from claimed c
    where not exists (select from social_attempt a where a.target_id = c.id and a.ended_at is null)
  )
  select id, fence, post_id as "postId", account_id as "accountId", network, caption, options,
    coalesce(due_at, started_at) as "dueAt", step, progress, attempts, started_at as "startedAt",
    waiting_since as "waitingSince", polls, is_unsure as "isUnsure", remote_id as "remoteId", url,
    posted_at as "postedAt", warnings, idempotency_key as "idempotencyKey", is_deleted as "isDeleted"
  from claimed`
