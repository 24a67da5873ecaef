import { type JsonObject, listOf, objectOf, textOf } from './json.ts'

/** Clocks of networks and ours are not the same to the second. */
const CLOCK_SLACK_MS = 60_000

/**
 * Looks for a post in the newest ones of an account. When all of them are newer than the first try, ours may be further
 * down, so that nothing is known.
 */
export const findPosted = (
  newest: unknown,
  { since, timeMember, pageSize, isSame }: Search,
): JsonObject | 'not-posted' | 'unknown' => {
  const items = listOf(newest).map(objectOf)
  const madeSince = (time: number) => items.filter((item) => timeOf(textOf(item[timeMember]) ?? '') >= time)
  const found = madeSince(since.getTime() - CLOCK_SLACK_MS).find(isSame)
  if (found) return found
  return madeSince(since.getTime()).length >= pageSize ? 'unknown' : 'not-posted'
}

type Search = { since: Date; timeMember: string; pageSize: number; isSame(item: JsonObject): boolean }

/** A time without a zone is in UTC. */
const timeOf = (text: string): number => Date.parse(/(Z|[+-]\d{2}:?\d{2})$/.test(text) ? text : `${text}Z`)

/** Networks trim what they are given. */
export const isSameText = (theirs: unknown, ours: string): boolean => plain(textOf(theirs) ?? '') === plain(ours)

const plain = (text: string): string => text.replaceAll('\r\n', '\n').trim()
