import type { Log } from '../log.ts'

export const healthStatuses = ['ok', 'warning', 'error'] as const
export type HealthStatus = (typeof healthStatuses)[number]

/** What a look at one thing found, in words for the operator. */
export type Finding = {
  status: HealthStatus
  message: string
  /** What to do about it. */
  action?: string
  /** The figure behind it. */
  value?: string | number
}

export type HealthCheck = {
  id: string
  status: HealthStatus
  message: string
  action: string | null
  value: string | number | null
}

export type CheckDefinition = {
  id: string
  run: () => Promise<Finding> | Finding
  /** Set for checks of one machine: of several machines the worst result counts, or the least value (the newest backup). */
  counts?: 'worst' | 'least'
}

/** Per check: the caller waits for the slowest of them. */
const TIMEOUT_MS = 5_000

/** Runs all checks at once. One that fails or takes too long is a warning, and never in the way of the others. */
export const runChecks = (
  definitions: readonly CheckDefinition[],
  { log, timeoutMs = TIMEOUT_MS }: { log: Log; timeoutMs?: number },
): Promise<HealthCheck[]> =>
  Promise.all(
    definitions.map(async ({ id, run }) => {
      const {
        status,
        message,
        action = null,
        value = null,
      } = await withinTime(run, timeoutMs).catch((err: unknown) => {
        log.warn({ err, check: id }, 'a health check failed')
        return unknown
      })
      return { id, status, message, action, value }
    }),
  )

/** The worst of what was found. */
export const overallStatus = (checks: readonly Pick<HealthCheck, 'status'>[]): HealthStatus =>
  healthStatuses.findLast((status) => checks.some((check) => check.status === status)) ?? 'ok'

const unknown: Finding = {
  status: 'warning',
  message: "This couldn't be checked.",
  action: 'Check again in a minute. The log has the details.',
}

const withinTime = async (run: CheckDefinition['run'], timeoutMs: number): Promise<Finding> => {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`it took longer than ${timeoutMs} ms`)), timeoutMs)
  try {
    return await Promise.race([Promise.resolve().then(run), promise])
  } finally {
    clearTimeout(timer)
  }
}
