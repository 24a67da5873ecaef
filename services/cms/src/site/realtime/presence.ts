import { PRESENCE_SECONDS, type PresenceFieldInput, type PresentPerson } from '@stoa/cms-model/realtime.ts'
import { togetherOrEach } from '@stoa/kit/db/batches.ts'
import { avatarUrl } from '../../avatar.ts'
import type { Config } from '../../config.ts'
import { requireType } from '../../content/types/types.ts'
import type { CmsTx, Ctx, Services } from '../../context.ts'
import { fail, failFields } from '../../errors.ts'
import { sessionOf } from '../../principal.ts'
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
  updateField,
} from './queries-presence.ts'

/** The topic of the changes by which the processes notify each other of joins and leaves. */
export const PRESENCE = 'presence'
/** The change that notifies that somebody moved to another field: the state is then read again. */
export const FIELD_CHANGED = 'presence.field'

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

export const createPresence = ({
  database,
  clock,
  config,
  log,
}: Pick<Services, 'database' | 'clock' | 'config' | 'log'>): Presence => {
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
      await publishDifference(config, tx, { entryIds, before, after })
      return after
    })

  /** Changes that come while a batch is written go into the next: a thousand sockets that close at once are one write. */
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
      return there.filter(({ entryId }) => entryId === seat.entryId).map((person) => toPerson(config, person))
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
      const expired = await listExpiredEntries(database.db, now)
      if (expired.length === 0) return
      const work = (entryIds: readonly string[]): Promise<number> =>
        database.tx(async (tx) => {
          await lockAttendance(tx, entryIds)
          const gone = await deleteExpiredSeats(tx, { entryIds, now })
          const after = await listAttendance(tx, { entryIds, now })
          await publishDifference(config, tx, { entryIds, before: [...after, ...gone], after })
          return gone.length
        })
      await togetherOrEach(expired, work, (err, entryId) =>
        log.error({ err, entryId }, 'expired presence at an entry could not be removed'),
      )
    },
    async states(entryIds) {
      if (entryIds.length === 0) return []
      const there = await listAttendance(database.db, { entryIds, now: clock.now() })
      const refs = await refsOf(database.db, entryIds)
      return entryIds.map((id) => ({
        topic: `entry:${id}`,
        event: 'presence.state',
        data: {
          ...refs(id),
          users: there.filter(({ entryId }) => entryId === id).map((person) => toPerson(config, person)),
        },
        isPublic: false,
      }))
    },
  }
}

/** Entries have these besides the fields of their type. */
const ENTRY_MEMBERS: readonly string[] = ['title', 'slug']

/** Sends everyone at the entry which of its fields this page is editing. */
export const setPresenceField = async (
  ctx: Ctx,
  entryId: string,
  { connectionId, field }: PresenceFieldInput,
): Promise<void> => {
  const [entry] = await listEntryRefs(ctx.db, [entryId])
  const { fields } = await requireType(ctx.db, (entry ?? fail('NOT_FOUND')).type)
  if (field !== null && !ENTRY_MEMBERS.includes(field) && !fields.some(({ key }) => key === field))
    failFields([{ key: 'field', message: 'is not a field of the type' }])
  const seat = { entryId, connectionId, accountId: sessionOf(ctx).account.id }
  await ctx.tx(async (tx) => {
    const now = ctx.now()
    const entryIds = [entryId]
    await lockAttendance(tx, entryIds)
    const before = await listAttendance(tx, { entryIds, now })
    if (!(await updateField(tx, seat, { field, now })))
      failFields([{ key: 'connectionId', message: 'must be one of your sockets, with the entry open' }])
    await publishDifference(ctx.config, tx, { entryIds, before, after: await listAttendance(tx, { entryIds, now }) })
  })
}

/** The event of a change that this or another process has published. */
export const presenceEmission = (event: string, data: Record<string, unknown>): Emission => {
  const text = (name: string) => (typeof data[name] === 'string' ? data[name] : '')
  const user: PresentPerson = {
    id: text('userId'),
    name: text('name'),
    avatarUrl: text('avatarUrl') || null,
    since: text('since'),
    field: text('field') || null,
  }
  return {
    topic: `entry:${text('id')}`,
    event,
    data: { id: text('id'), slug: text('slug') || null, type: text('type') || null, users: [user] },
    isPublic: false,
    exceptAccount: user.id,
  }
}

const publishDifference = async (
  config: Pick<Config, 'publicUrl'>,
  tx: CmsTx,
  {
    entryIds,
    before,
    after,
  }: { entryIds: readonly string[]; before: readonly Attendance[]; after: readonly Attendance[] },
): Promise<void> => {
  const joined = without(after, before)
  const left = without(before, after)
  const moved = entriesOfMoved(before, after)
  if (joined.length === 0 && left.length === 0 && moved.length === 0) return
  const refs = await refsOf(tx, entryIds)
  const broadcast = (event: string, attendance: Attendance) => {
    const { id: userId, ...person } = toPerson(config, attendance)
    return { topic: PRESENCE, event, data: { ...refs(attendance.entryId), userId, ...person, isPublic: false } }
  }
  tx.changes.push(
    ...left.map((person) => broadcast('presence.left', person)),
    ...joined.map((person) => broadcast('presence.joined', person)),
    ...moved.map((id) => ({ topic: PRESENCE, event: FIELD_CHANGED, data: { id, isPublic: false } })),
  )
}

/** Entries at which somebody who was there before is at another field now. */
const entriesOfMoved = (before: readonly Attendance[], after: readonly Attendance[]): string[] => {
  const fields = new Map(before.map((one) => [keyOf(one), one.field]))
  const moved = after.filter((one) => fields.has(keyOf(one)) && fields.get(keyOf(one)) !== one.field)
  return [...new Set(moved.map(({ entryId }) => entryId))]
}

const keyOf = ({ entryId, accountId }: Attendance): string => `${entryId} ${accountId}`

const without = (some: readonly Attendance[], others: readonly Attendance[]): Attendance[] => {
  const known = new Set(others.map(keyOf))
  return some.filter((one) => !known.has(keyOf(one)))
}

const refsOf = async (db: Services['database']['db'], entryIds: readonly string[]) => {
  const refs = new Map<string, EntryRef>((await listEntryRefs(db, entryIds)).map((ref) => [ref.id, ref]))
  return (id: string) => ({ id, slug: refs.get(id)?.slug ?? null, type: refs.get(id)?.type ?? null })
}

const toPerson = (
  config: Pick<Config, 'publicUrl'>,
  { accountId, name, avatar, since, field }: Attendance,
): PresentPerson => ({
  id: accountId,
  name,
  avatarUrl: avatarUrl(config, avatar),
  since: since.toISOString(),
  field,
})

const later = (from: Date, seconds: number): Date => new Date(from.getTime() + seconds * 1000)
