import { hashToken } from '../crypto/tokens.ts'
import type { Db, Tx } from '../db/database.ts'

/** A maximum within a time, for one subject. Processes share the count. */
export type Limit = {
  /** What is counted and for whom: only a hash of it is kept. */
  key: string
  max: number
  windowMs: number
  /**
   * `fixed`: the window begins with the first hit and then is empty at once. `sliding`: the window before counts for the
   * part of it that is still in sight, so that nobody gets twice the limit around its end.
   */
  kind?: 'fixed' | 'sliding'
  /** Default 1; tokens or bytes. */
  amount?: number
}

/** The state of a limit after it was hit or read. */
export type LimitState = {
  key: string
  max: number
  used: number
  remaining: number
  /** When this limit would let the same amount pass, in whole seconds; 0 if it does now. */
  retryAfterSeconds: number
  windowStart: Date
}

export type LimitResult = {
  allowed: boolean
  /** The longest wait of those that refuse; 0 when allowed. */
  retryAfterSeconds: number
  /** The states, in the order of the limits. */
  states: LimitState[]
  /** The argument for `giveBack`. */
  receipt: readonly LimitReceipt[]
}
export type LimitReceipt = { key: string; amount: number; windowStart: Date; windowMs: number }

/**
 * Takes from all of these limits, or from none when one refuses. One statement; a refusal writes and locks nothing.
 * The rows stay locked until the transaction ends, so give it one of its own: contenders then wait for one round trip.
 */
export const takeLimits = async <T>(tx: Tx<T>, limits: readonly Limit[], now: Date): Promise<LimitResult> => {
  const states = await hit(tx, limits, now)
  const receipt = receiptOf(limits, states)
  const isOver = states.some((state) => !state.isCounted || state.used > state.max)
  if (!isOver) return { allowed: true, retryAfterSeconds: 0, states: states.map(toState), receipt }
  // Somebody else was counted between the look and the hit.
  if (receipt.length > 0) await giveBack(tx, receipt)
  const refused = states.map(toState).map((state, index) => {
    const { amount = 1 } = limits[index]!
    return states[index]!.isCounted ? afterGivingBack(state, amount) : state
  })
  const retryAfterSeconds = Math.max(1, ...refused.map((state) => state.retryAfterSeconds))
  return { allowed: false, retryAfterSeconds, states: refused, receipt: [] }
}

/** Reads the limits without hitting them. `retryAfterSeconds` applies to a hit of the given amount. */
export const readLimits = async <T>(db: Db<T>, limits: readonly Limit[], now: Date): Promise<LimitState[]> => {
  const rows = await db.query<StateRow>({
    name: 'limit_read',
    text: `with ${WANTED}, ${STATE} select *, false as is_counted from state order by position`,
    values: valuesOf(limits, now),
  })
  return rows.map((row, index) => toState(counted(row, limits[index]!, now)))
}

/** Undoes a hit that turned out not to count. Without effect once its windows are over. */
export const giveBack = async <T>(tx: Tx<T>, receipt: readonly LimitReceipt[]): Promise<void> => {
  const all = receipt.toSorted((a, b) => Buffer.compare(hashToken(a.key), hashToken(b.key)))
  await tx.query({
    text: `with back as (
             select * from unnest($1::bytea[], $2::bigint[], $3::timestamptz[], $4::bigint[]) as b (key, amount, start, window_ms)
           ),
           held as (select key from limit_counter where key in (select key from back) order by key for update)
           update limit_counter c set
             count = case when c.window_start = b.start then greatest(c.count - b.amount, 0) else c.count end,
             previous = case when c.window_start = b.start + b.window_ms * interval '1 millisecond'
               then greatest(c.previous - b.amount, 0) else c.previous end
           from back b, held where b.key = c.key and held.key = c.key`,
    values: [
      all.map(({ key }) => hashToken(key)),
      all.map(({ amount }) => amount),
      all.map(({ windowStart }) => windowStart),
      all.map(({ windowMs }) => windowMs),
    ],
  })
}

/** Deletes rows that count for nothing any more, a batch at a time. */
export const pruneLimits = async <T>(tx: Tx<T>, now: Date, batch = PRUNE_BATCH): Promise<{ hasMore: boolean }> => {
  const rows = await tx.query({
    text: `delete from limit_counter where key = any (array(
             select key from limit_counter where ends_at <= $1 order by ends_at limit $2 for update skip locked
           )) returning 1`,
    values: [now, batch],
  })
  return { hasMore: rows.length >= batch }
}

const PRUNE_BATCH = 1_000

type StateRow = { window_start: Date; count: number; previous: number; is_counted: boolean }
type Counted = { limit: Limit; used: number; max: number; windowStart: Date; isCounted: boolean; wait: number }

const valuesOf = (limits: readonly Limit[], now: Date): unknown[] => [
  limits.map(({ key }) => hashToken(key)),
  limits.map(({ max }) => max),
  limits.map(({ windowMs }) => windowMs),
  limits.map(({ amount = 1 }) => amount),
  limits.map(({ kind = 'fixed' }) => kind === 'sliding'),
  now,
]

const hit = async <T>(tx: Tx<T>, limits: readonly Limit[], now: Date): Promise<Counted[]> => {
  const rows = await tx.query<StateRow>({ name: 'limit_hit', text: HIT, values: valuesOf(limits, now) })
  return rows.map((row, index) => counted(row, limits[index]!, now))
}

const WANTED = `wanted as (
  select * from unnest($1::bytea[], $2::bigint[], $3::bigint[], $4::bigint[], $5::boolean[])
    with ordinality as w (key, max, window_ms, amount, is_sliding, position)
)`

/** A window that is over makes way for the next one. A clock that lags a little belongs to the present window. */
const rolled = (held: string, wanted: string): string => `
  select
    case when k = 0 then ${held}.window_start
      when k = 1 and ${wanted}.is_sliding then ${held}.window_start + ${wanted}.window_ms * interval '1 millisecond'
      else $6::timestamptz end as window_start,
    case when k = 0 then ${held}.count else 0 end as count,
    case when k = 0 then ${held}.previous when k = 1 and ${wanted}.is_sliding then ${held}.count else 0 end as previous
  from (select case
    when ${held}.window_start is null then 2
    when $6::timestamptz < ${held}.window_start - ${wanted}.window_ms * interval '1 millisecond' then 2
    else least(2, greatest(0, floor(extract(epoch from $6::timestamptz - ${held}.window_start) * 1000 / ${wanted}.window_ms)))
    end as k) windows`

const STATE = `state as (
  select w.*, r.window_start, r.count, r.previous,
    r.count + case when w.is_sliding then
      r.previous * (1 - extract(epoch from $6::timestamptz - r.window_start) * 1000 / w.window_ms) else 0 end as used
  from wanted w left join limit_counter held on held.key = w.key
  cross join lateral (${rolled('held', 'w')}) r
)`

// In the order of the keys, so that two hits never wait for each other in a circle.
const HIT = `with ${WANTED}, ${STATE},
  hit as (
    insert into limit_counter as held (key, window_start, window_ms, is_sliding, count, previous, ends_at)
    select key, $6, window_ms, is_sliding, amount, 0, $6::timestamptz + 2 * window_ms * interval '1 millisecond'
    from state where (select bool_and(used + amount <= max) from state)
    order by key
    on conflict (key) do update set
      (window_start, count, previous, window_ms, is_sliding, ends_at) = (
        select r.window_start, r.count + excluded.count, r.previous, excluded.window_ms, excluded.is_sliding,
          r.window_start + 2 * excluded.window_ms * interval '1 millisecond'
        from (${rolled('held', 'excluded')}) r
      )
    returning key, window_start, count, previous
  )
  select coalesce(hit.window_start, state.window_start) as window_start, coalesce(hit.count, state.count) as count,
    coalesce(hit.previous, state.previous) as previous, hit.key is not null as is_counted
  from state left join hit on hit.key = state.key order by state.position`

const counted = (row: StateRow, limit: Limit, now: Date): Counted => {
  const { max, windowMs, kind = 'fixed', amount = 1 } = limit
  const elapsed = Math.max(0, now.getTime() - row.window_start.getTime())
  const isSliding = kind === 'sliding'
  const before = isSliding ? row.previous * Math.max(0, 1 - elapsed / windowMs) : 0
  const asked = row.is_counted ? 0 : amount
  const wait = waitMs({ count: row.count, previous: row.previous, elapsed, windowMs, isSliding, room: max - asked })
  return { limit, used: row.count + before, max, windowStart: row.window_start, isCounted: row.is_counted, wait }
}

/** Until no more than `room` is in sight. */
const waitMs = (at: {
  count: number
  previous: number
  elapsed: number
  windowMs: number
  isSliding: boolean
  room: number
}): number => {
  const { count, previous, elapsed, windowMs, isSliding, room } = at
  const isFull = count > room
  if (!isSliding) return isFull ? windowMs - elapsed : 0
  // The share of the older window that may still be in sight.
  const share = (held: number, rest: number) => (held === 0 ? 1 : Math.min(1, Math.max(0, rest) / held))
  if (isFull) return windowMs - elapsed + windowMs * (1 - share(count, room))
  return Math.max(0, windowMs * (1 - share(previous, room - count)) - elapsed)
}

const toState = ({ limit, used, max, windowStart, wait }: Counted): LimitState => ({
  key: limit.key,
  max,
  used: Math.ceil(used),
  remaining: Math.max(0, Math.floor(max - used)),
  retryAfterSeconds: Math.ceil(wait / 1_000),
  windowStart,
})

const afterGivingBack = (state: LimitState, amount: number): LimitState => ({
  ...state,
  used: Math.max(0, state.used - amount),
  remaining: Math.max(0, Math.min(state.max, state.max - state.used + amount)),
})

const receiptOf = (limits: readonly Limit[], states: readonly Counted[]): LimitReceipt[] =>
  limits.flatMap(({ key, amount = 1, windowMs }, index) => {
    const { isCounted, windowStart } = states[index]!
    return isCounted ? [{ key, amount, windowStart, windowMs }] : []
  })
