import type { PgBoss, Queue } from 'pg-boss'
import { DEAD_QUEUE } from './dead-letters.ts'
import type { Job } from './define.ts'

/** A job of a process that died is given back after this and one watch interval. The library's least. */
const HEARTBEAT_SECONDS = 10
/** Jobs that wait and dead letters are thrown away after a year, finished ones after an hour. */
const KEEP_WAITING_SECONDS = 365 * 24 * 3_600
const KEEP_DONE_SECONDS = 3_600

/** Makes the queues of these jobs, or brings them to what the jobs say now. */
export const prepareQueues = async (boss: PgBoss, jobs: readonly Job[]): Promise<void> => {
  const existing = new Set((await boss.getQueues()).map((queue) => queue.name))
  const deadQueue = { name: DEAD_QUEUE, policy: 'standard', retentionSeconds: KEEP_WAITING_SECONDS }
  for (const { name, policy, ...options } of [deadQueue, ...jobs.map(toQueue)]) {
    if (existing.has(name)) await boss.updateQueue(name, options)
    else await boss.createQueue(name, { ...options, policy })
  }
}

/** Writes these schedules and removes the others that this process decides about. */
export const writeSchedules = async (
  boss: PgBoss,
  schedules: readonly Schedule[],
  decidesAbout: (name: string) => boolean,
): Promise<void> => {
  const names = new Set(schedules.map((schedule) => schedule.name))
  for (const { name } of await boss.getSchedules())
    if (!names.has(name) && decidesAbout(name)) await boss.unschedule(name)
  // One catches up for all that were missed, and while one waits there is no second.
  for (const { name, cron, data, tz } of schedules)
    await boss.schedule(name, cron, data, { tz, missed: 'once', singletonKey: 'schedule' })
}

export type Schedule = { name: string; cron: string; data: object; tz: string }

const toQueue = (job: Job): Queue & { policy: string } => ({
  name: job.name,
  // At most one waiting job per key; jobs without a key get one of their own.
  policy: 'short',
  retryLimit: job.retryLimit,
  retryDelay: job.retryDelaySeconds,
  retryBackoff: job.retryBackoff,
  ...(job.retryBackoff && { retryDelayMax: job.retryDelayMaxSeconds }),
  expireInSeconds: job.expireInSeconds,
  heartbeatSeconds: HEARTBEAT_SECONDS,
  retentionSeconds: KEEP_WAITING_SECONDS,
  deleteAfterSeconds: KEEP_DONE_SECONDS,
  deadLetter: DEAD_QUEUE,
  notify: true,
})
