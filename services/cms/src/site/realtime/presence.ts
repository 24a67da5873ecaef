import { PRESENCE_SECONDS, type PresentPerson } from '@stoa/cms-model/realtime.ts'
import type { CmsTx, Services } from '../../context.ts'
import type { Emission } from './audience.ts'
import { type EntryRef, listEntryRefs } from './queries.ts'
import {
  type Attendance,
  deleteExpiredSeats,
  deleteSeats,
  extendSeats,
  insertSeats,
  listAttendance,
  listExpiredEntries,
  lockAttendance,
  type Seat,
} from './queries-presence.ts'

/** The topic of the changes by which the processes tell each other who comes and goes. */
export const PRESENCE = 'presence'

/** Who has which entry open, in all processes together. Several sockets of one person count once. */
export type Presence = {
  /** Takes a seat; gives back everyone who is there. */
  join(seat: Seat): Promise<PresentPerson[]>
  leave(seats: readonly Seat[]): Promise<void>
  /** Sockets that gave a sign of life, and how many seconds ago. */
  extend(signs: readonly { connectionId: string; secondsAgo: number }[]): Promise<void>
  /** Takes away those who gave none for too long: their process may be gone. */
  expire(): Promise<void>
  /** Everyone at these entries, as events that take the place of all before. */
  states(entryIds: readonly string[]): Promise<Emission[]>
}

type Batch = { joins: Seat[]; leaves: Seat[] }

export const createPresence = ({ database, clock }: Pick<Services, 'database' | 'clock'>): Presence => {
  let next: { batch: Batch; done: Promise<Attendance[]> } | undefined
  let last: Promise<unknown> = Promise.resolve()

  const settle = ({ joins, leaves }: Batch): Promise<Attendance[]> =>
    database.tx(async (tx) => {
      const entryIds = [...new Set([...joins, ...leaves].map(({ entryId }) => entryId))]
      const now = clock.now()
      await lockAttendance(tx, entryIds)
      const before = await listAttendance(tx, { entryIds, now })
      if (joins.length > 0) await insertSeats(tx, joins, { now, expiresAt: later(now, PRESENCE_SECONDS) })
      if (leaves.length > 0) await deleteSeats(tx, leaves)
      const after = await listAttendance(tx, { entryIds, now })
      await tellDifference(tx, entryIds, before, after)
      return after
    })

  /** What comes while a batch is settled goes into the next one: a thousand sockets that close at once are one write. */
  const add = (change: Partial<Batch>): Promise<Attendance[]> => {
    if (!next) {
      const batch: Batch = { joins: [], leaves: [] }
      const done = last.then(() => {
        next = undefined
        return settle(batch)
      })
      last = done.catch(() => undefined)
      next = { batch, done }
    }
    next.batch.joins.push(...(change.joins ?? []))
    next.batch.leaves.push(...(change.leaves ?? []))
    return next.done
  }

  return {
    async join(seat) {
      const there = await add({ joins: [seat] })
      return there.filter(({ entryId }) => entryId === seat.entryId).map(toPerson)
    },
    async leave(seats) {
      if (seats.length > 0) await add({ leaves: [...seats] })
    },
    async extend(signs) {
      const now = clock.now()
      const alive = signs.filter(({ secondsAgo }) => secondsAgo < PRESENCE_SECONDS)
      if (alive.length === 0) return
      await database.tx((tx) =>
        extendSeats(
          tx,
          alive.map(({ connectionId, secondsAgo }) => ({
            connectionId,
            expiresAt: later(now, PRESENCE_SECONDS - secondsAgo),
          })),
        ),
      )
    },
    async expire() {
      const now = clock.now()
      const entryIds = await listExpiredEntries(database.db, now)
      if (entryIds.length === 0) return
      await database.tx(async (tx) => {
        await lockAttendance(tx, entryIds)
        const gone = await deleteExpiredSeats(tx, { entryIds, now })
        const after = await listAttendance(tx, { entryIds, now })
        await tellDifference(tx, entryIds, [...after, ...gone], after)
      })
    },
    async states(entryIds) {
      if (entryIds.length === 0) return []
      const there = await listAttendance(database.db, { entryIds, now: clock.now() })
      const refs = await refsOf(database.db, entryIds)
      return entryIds.map((id) => ({
        topic: `entry:${id}`,
        event: 'presence.state',
        data: { ...refs(id), users: there.filter(({ entryId }) => entryId === id).map(toPerson) },
        isPublic: false,
      }))
    },
  }
}

/** The event of a change that another process, or this one, has told. */
export const presenceEmission = (event: string, data: Record<string, unknown>): Emission => {
  const text = (name: string) => (typeof data[name] === 'string' ? data[name] : '')
  const user: PresentPerson = { id: text('userId'), name: text('name'), avatarUrl: null, since: text('since') }
  return {
    topic: `entry:${text('id')}`,
    event,
    data: { id: text('id'), slug: text('slug') || null, type: text('type') || null, users: [user] },
    isPublic: false,
    exceptAccount: user.id,
  }
}

const tellDifference = async (
  tx: CmsTx,
  entryIds: readonly string[],
  before: readonly Attendance[],
  after: readonly Attendance[],
): Promise<void> => {
  const joined = without(after, before)
  const left = without(before, after)
  if (joined.length === 0 && left.length === 0) return
  const refs = await refsOf(tx, entryIds)
  const broadcast = (event: string, { entryId, accountId, name, since }: Attendance) => ({
    topic: PRESENCE,
    event,
    data: { ...refs(entryId), userId: accountId, name, since: since.toISOString(), isPublic: false },
  })
  tx.changes.push(
    ...left.map((person) => broadcast('presence.left', person)),
    ...joined.map((person) => broadcast('presence.joined', person)),
  )
}

const without = (some: readonly Attendance[], others: readonly Attendance[]): Attendance[] => {
  const keyOf = ({ entryId, accountId }: Attendance) => `${entryId} ${accountId}`
  const known = new Set(others.map(keyOf))
  return some.filter((one) => !known.has(keyOf(one)))
}

const refsOf = async (db: Services['database']['db'], entryIds: readonly string[]) => {
  const refs = new Map<string, EntryRef>((await listEntryRefs(db, entryIds)).map((ref) => [ref.id, ref]))
  return (id: string) => ({ id, slug: refs.get(id)?.slug ?? null, type: refs.get(id)?.type ?? null })
}

const toPerson = ({ accountId, name, since }: Attendance): PresentPerson => ({
  id: accountId,
  name,
  avatarUrl: null,
  since: since.toISOString(),
})

const later = (from: Date, seconds: number): Date => new Date(from.getTime() + seconds * 1000)
