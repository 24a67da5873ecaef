import { createHash } from 'node:crypto'
import type { QueryResultRow } from 'pg'
import type { Db, Tx } from '../db/database.ts'
import type { Room } from './lanes.ts'

/**
 * How a table is a queue. Every name and condition is SQL of the program, never of a user. The table needs an index on
 * `(key, dueAt, id) where dueAt is not null`, or `(key, id)` with that condition when it is in order.
 */
export type QueueColumns = {
  table: string
  /** Text, unique. Later work has a higher id, so that equal times keep their order. */
  id: string
  /** Text. Work of one key shares its slots: a target, an account, a record. */
  key: string
  /** Waiting: when it is due. Claimed: when its worker is taken for dead and it is due again. Done: null. */
  dueAt: string
  /** Integer. Counts claims, and is the fencing token: a result counts only while its claim is the latest. */
  fence: string
  /** Further assignments of a claim; `$1` is the time. */
  onClaim?: string
  /** Further assignments when a claim is given back. */
  onRelease?: string
  /** The condition that holds while a row is claimed, if the table has one. */
  isClaimed?: string
  /** Whether `waiting.key` is known to fail: such keys have a lane of their own. */
  isFailing?: string
  /** Whether `waiting.key` may be worked for now. One that is paused must be woken again, or wait for the next poll. */
  isOpen?: string
  /** The only keys that this process may work for now. All if absent. */
  keys?: () => readonly string[]
  /** One after the other in the order of their ids: what waits to be tried again holds up the rest of its key. */
  isInOrder?: boolean
  /** What a claim brings with it: a select list over `item`, and tables joined to that. */
  columns?: string
  join?: string
}

/** Work that this process may do until its lease ends. */
export type Claim<R> = { id: string; key: string; fence: number; leaseUntil: Date; row: R }
export type ClaimKey = Pick<Claim<unknown>, 'id' | 'fence'>

export type QueueTable<R> = {
  /**
   * Takes what is due, first one of each key, then a second of each and so on. Rows that another process is taking are
   * passed over; one whose worker died is taken again when its lease is over. A long queue of one key costs no more
   * than a short one.
   */
  claim<T>(tx: Tx<T>, room: Room & { now: Date; leaseUntil: Date }): Promise<Claim<R>[]>
  /** Ends a claim: null when the work is done, otherwise when it is due again. False when a later claim took its place. */
  settle<T>(tx: Tx<T>, claim: ClaimKey, result: { dueAt: Date | null; set?: Record<string, unknown> }): Promise<boolean>
  /** Gives a claim back undone. */
  release<T>(tx: Tx<T>, claim: ClaimKey, now: Date): Promise<boolean>
  /** Makes a lease longer. False when a later claim took its place. */
  extend<T>(tx: Tx<T>, claim: ClaimKey, leaseUntil: Date): Promise<boolean>
  /** The time at which the next row becomes due. */
  nextDueAt<T>(db: Db<T>, now: Date): Promise<Date | null>
}

export const createQueueTable = <R extends QueryResultRow>(columns: QueueColumns): QueueTable<R> => {
  const { table, dueAt, onRelease, join = '', keys: ownKeys } = columns
  const claimText = `${claimingCte(columns)}
    select item.${columns.id} as queue_id, item.${columns.key} as queue_key, item.${columns.fence} as queue_fence
      ${columns.columns ? `, ${columns.columns}` : ''}
    from claimed item ${join}`
  const nextText = `with recursive ${waitingCte(columns)} select min(due) filter (where due > $1) as due from waiting`
  const [claimName, nextName] = [claimText, nextText].map(statementName)
  const mine = [`${columns.id} = $1`, `${columns.fence} = $2`, `${dueAt} is not null`]
  if (columns.isClaimed) mine.push(columns.isClaimed)
  const update = async <T>(tx: Tx<T>, claim: ClaimKey, assignments: string, values: unknown[]): Promise<boolean> => {
    const rows = await tx.query({
      text: `update ${table} set ${assignments} where ${mine.join(' and ')} returning 1`,
      values: [claim.id, claim.fence, ...values],
    })
    return rows.length > 0
  }

  return {
    async claim(tx, { lane, limit, perKey, slotsLeft, now, leaseUntil }) {
      const keys = [...slotsLeft.keys()]
      const slots = [...slotsLeft.values()]
      const rows = await tx.query<R & QueueRow>({
        name: claimName,
        text: claimText,
        values: [now, leaseUntil, lane === 'failing', perKey, keys, slots, limit, ...(ownKeys ? [ownKeys()] : [])],
      })
      return rows.map((row) => {
        const { queue_id: id, queue_key: key, queue_fence: fence } = row
        return { id, key, fence, leaseUntil, row }
      })
    },
    settle(tx, claim, { dueAt: next, set = {} }) {
      const assignments = [`${dueAt} = $3`, ...Object.keys(set).map((name, index) => `${name} = $${index + 4}`)]
      return update(tx, claim, assignments.join(', '), [next, ...Object.values(set)])
    },
    release: (tx, claim, now) => update(tx, claim, `${dueAt} = $3${onRelease ? `, ${onRelease}` : ''}`, [now]),
    extend: (tx, claim, leaseUntil) => update(tx, claim, `${dueAt} = $3`, [leaseUntil]),
    async nextDueAt(db, now) {
      const [row] = await db.query<{ due: Date | null }>({
        name: nextName,
        text: nextText,
        values: [now],
      })
      return row?.due ?? null
    },
  }
}

/** One table may be more than one queue, and a name stands for one statement only. */
const statementName = (text: string): string => `queue_${createHash('sha256').update(text).digest('hex').slice(0, 16)}`

type QueueRow = { queue_id: string; queue_key: string; queue_fence: number }

/** Jumps from key to key through the index of unfinished rows. */
const waitingCte = ({ table, id, key, dueAt, isInOrder }: QueueColumns): string => {
  const first = isInOrder ? `${key}, ${id}` : `${key}, ${dueAt}`
  return `waiting as (
    (select ${key} as key, ${dueAt} as due from ${table} where ${dueAt} is not null order by ${first} limit 1)
    union all
    select next.key, next.due from waiting w
    cross join lateral (
      select ${key} as key, ${dueAt} as due from ${table}
      where ${dueAt} is not null and ${key} > w.key order by ${first} limit 1
    ) next
  )`
}

const claimingCte = (columns: QueueColumns): string => {
  const { table, id, key, dueAt, fence, onClaim, isFailing = 'false', isOpen = 'true', isInOrder } = columns
  const isOwn = columns.keys ? 'waiting.key = any($8::text[])' : 'true'
  const order = isInOrder ? id : `${dueAt}, ${id}`
  const isDue = isInOrder ? `${dueAt} is not null` : `${dueAt} <= $1`
  return `with recursive ${waitingCte(columns)},
  candidate as (
    select item.id from waiting
    left join unnest($5::text[], $6::integer[]) as busy (key, slots) on busy.key = waiting.key
    cross join lateral (
      select ${id} as id, ${dueAt} as due, row_number() over (order by ${order}) as place from ${table}
      where ${key} = waiting.key and ${isDue} order by ${order} limit ${isInOrder ? '1' : 'least(busy.slots, $4)'}
    ) item
    where waiting.due <= $1 and (${isFailing}) = $3 and (${isOpen}) and ${isOwn} and coalesce(busy.slots, $4) > 0
    order by item.place, item.due limit $7
  ),
  locked as (
    select ${id} as id from ${table} where ${id} = any (array(select id from candidate)) and ${dueAt} <= $1
    for update skip locked
  ),
  claimed as (
    update ${table} set ${dueAt} = $2, ${fence} = ${fence} + 1${onClaim ? `, ${onClaim}` : ''}
    from locked where ${table}.${id} = locked.id returning ${table}.*
  )`
}
