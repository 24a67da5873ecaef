import type { Db } from '../db/database.ts'

/** Any connection that answers with rows. */
export type Asker = { query(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }> }

/** A backup that has not renewed it for so long is dead: files may be collected again, and another backup may begin. */
export const LEASE_SECONDS = 120
/** The number of runs kept. */
const KEPT_RUNS = 100

export type NewRun = {
  id: string
  destination: string
  /** For the schedule: nothing to do while the last good one there is younger, or the last attempt is only a moment ago. */
  due?: { everySeconds: number; retrySeconds: number }
}

/** Begins a run unless another one is under way or, by its schedule, none is due. */
export const claimRun = async (db: Asker, { id, destination, due }: NewRun): Promise<boolean> => {
  await db.query(
    `update backup_run set finished_at = now(), error = 'It was interrupted.'
     where finished_at is null and lease_until <= now()`,
  )
  const { rows } = await db.query(
    `insert into backup_run (id, destination, started_at, lease_until)
     select $1, $2, now(), now() + make_interval(secs => ${LEASE_SECONDS})
     where not exists (select from backup_run
         where destination = $2 and started_at > now() - make_interval(secs => $3) and error is null)
       and not exists (select from backup_run
         where destination = $2 and started_at > now() - make_interval(secs => $4))
     on conflict do nothing returning id`,
    [id, destination, due?.everySeconds ?? 0, due?.retrySeconds ?? 0],
  )
  return rows.length > 0
}

/** False when the run has lost its lease, and with it the files it counts on. */
export const renewRun = async (db: Asker, id: string): Promise<boolean> => {
  const { rows } = await db.query(
    `update backup_run set lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
     where id = $1 and finished_at is null and lease_until > now() returning id`,
    [id],
  )
  return rows.length > 0
}

export type RunSummary = { rows: number; blobs: number; copiedBlobs: number; missingBlobs: number }

export const finishRun = async (
  db: Asker,
  id: string,
  { error = null, summary = null }: { error?: string | null; summary?: RunSummary | null },
): Promise<void> => {
  await db.query(
    `update backup_run set finished_at = now(), error = $2, summary = $3 where id = $1 and finished_at is null`,
    [id, error, summary && JSON.stringify(summary)],
  )
  await db.query(
    `delete from backup_run where started_at < (select min(started_at) from
       (select started_at from backup_run order by started_at desc limit ${KEPT_RUNS}) as kept)`,
  )
}

/** A sweep asks this after it has looked for unused files: a running backup may need files that just became unused. */
const isHeld = async <T>(db: Pick<Db<T>, 'query'>): Promise<boolean> =>
  (await db.query({ text: 'select from backup_run where finished_at is null and lease_until > now()' })).length > 0

/** Wraps the question of a sweep which blobs are used: while a backup is under way, all of them are. */
export const keepWhileBackedUp =
  <T>(db: Pick<Db<T>, 'query'>, findUsed: (keys: readonly string[]) => Promise<ReadonlySet<string>>) =>
  async (keys: readonly string[]): Promise<ReadonlySet<string>> => {
    const used = await findUsed(keys)
    return (await isHeld(db)) ? new Set(keys) : used
  }

export type LastRuns = {
  /** The end of the last successful backup. */
  goodAt: Date | null
  /** Blobs that it could not find. */
  missingBlobs: number
  /** Why the last one failed, if it did. */
  error: string | null
}

export const readLastRuns = async <T>(db: Pick<Db<T>, 'query'>): Promise<LastRuns> => {
  const [good] = await db.query<{ at: Date; missing: number | null }>({
    text: `select finished_at as at, (summary->>'missingBlobs')::integer as missing from backup_run
           where finished_at is not null and error is null order by finished_at desc limit 1`,
  })
  const [last] = await db.query<{ error: string | null }>({
    text: 'select error from backup_run where finished_at is not null order by finished_at desc limit 1',
  })
  return { goodAt: good?.at ?? null, missingBlobs: good?.missing ?? 0, error: last?.error ?? null }
}
