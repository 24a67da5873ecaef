import { setTimeout as sleep } from 'node:timers/promises'
import { SCHEMA } from './dead-letters.ts'
import type { AnyDatabase } from './queue-database.ts'

/**
 * Looks every `pauseMs` for jobs whose time has come, and calls `wake` for each of these queues that has one. Workers that look
 * by themselves take a statement per queue, which is most of what a service with nothing to do would cost. Gives what ends it;
 * it doesn't wait for a look that is under way, which takes seconds while the database is silent.
 */
export const watchDueJobs = (
  db: AnyDatabase['db'],
  queues: readonly string[],
  pauseMs: number,
  wake: (queue: string) => void,
): (() => void) => {
  const over = new AbortController()
  const watch = async (): Promise<void> => {
    while (await pause(pauseMs, over.signal)) {
      // While the database is away the queue itself says so.
      const due = await queuesWithDueJobs(db, queues).catch(() => [])
      if (!over.signal.aborted) for (const queue of due) wake(queue)
    }
  }
  void watch()
  return () => over.abort()
}

/** Whether it passed in full. */
const pause = (ms: number, signal: AbortSignal): Promise<boolean> => sleep(ms, true, { signal }).catch(() => false)

const queuesWithDueJobs = async (db: AnyDatabase['db'], queues: readonly string[]): Promise<string[]> => {
  const rows = await db.query<{ name: string }>({
    name: 'queues-with-due-jobs',
    text: `select q.name from unnest($1::text[]) as q (name) where exists (
        select from ${SCHEMA}.job j
        where j.name = q.name and j.state < 'active' and not j.blocked and j.start_after <= ${SCHEMA}.job_now())`,
    values: [queues],
  })
  return rows.map(({ name }) => name)
}
