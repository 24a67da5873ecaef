import type { PgBoss } from 'pg-boss'
import type { z } from 'zod'
import { newId } from '../ids.ts'
import { SCHEMA } from './dead-letters.ts'
import { type Job, type JobSchema, toStored } from './define.ts'
import { type AnyTx, queueTransaction } from './queue-database.ts'

export type EnqueueOptions = {
  startAfter?: Date
  /** While a job with this key waits, another is not added; the waiting one keeps its data and the earlier start. */
  singletonKey?: string
}

/** Writes the job in the caller's transaction and gives its id, or that of the one that waits with its key. */
export const enqueueJob = async <S extends JobSchema>(
  boss: PgBoss,
  tx: AnyTx,
  job: Job<S>,
  data: z.input<S>,
  { startAfter, singletonKey = newId() }: EnqueueOptions,
): Promise<string> => {
  const stored = toStored(job, data)
  const options = { db: queueTransaction(tx), singletonKey, ...(startAfter && { startAfter }) }
  for (;;) {
    const id =
      (await boss.send(job.name, stored, options)) ?? (await holdWaiting(tx, job.name, singletonKey, startAfter))
    if (id) return id
    // Neither added nor waiting: a worker took the other one in between, so now there is room.
  }
}

/**
 * Locks the waiting job until the caller has committed: a worker that took it before would not see what the caller
 * wrote, and nobody would look again.
 */
const holdWaiting = async (
  tx: AnyTx,
  name: string,
  singletonKey: string,
  startAfter: Date | undefined,
): Promise<string | undefined> => {
  const [waiting] = await tx.query<{ id: string }>({
    text: `update ${SCHEMA}.job set start_after = least(start_after, coalesce($3, ${SCHEMA}.job_now()))
      where name = $1 and singleton_key = $2 and state = 'created' returning id`,
    values: [name, singletonKey, startAfter ?? null],
  })
  return waiting?.id
}
