import type { CmsDb, CmsTx } from '../../context.ts'

/** A socket that has an entry open. */
export type Seat = { entryId: string; connectionId: string; accountId: string }

/** Someone who is at an entry, with however many sockets. */
export type Attendance = { entryId: string; accountId: string; name: string; since: Date }

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
  const rows = await db.query<{ entry_id: string; account_id: string; name: string; since: Date }>({
    name: 'list-attendance',
    text: `select p.entry_id, p.account_id, a.name, min(p.since) as since
      from presence p join account a on a.id = p.account_id
      where p.entry_id = any($1::uuid[]) and p.expires_at > $2
      group by p.entry_id, p.account_id, a.name order by min(p.since), p.account_id`,
    values: [entryIds, now],
  })
  return rows.map((row) => ({ entryId: row.entry_id, accountId: row.account_id, name: row.name, since: row.since }))
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

/** Takes away the seats that have expired, and tells who had them. */
export const deleteExpiredSeats = async (
  tx: CmsTx,
  { entryIds, now }: { entryIds: readonly string[]; now: Date },
): Promise<Attendance[]> => {
  const rows = await tx.query<{ entry_id: string; account_id: string; name: string; since: Date }>({
    name: 'delete-expired-seats',
    text: `with gone as (
        delete from presence where entry_id = any($1::uuid[]) and expires_at <= $2
        returning entry_id, account_id, since)
      select g.entry_id, g.account_id, a.name, min(g.since) as since
      from gone g join account a on a.id = g.account_id group by g.entry_id, g.account_id, a.name`,
    values: [entryIds, now],
  })
  return rows.map((row) => ({ entryId: row.entry_id, accountId: row.account_id, name: row.name, since: row.since }))
}
