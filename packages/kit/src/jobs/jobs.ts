import { PgBoss } from 'pg-boss'
import type { z } from 'zod'
import { isConnectionLost, translateDatabaseError } from '../db/errors.ts'
import type { Bus } from '../events/bus.ts'
import { isUuid } from '../ids.ts'
import type { Log } from '../log.ts'
import { STOP_GRACE_MS } from '../stop-deadline.ts'
import { DEAD_QUEUE, type DeadJob, listDeadJobs, SCHEMA } from './dead-letters.ts'
import { type Job, type JobSchema, toStored } from './define.ts'
import { watchDueJobs } from './due-jobs.ts'
import { type EnqueueOptions, enqueueJob } from './enqueue.ts'
import { type AnyDatabase, type AnyTx, queueDatabase } from './queue-database.ts'
import { prepareQueues, type Schedule, writeSchedules } from './queues.ts'
import { type JobHandler, runJob } from './run-job.ts'

/** Background jobs in the service's own database (schema `jobs`), on its pool. */
export type Jobs = {
  /** Writes the job in the caller's transaction: it exists if that commits, and runs no sooner. Gives its id. */
  enqueue<S extends JobSchema>(tx: AnyTx, job: Job<S>, data: z.input<S>, options?: EnqueueOptions): Promise<string>
  /** Sets who does the work in this process; before `start`. */
  work<S extends JobSchema>(job: Job<S>, handler: JobHandler<z.output<S>>, options?: { concurrency?: number }): void
  /**
   * Runs the job by a cron expression (UTC by default); before `start`, one schedule per job. A process that works on a
   * job owns its schedule: without one here, it is removed. Missed runs are replaced by a single one.
   */
  schedule<S extends JobSchema>(job: Job<S>, cron: string, data: z.input<S>, options?: { tz?: string }): void
  /** Jobs whose retries are used up, the newest first. */
  listDead(options: { limit: number }): Promise<DeadJob[]>
  /** Queues a dead job again with fresh retries; false if there is none with this id, or one with its key waits. */
  retryDead(id: string): Promise<boolean>
  /** Makes the tables and queues, then begins to work. */
  start(): Promise<void>
  /**
   * Takes no new jobs, lets running ones finish until the deadline, then aborts them and gives them back. What others enqueue
   * meanwhile is written for the next process.
   */
  stop(): Promise<void>
}

export type JobsOptions = {
  log: Log
  /** Every job that this service enqueues, works on or schedules. */
  jobs: readonly Job[]
  /** Wakes workers the moment a job is committed. Without it they look every `pollSeconds`. */
  bus?: Pick<Bus, 'listen'>
  /** How soon a delayed job or a retry is noticed. Default 2. */
  pollSeconds?: number
  /** How long `stop` waits for running jobs, if not as long as for everything else that is under way. */
  stopDeadlineSeconds?: number
}

/** How often a process looks for jobs of processes that died, and for schedules that are due. */
const WATCH_SECONDS = 5
const CRON_SECONDS = 5
const CRON_WORKER_SECONDS = 2
const CLEAN_SECONDS = 600
/** A worker looks by itself no more often than this: it is woken when its queue has something for it. */
const UNASKED_SECONDS = 60
/** While the database is unavailable, every worker fails every few seconds; it is logged once. */
const LOSS_LOG_PAUSE_MS = 10_000

/** Jobs survive what the database survives. While it is away they wait: errors are logged, and work goes on by itself. */
export const createJobs = (database: AnyDatabase, options: JobsOptions): Jobs => {
  const { log, jobs, pollSeconds = 2, stopDeadlineSeconds = STOP_GRACE_MS / 1_000 } = options
  const names = new Set([DEAD_QUEUE, ...jobs.map((job) => job.name)])
  if (names.size !== jobs.length + 1) throw new TypeError(`Job names must be unique, and none is '${DEAD_QUEUE}'`)
  const boss = createBoss(database.pool, options)
  const startWorkers: (() => Promise<void>)[] = []
  /** IDs of this process's workers, by queue. */
  const workers = new Map<string, string[]>()
  const schedules: Schedule[] = []
  let state: 'new' | 'starting' | 'started' = 'new'
  let stopWatching: (() => void) | undefined

  const assertKnown = ({ name }: { name: string }) => {
    if (!names.has(name)) throw new Error(`Job ${name} is missing in the list given to createJobs`)
  }
  const assertNew = () => {
    if (state !== 'new') throw new Error('Workers and schedules are set before start')
  }

  return {
    async enqueue(tx, job, data, enqueueOptions = {}) {
      assertKnown(job)
      if (state !== 'started') throw new Error('Jobs are not started')
      return enqueueJob(boss, tx, job, data, enqueueOptions)
    },
    work(job, handler, { concurrency = 1 } = {}) {
      assertKnown(job)
      assertNew()
      const polling = { pollingIntervalSeconds: UNASKED_SECONDS, notifyPollingIntervalSeconds: UNASKED_SECONDS }
      const own = workers.get(job.name) ?? []
      const startOne = async () => {
        const worker: string = await boss.work(job.name, { ...polling, perJobResults: true }, async (taken) => {
          // More jobs may be waiting: the worker polls again at once instead of after the interval.
          boss.notifyWorker(worker)
          return Promise.all(taken.map((one) => runJob(job, handler, one, log)))
        })
        own.push(worker)
      }
      workers.set(job.name, own)
      for (let count = 0; count < concurrency; count += 1) startWorkers.push(startOne)
    },
    schedule(job, cron, data, { tz = 'UTC' } = {}) {
      assertKnown(job)
      assertNew()
      if (schedules.some(({ name }) => name === job.name)) throw new Error(`Job ${job.name} has a schedule already`)
      schedules.push({ name: job.name, cron, data: toStored(job, data), tz })
    },
    listDead: ({ limit }) => listDeadJobs(database.db, limit),
    async retryDead(id) {
      if (!isUuid(id)) return false
      const moved = await boss.redrive(DEAD_QUEUE, { ids: [id] }).catch((error: unknown) => {
        throw translateDatabaseError(error)
      })
      return moved > 0
    },
    async start() {
      assertNew()
      state = 'starting'
      try {
        await boss.start()
        await prepareQueues(boss, jobs)
        await writeSchedules(boss, schedules, (name) => !names.has(name) || workers.has(name))
        state = 'started'
        for (const startWorker of startWorkers) await startWorker()
        const wake = (queue: string): void => {
          for (const worker of workers.get(queue) ?? []) boss.notifyWorker(worker)
        }
        if (workers.size > 0) stopWatching = watchDueJobs(database.db, [...workers.keys()], pollSeconds * 1_000, wake)
      } catch (error) {
        state = 'new'
        await boss.stop({ graceful: false })
        throw error
      }
    },
    async stop() {
      stopWatching?.()
      await boss.stop({ graceful: true, timeout: stopDeadlineSeconds * 1_000 })
    },
  }
}

const createBoss = (pool: AnyDatabase['pool'], { log, bus }: JobsOptions): PgBoss => {
  const boss = new PgBoss({
    db: queueDatabase(pool, bus),
    schema: SCHEMA,
    useListenNotify: bus !== undefined,
    superviseIntervalSeconds: WATCH_SECONDS,
    monitorIntervalSeconds: WATCH_SECONDS,
    maintenanceIntervalSeconds: CLEAN_SECONDS,
    cronMonitorIntervalSeconds: CRON_SECONDS,
    cronWorkerIntervalSeconds: CRON_WORKER_SECONDS,
    // Needs statements longer than the pool allows; finished jobs stay an hour only, so that indexes stay small.
    reindex: false,
  })
  let quietUntil = 0
  boss.on('error', (raised) => {
    const error = toError(raised)
    if (!isConnectionLost(error)) return log.error({ err: error }, 'the job queue had an error; it continues')
    if (Date.now() < quietUntil) return
    quietUntil = Date.now() + LOSS_LOG_PAUSE_MS
    log.warn({ err: error }, 'the job queue cannot reach its database; trying again')
  })
  boss.on('warning', (warning) => log.warn({ warning }, 'the job queue warns'))
  return boss
}

/** Workers raise copies of errors, which are none themselves. */
const toError = (raised: Error): Error =>
  raised instanceof Error ? raised : Object.assign(new Error('unknown'), { cause: raised }, raised)
