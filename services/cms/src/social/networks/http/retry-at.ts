import { numberOf } from './read-reply.ts'

/** No window of a network is longer, so that a mistake of one keeps nobody out for ever. */
const LONGEST_MS = 7 * 86_400_000

/** When a network wants to be asked again, by every header that is usual for it: the latest of them counts. */
export const retryAtOf = (headers: Headers, now: Date): Date | undefined => {
  const times = [afterOf(headers, now), ...RESETS.map((name) => resetOf(headers, name, now))]
  return latest(times.filter((time) => time !== undefined))
}

const RESETS = ['x-rate-limit-reset', 'x-ratelimit-reset', 'ratelimit-reset']

export const latest = (times: readonly Date[]): Date | undefined =>
  times.length === 0 ? undefined : new Date(Math.max(...times.map(Number)))

/** RFC 9110 §10.2.3: seconds, or a date. */
const afterOf = (headers: Headers, now: Date): Date | undefined => {
  const value = headers.get('retry-after')
  const seconds = numberOf(value)
  return seconds === null ? dateOf(value, now) : bounded(now.getTime() + seconds * 1_000, now)
}

/**
 * A header with the end of a rate-limit window. Some networks send the seconds of the epoch, some the milliseconds,
 * some the seconds left, and Mastodon a date; with several windows the first one counts.
 */
export const resetOf = (headers: Headers, name: string, now: Date): Date | undefined => {
  const value = headers.get(name)
  const number = numberOf(value?.split(/[,;]/)[0]?.trim())
  if (number === null) return dateOf(value, now)
  if (number > EPOCH_MILLISECONDS) return bounded(number, now)
  return bounded(number > EPOCH_SECONDS ? number * 1_000 : now.getTime() + number * 1_000, now)
}

/** More seconds than any window has, and fewer than have passed since 1970. */
const EPOCH_SECONDS = 1_000_000_000
const EPOCH_MILLISECONDS = EPOCH_SECONDS * 1_000

const dateOf = (value: string | null, now: Date): Date | undefined =>
  value === null ? undefined : bounded(Date.parse(value), now)

/** Times in the past are ignored. */
const bounded = (at: number, now: Date): Date | undefined =>
  at >= now.getTime() ? new Date(Math.min(at, now.getTime() + LONGEST_MS)) : undefined

/** The time this long from now, within the bounds of a retry. */
export const afterMs = (now: Date, milliseconds: number): Date => bounded(now.getTime() + milliseconds, now) ?? now
