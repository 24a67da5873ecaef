import { z } from 'zod'

/** What travels with a job is a JSON object. */
export type JobSchema = z.ZodType<object>

export type JobOptions = {
  /** Runs after the first one; when they are used up the job becomes a dead letter. Default 5. */
  retryLimit?: number
  /** Before the first retry. Default 5. */
  retryDelaySeconds?: number
  /** Doubles the delay with each retry, with jitter. Default true. */
  retryBackoff?: boolean
  /** Default 3600. */
  retryDelayMaxSeconds?: number
  /** A run that takes longer is aborted and counts as failed. Default 300. */
  expireInSeconds?: number
}

/** A kind of background work: its name, the shape of its data, and how often it is tried. */
export type Job<S extends JobSchema = JobSchema> = { readonly name: string; readonly data: S } & Required<JobOptions>

export type JobDefinition<S extends JobSchema> = { name: string; data: S } & JobOptions

/** Names end up inside SQL text of the queue library. */
const JOB_NAME = /^[a-z][a-z0-9]*(?:[.-][a-z0-9]+)*$/

/** Defines a job. Its handler must be idempotent: a crash at the wrong moment runs it again. */
export const defineJob = <S extends JobSchema>(definition: JobDefinition<S>): Job<S> => {
  if (!JOB_NAME.test(definition.name)) throw new TypeError(`'${definition.name}' is not a job name like 'mail.send'`)
  return {
    name: definition.name,
    data: definition.data,
    retryLimit: definition.retryLimit ?? 5,
    retryDelaySeconds: definition.retryDelaySeconds ?? 5,
    retryBackoff: definition.retryBackoff ?? true,
    retryDelayMaxSeconds: definition.retryDelayMaxSeconds ?? 3_600,
    expireInSeconds: definition.expireInSeconds ?? 300,
  }
}

/** What is stored: the data as JSON makes it, refused unless the handler's side can read it back. */
export const toStored = <S extends JobSchema>(job: Job<S>, data: z.input<S>): object => {
  const stored: unknown = JSON.parse(JSON.stringify(data) ?? 'null')
  const parsed = job.data.safeParse(stored)
  if (!parsed.success) throw new TypeError(`Job ${job.name} cannot take this data: ${z.prettifyError(parsed.error)}`)
  if (typeof stored !== 'object' || stored === null) throw new TypeError(`The data of job ${job.name} is no object`)
  return stored
}
