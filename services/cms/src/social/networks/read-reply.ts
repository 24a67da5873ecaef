import { NetworkFailure } from './failure.ts'
import { LineCut, type NetworkReply } from './http.ts'

/** An object of unknown members, or one without any. */
export const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Text that is not empty; numbers are read as text. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'number' || (typeof value === 'string' && value !== '') ? String(value) : undefined

/** What is at the end of a path of members. */
export const memberOf = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((found, name) => recordOf(found)[name], value)

export const isSuccess = (reply: NetworkReply): boolean => reply.status >= 200 && reply.status <= 299

/** RFC 9110 §10.2.3: seconds, or a date. */
export const retryAfterOf = (headers: Headers, now: Date): Date | undefined => {
  const value = headers.get('retry-after')
  if (value === null) return undefined
  const seconds = Number(value)
  const at = Number.isFinite(seconds) ? now.getTime() + seconds * 1_000 : Date.parse(value)
  return Number.isNaN(at) ? undefined : new Date(at)
}

/** A header with seconds since 1970. */
export const epochHeaderOf = (headers: Headers, name: string): Date | undefined => {
  const seconds = Number(headers.get(name) ?? Number.NaN)
  return Number.isFinite(seconds) && seconds > 0 ? new Date(seconds * 1_000) : undefined
}

/** For a part of an upload and for the call that makes a post live. */
export const LONG_TIMEOUT_MS = 60_000

/** A clock elsewhere may be behind ours. */
export const CLOCK_SKEW_MS = 60_000

/** Whether something made at this moment can be what the first try of a target made. */
export const isSince = (madeAt: unknown, since: Date): boolean => {
  const at = typeof madeAt === 'number' ? madeAt : Date.parse(String(madeAt))
  return at >= since.getTime() - CLOCK_SKEW_MS
}

/** An address beside the token endpoint. */
export const besideTokenUrl = (tokenUrl: string, path: string): string => new URL(path, tokenUrl).href

/** At least 250 kB a second, so that a large part has the time it needs. */
export const uploadTimeoutMs = (bytes: number): number => Math.max(LONG_TIMEOUT_MS, Math.ceil(bytes / 250))

/** The words of a step after the post is live that failed. A token that has ended is renewed by whoever called. */
export const warningOf = (error: unknown): string => {
  const isWarning = error instanceof LineCut || (error instanceof NetworkFailure && error.facts.httpStatus !== 401)
  if (!isWarning) throw error
  return error.message
}
