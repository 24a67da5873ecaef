import type { Db, Tx } from '@stoa/kit/db/database.ts'
import type { Selectable } from 'kysely'
import type { BulkJobTable } from '../../../tables/webmail.ts'
import type { Tables } from '../../../tables.ts'

export type BulkJobRow = Selectable<BulkJobTable>

/** A job with its messages, so many in each batch. */
export const insertBulkJob = async (
  tx: Tx<Tables>,
  {
    job,
    batches,
  }: {
    job: { addressId: string; id: string; action: object; total: number; now: Date }
    batches: readonly (readonly string[])[]
  },
): Promise<void> => {
  const { addressId, id, action, total, now } = job
  await tx
    .insertInto('bulk_job')
    .values({
      address_id: addressId,
      id,
      action: JSON.stringify(action),
      status: 'running',
      total,
      error: null,
      next_at: now,
      created_at: now,
      finished_at: null,
    })
    .execute()
  await tx.query({
    // Arrays of different lengths cannot be one array of arrays.
    text: `insert into bulk_batch (address_id, job_id, ordinal, message_ids)
      select $1, $2, b.nth - 1, string_to_array(b.ids, ',')::uuid[] from unnest($3::text[]) with ordinality b (ids, nth)`,
    values: [addressId, id, batches.map((ids) => ids.join(','))],
  })
}

export const findBulkJob = (db: Db<Tables>, addressId: string, id: string): Promise<BulkJobRow | undefined> =>
  db.selectFrom('bulk_job').selectAll().where('address_id', '=', addressId).where('id', '=', id).executeTakeFirst()

export const countRunningJobs = async (db: Db<Tables>, addressId: string): Promise<number> => {
  const row = await db
    .selectFrom('bulk_job')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('address_id', '=', addressId)
    .where('status', '=', 'running')
    .executeTakeFirstOrThrow()
  return row.count
}

/** The job that has waited longest and that nobody else works on; its row stays locked. */
export const claimBulkJob = (tx: Tx<Tables>, now: Date): Promise<BulkJobRow | undefined> =>
  tx
    .selectFrom('bulk_job')
    .selectAll()
    .where('status', '=', 'running')
    .where('next_at', '<=', now)
    .orderBy('next_at')
    .orderBy('id')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()

type JobKey = { addressId: string; id: string }

/** The next messages, which are no longer waiting; undefined when there are none. */
export const takeBatch = async (tx: Tx<Tables>, { addressId, id }: JobKey): Promise<string[] | undefined> => {
  const [row] = await tx.query<{ ids: string }>({
    name: 'bulk-take-batch',
    text: `delete from bulk_batch where address_id = $1 and job_id = $2 and ordinal = (
        select min(ordinal) from bulk_batch where address_id = $1 and job_id = $2
      ) returning array_to_string(message_ids, ',') as ids`,
    values: [addressId, id],
  })
  return row?.ids.split(',')
}

/** Notes what was done. Others have their turn before it goes on. */
export const progressBulkJob = async (
  tx: Tx<Tables>,
  { addressId, id }: JobKey,
  { done, notFound, now }: { done: number; notFound: number; now: Date },
): Promise<void> => {
  await tx.query({
    name: 'bulk-progress',
    text: `update bulk_job set done = done + $3, not_found = not_found + $4, attempts = 0, next_at = $5
      where address_id = $1 and id = $2`,
    values: [addressId, id, done, notFound, now],
  })
}

/** Ends a job that nobody ended meanwhile; what it had left is dropped. */
export const finishBulkJob = async (
  tx: Tx<Tables>,
  { addressId, id }: JobKey,
  { error, now }: { error: string | null; now: Date },
): Promise<void> => {
  await tx
    .updateTable('bulk_job')
    .set({ status: error === null ? 'completed' : 'failed', error, finished_at: now })
    .where('address_id', '=', addressId)
    .where('id', '=', id)
    .where('status', '=', 'running')
    .execute()
  await tx.deleteFrom('bulk_batch').where('address_id', '=', addressId).where('job_id', '=', id).execute()
}

/** Puts a job off that nobody ended meanwhile; gives how often that happened since it last went on. */
export const postponeBulkJob = async (tx: Tx<Tables>, { addressId, id }: JobKey, nextAt: Date): Promise<number> => {
  const [row] = await tx.query<{ attempts: number }>({
    text: `update bulk_job set attempts = attempts + 1, next_at = $3
      where address_id = $1 and id = $2 and status = 'running' returning attempts`,
    values: [addressId, id, nextAt],
  })
  return row?.attempts ?? 0
}

/** When the next job is due that waits now; null without one. */
export const findNextDue = async (db: Db<Tables>): Promise<Date | null> => {
  const [row] = await db.query<{ at: Date | null }>({
    name: 'bulk-next-due',
    text: `select min(next_at) as at from bulk_job where status = 'running'`,
  })
  return row?.at ?? null
}

export const deleteFinishedJobs = async (tx: Tx<Tables>, before: Date, limit: number): Promise<number> => {
  const gone = await tx.query({
    text: `delete from bulk_job where ctid = any (array(
        select ctid from bulk_job where finished_at < $1 limit $2 for update skip locked)) returning 1`,
    values: [before, limit],
  })
  return gone.length
}
