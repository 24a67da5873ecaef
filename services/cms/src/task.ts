import type { Job, JobSchema } from '@stoa/kit/jobs/define.ts'
import type { Jobs } from '@stoa/kit/jobs/jobs.ts'
import type { JobRun } from '@stoa/kit/jobs/run-job.ts'
import type { z } from 'zod'
import { type Ctx, contextFor, type Services } from './context.ts'
import type { SystemPrincipal } from './principal.ts'

/** Background work of a slice. It runs once it has a line in `background.ts`. */
export type Task = {
  readonly job: Job
  /** Sets who does the work in this process. */
  register(jobs: Pick<Jobs, 'work' | 'schedule'>, services: Services): void
}

export type TaskOptions<S extends JobSchema> = {
  concurrency?: number
  /** Runs by itself, too: a cron expression in UTC, and what it is given. */
  schedule?: { cron: string; data: z.input<S> }
}

/** Does a job as an operation of a system principal with the job's name. It must be idempotent. */
export const defineTask = <S extends JobSchema>(
  job: Job<S>,
  run: (ctx: Ctx<SystemPrincipal>, taken: JobRun<z.output<S>>) => Promise<void>,
  { concurrency = 1, schedule }: TaskOptions<S> = {},
): Task => ({
  job,
  register(jobs, services) {
    const ctx = contextFor(services, { kind: 'system', name: job.name } as const)
    jobs.work(job, (taken) => run(ctx, taken), { concurrency })
    if (schedule) jobs.schedule(job, schedule.cron, schedule.data)
  },
})
