import type { AnyDatabase } from './queue-database.ts'

/** The queue's schema inside the service's database. */
export const SCHEMA = 'jobs'
/** Where a job goes whose retries are used up, until someone retries it or a year has passed. */
export const DEAD_QUEUE = 'dead'

export type DeadJob = {
  id: string
  job: string
  data: unknown
  /** The error of the last run. */
  error: string
  attempts: number
  enqueuedAt: Date
  diedAt: Date
}

/** The newest first. */
export const listDeadJobs = async (db: AnyDatabase['db'], limit: number): Promise<DeadJob[]> =>
  db.query<DeadJob>({
    text: `select id, source_name as job, data, source_retry_count + 1 as attempts,
        source_created_on as "enqueuedAt", created_on as "diedAt",
        coalesce(source_output->>'message', source_output#>>'{value,message}', source_output->>'value', '') as error
      from ${SCHEMA}.job where name = $1 and state = 'created' order by created_on desc, id desc limit $2`,
    values: [DEAD_QUEUE, limit],
  })
