/** Rows as they were in sight: the first one's place in the list and their keys in order; rows on their way have none. */
export type Sight = { first: number; keys: readonly (string | undefined)[] }

/**
 * By how many places the rows in sight have moved, so that the list can be scrolled after them: a reader in the
 * middle of a list must not lose the line when mail comes in on top. Most of them decide: one alone may have gone elsewhere,
 * as a conversation does that is answered.
 */
export const shiftOf = (sight: Sight, placeOf: (key: string) => number | undefined): number => {
  const votes = new Map<number, number>()
  for (const [offset, key] of sight.keys.entries()) {
    const place = key === undefined ? undefined : placeOf(key)
    if (place === undefined) continue
    const shift = place - (sight.first + offset)
    votes.set(shift, (votes.get(shift) ?? 0) + 1)
  }
  const [best] = [...votes].toSorted(([, a], [, b]) => b - a)
  return best?.[0] ?? 0
}

/** The pages of a list that rows are on, from 1. */
export const pagesBetween = (first: number, last: number, perPage: number): readonly number[] => {
  const [from, to] = [Math.floor(Math.max(0, first) / perPage), Math.floor(Math.max(0, last) / perPage)]
  return Array.from({ length: to - from + 1 }, (_, index) => from + index + 1)
}
