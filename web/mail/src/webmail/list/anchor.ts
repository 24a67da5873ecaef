/** Rows as they were in sight: the first one's place in the list and their ids in order; rows on their way have none. */
export type Sight = { first: number; ids: readonly (string | undefined)[] }

/**
 * By how many places the rows in sight have moved, so that the list can be scrolled after them: whoever reads in the
 * middle of a list must not lose the line when mail comes in on top.
 */
export const shiftOf = (sight: Sight, placeOf: (id: string) => number | undefined): number => {
  for (const [offset, id] of sight.ids.entries()) {
    const place = id === undefined ? undefined : placeOf(id)
    if (place !== undefined) return place - (sight.first + offset)
  }
  return 0
}

/** The pages of a list that rows are on, from 1. */
export const pagesBetween = (first: number, last: number, perPage: number): readonly number[] => {
  const [from, to] = [Math.floor(Math.max(0, first) / perPage), Math.floor(Math.max(0, last) / perPage)]
  return Array.from({ length: to - from + 1 }, (_, index) => from + index + 1)
}
