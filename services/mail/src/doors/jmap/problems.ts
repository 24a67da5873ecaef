import { AppError, Fault, translateFault } from '@stoa/kit/errors.ts'
import { type Reply, reply } from '@stoa/kit/http/route.ts'
import { faults } from '../../errors.ts'

/** A request-level error (RFC 8620 §3.6.1, RFC 7807). */
export type RequestProblem = { type: string; status: number; detail: string; limit?: string }

/** Ends a request of which no method was run. */
export class ProblemError extends Error {
  readonly problem: RequestProblem

  constructor(problem: RequestProblem) {
    super(problem.detail)
    this.name = 'ProblemError'
    this.problem = problem
  }
}

const PREFIX = 'urn:ietf:params:jmap:error:'

export const failRequest = (name: 'notJSON' | 'notRequest' | 'unknownCapability', detail: string): never => {
  throw new ProblemError({ type: `${PREFIX}${name}`, status: 400, detail })
}

/** Over one of the limits that the session promises. */
export const failLimit = (limit: string, detail: string, status = 400): never => {
  throw new ProblemError({ type: `${PREFIX}limit`, status, detail, limit })
}

const problemReply = (problem: RequestProblem): Reply<string> =>
  reply(JSON.stringify(problem), { status: problem.status, contentType: 'application/problem+json; charset=utf-8' })

/** Answers with what the work gives, or with the problem that ended it. */
export const orProblem = async <T>(work: () => Promise<T>): Promise<T | Reply<string>> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ProblemError) return problemReply(error.problem)
    throw error
  }
}

/** Any error of the service as a problem: `about:blank` is a plain HTTP status (RFC 7807 §4.2). */
export const problemOf = (error: unknown): RequestProblem => {
  if (error instanceof ProblemError) return error.problem
  if (error instanceof Fault) return problemOf(translateFault(faults, error))
  if (error instanceof AppError) return { type: 'about:blank', status: error.status, detail: error.message }
  return { type: 'about:blank', status: 500, detail: 'The server ran into an unexpected error.' }
}
