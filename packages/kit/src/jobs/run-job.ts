import type { JobResult, Job as TakenJob } from 'pg-boss'
import { z } from 'zod'
import type { Log } from '../log.ts'
import type { Job, JobSchema } from './define.ts'

export type JobRun<D> = {
  data: D
  id: string
  /** 1 for the first run. */
  attempt: number
  /** Fires when the run takes too long, lost its claim to another worker, or the service stops. */
  signal: AbortSignal
}

/** Must be idempotent. An exception means: try again later, and after the last retry keep it as a dead letter. */
export type JobHandler<D> = (run: JobRun<D>) => Promise<void>

/** Error texts are for people; a longer one is a body or a dump. */
const MAX_MESSAGE_CHARACTERS = 2_000

/** Runs the handler once and says what becomes of the job. */
export const runJob = async <S extends JobSchema>(
  job: Job<S>,
  handler: JobHandler<z.output<S>>,
  taken: TakenJob<unknown>,
  log: Log,
): Promise<JobResult> => {
  const { id, retryCount, signal } = taken
  const attempt = retryCount + 1
  const parsed = job.data.safeParse(taken.data)
  if (!parsed.success) {
    log.error({ job: job.name, id }, 'a job has data that its handler cannot read; it was moved to the dead letters')
    return { id, status: 'deadletter', output: { message: z.prettifyError(parsed.error) } }
  }
  try {
    await handler({ data: parsed.data, id, attempt, signal })
    return { id, status: 'completed' }
  } catch (error) {
    const isLast = attempt > job.retryLimit
    log[isLast ? 'error' : 'warn']({ err: error, job: job.name, id, attempt, isLast }, 'a job failed')
    return { id, status: 'failed', output: { message: messageOf(error) } }
  }
}

const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, MAX_MESSAGE_CHARACTERS)
