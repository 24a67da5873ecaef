import { freshDatabase } from '@stoa/tests/lib/cluster.ts'
import { type Database, openDatabase } from '../db/database.ts'
import { type Bus, openBus } from '../events/bus.ts'
import { createLogger } from '../log.ts'
import type { Job } from './define.ts'
import { createJobs, type Jobs, type JobsOptions } from './jobs.ts'

export const log = createLogger({ name: 'test', level: 'silent' })

/** What a test locks waits until the test gives it free, however slow the machine is. */
const STATEMENT_TIMEOUT_MS = 60_000

/** For tests: a service's database and bus on a fresh database, and as many `Jobs` on them as a test starts. */
export type JobsTestBench = {
  database: Database<unknown>
  bus: Bus
  create(list: readonly Job[], options?: Partial<JobsOptions>): Jobs
  start(list: readonly Job[], set?: (jobs: Jobs) => void): Promise<Jobs>
  /** Stops what the test started and forgets its jobs. */
  reset(): Promise<void>
  close(): Promise<void>
}

export const openJobsTestBench = async (): Promise<JobsTestBench> => {
  const fresh = await freshDatabase()
  const database = openDatabase({ url: fresh.url, poolSize: 5, statementTimeoutMs: STATEMENT_TIMEOUT_MS, log })
  const bus = openBus(database, { log })
  await bus.ready()
  const running: Jobs[] = []
  const create = (list: readonly Job[], options: Partial<JobsOptions> = {}): Jobs => {
    const jobs = createJobs(database, { log, jobs: list, bus, pollSeconds: 0.5, stopDeadlineSeconds: 1, ...options })
    running.push(jobs)
    return jobs
  }
  return {
    database,
    bus,
    create,
    async start(list, set) {
      const jobs = create(list)
      set?.(jobs)
      await jobs.start()
      return jobs
    },
    async reset() {
      await Promise.all(running.splice(0).map((jobs) => jobs.stop()))
      const [table] = await database.db.query<{ name: string | null }>({
        text: "select to_regclass('jobs.job') as name",
      })
      if (table?.name) await database.pool.query('truncate jobs.job')
    },
    async close() {
      await bus.close()
      await database.close()
      await fresh.drop()
    },
  }
}
