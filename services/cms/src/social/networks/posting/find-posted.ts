import { type JsonObject, objectOf, textOf } from '../http/read-reply.ts'

/** Clocks of networks and ours are not the same to the second. */
const CLOCK_SLACK_MS = 60_000

type Search = { since: Date; timeMember: string; pageSize: number; isSame(item: JsonObject): boolean }

/**
 * Looks for a post in the newest ones of an account. When all of them are newer than the first try, ours may be further
 * down, so that nothing is known.
 */
export const findPosted = (
  newest: unknown,
  { since, timeMember, pageSize, isSame }: Search,
): JsonObject | 'not-posted' | 'unknown' => {
  if (!Array.isArray(newest)) return 'unknown'
  const candidates = newest.map(objectOf).filter((item) => timeOf(item[timeMember]) >= since.getTime() - CLOCK_SLACK_MS)
  const found = candidates.find((item) => textOf(item.id) !== null && isSame(item))
  if (found) return found
  return candidates.length >= pageSize ? 'unknown' : 'not-posted'
}

/** Milliseconds since 1970, or a text: one without a zone is in UTC. */
const timeOf = (value: unknown): number => {
  if (typeof value === 'number') return value
  const text = textOf(value) ?? ''
  return Date.parse(/(Z|[+-]\d{2}:?\d{2})$/.test(text) ? text : `${text}Z`)
}

/** Networks trim what they are given. */
export const isSameText = (theirs: unknown, ours: string): boolean => plain(textOf(theirs) ?? '') === plain(ours)

const plain = (text: string): string => text.replaceAll('\r\n', '\n').trim()
