import { numberOf } from './json.ts'

/** When a network wants to be asked again, by the headers that are usual for it. */
export const retryAtOf = (headers: Headers, now: Date): Date | undefined => {
  const times = [
    afterOf(headers.get('retry-after'), now),
    resetOf(headers.get('x-rate-limit-reset'), now),
    resetOf(headers.get('x-ratelimit-reset'), now),
  ].filter((time) => time !== undefined)
  return times.length === 0 ? undefined : new Date(Math.max(...times.map(Number)))
}

/** RFC 9110 §10.2.3: seconds, or a date. */
const afterOf = (value: string | null, now: Date): Date | undefined => {
  if (value === null) return undefined
  const seconds = numberOf(value.trim())
  if (seconds !== null) return later(now, seconds)
  const date = new Date(value)
  return Number.isNaN(date.getTime()) ? undefined : date
}

/** Some say the second of the epoch, others how many seconds are left; with several windows the first is meant. */
const resetOf = (value: string | null, now: Date): Date | undefined => {
  const seconds = numberOf(value?.split(',')[0]?.trim())
  if (seconds === null) return undefined
  return seconds > EPOCH_SECONDS ? new Date(seconds * 1000) : later(now, seconds)
}

/** More seconds than any window has, and fewer than have passed since 1970. */
const EPOCH_SECONDS = 1_000_000_000

const later = (now: Date, seconds: number): Date | undefined =>
  seconds >= 0 ? new Date(now.getTime() + seconds * 1000) : undefined
