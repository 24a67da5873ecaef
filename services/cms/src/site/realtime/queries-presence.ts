import { type Avatar, avatarSql } from '../../avatar.ts'
import type { CmsDb, CmsTx } from '../../context.ts'

/** A socket that has an entry open. */
export type Seat = { entryId: string; connectionId: string; accountId: string }

/** Someone who is at an entry, with however many sockets. */
export type Attendance = {
  entryId: string
  accountId: string
  name: string
  avatar: Avatar | null
  since: Date
  /** The field they last entered, with any of their sockets. */
  field: string | null
}

/** Until the transaction ends, nobody else comes to or leaves these entries: who was the last is never in doubt. */
export const lockAttendance = async (tx: CmsTx, entryIds: readonly string[]): Promise<void> => {
  await tx.query({
    text: `select pg_advisory_xact_lock(key) from (
        select distinct hashtextextended('presence ' || id, 0) as key from unnest($1::text[]) id order by key) keys`,
    values: [entryIds],
  })
}

export const listAttendance = async (
  db: CmsDb,
  { entryIds, now }: { entryIds: readonly string[]; now: Date },
): Promise<Attendance[]> => {
  const rows = await db.query<AttendanceRow>({
    name: 'list-attendance',
    text: `select p.entry_id, p.account_id, a.name, ${avatarSql('a')} as avatar, min(p.since) as since,
        (array_agg(p.field order by p.field_at desc) filter (where p.field is not null))[1] as field
      from presence p join account a on a.id = p.account_id
      where p.entry_id = any($1::uuid[]) and p.expires_at > $2
      group by p.entry_id, p.account_id, a.id order by min(p.since), p.account_id`,
    values: [entryIds, now],
  })
  return rows.map(toAttendance)
}

/** Notes the field that this seat is at; false when nobody sits there. */
export const updateField = async (
  tx: CmsTx,
  { entryId, connectionId, accountId }: Seat,
  { field, now }: { field: string | null; now: Date },
): Promise<boolean> => {
  const rows = await tx.query({
    name: 'update-presence-field',
    text: `update presence set field = $4, field_at = $5
      where entry_id = $1 and connection_id = $2 and account_id = $3 and expires_at > $5 returning 1`,
    values: [entryId, connectionId, accountId, field, now],
  })
  return rows.length > 0
}

export const insertSeats = async (
  tx: CmsTx,
  seats: readonly Seat[],
  { now, expiresAt }: { now: Date; expiresAt: Date },
): Promise<void> => {
  await tx.query({
    name: 'insert-seats',
    text: `insert into presence (entry_id, connection_id, account_id, since, expires_at)
      select entry_id, connection_id, account_id, $4, $5
      from unnest($1::uuid[], $2::uuid[], $3::uuid[]) seat (entry_id, connection_id, account_id)
      on conflict (entry_id, connection_id) do update set expires_at = excluded.expires_at`,
    values: [
      seats.map(({ entryId }) => entryId),
      seats.map(({ connectionId }) => connectionId),
      seats.map(({ accountId }) => accountId),
      now,
      expiresAt,
    ],
  })
}

export const deleteSeats = async (tx: CmsTx, seats: readonly Seat[]): Promise<void> => {
  await tx.query({
    name: 'delete-seats',
    text: `delete from presence p using unnest($1::uuid[], $2::uuid[]) seat (entry_id, connection_id)
      where p.entry_id = seat.entry_id and p.connection_id = seat.connection_id`,
    values: [seats.map(({ entryId }) => entryId), seats.map(({ connectionId }) => connectionId)],
  })
}

export const extendSeats = async (
  tx: CmsTx,
  signs: readonly { connectionId: string; expiresAt: Date }[],
): Promise<void> => {
  await tx.query({
    name: 'extend-seats',
    text: `update presence p set expires_at = greatest(p.expires_at, sign.expires_at)
      from unnest($1::uuid[], $2::timestamptz[]) sign (connection_id, expires_at)
      where p.connection_id = sign.connection_id`,
    values: [signs.map(({ connectionId }) => connectionId), signs.map(({ expiresAt }) => expiresAt)],
  })
}

/** Entries where somebody has given no sign of life for too long. */
export const listExpiredEntries = async (db: CmsDb, now: Date): Promise<string[]> => {
  const rows = await db.query<{ entry_id: string }>({
    name: 'list-expired-presence',
    text: 'select distinct entry_id from presence where expires_at <= $1 limit 1000',
    values: [now],
  })
  return rows.map((row) => row.entry_id)
}

/** Deletes expired seats, and returns who had them. */
export const deleteExpiredSeats = async (
  tx: CmsTx,
  { entryIds, now }: { entryIds: readonly string[]; now: Date },
): Promise<Attendance[]> => {
  const rows = await tx.query<AttendanceRow>({
    name: 'delete-expired-seats',
    text: `with gone as (
        delete from presence where entry_id = any($1::uuid[]) and expires_at <= $2
        returning entry_id, account_id, since, field)
      select g.entry_id, g.account_id, a.name, ${avatarSql('a')} as avatar, min(g.since) as since,
        max(g.field) as field
      from gone g join account a on a.id = g.account_id group by g.entry_id, g.account_id, a.id`,
    values: [entryIds, now],
  })
  return rows.map(toAttendance)
}

type AttendanceRow = {
  entry_id: string
  account_id: string
  name: string
  avatar: Avatar | null
  since: Date
  field: string | null
}

const toAttendance = (row: AttendanceRow): Attendance => ({
  entryId: row.entry_id,
  accountId: row.account_id,
  name: row.name,
  avatar: row.avatar,
  since: row.since,
  field: row.field,
})
