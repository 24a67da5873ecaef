import type { Comparator, Match, MatchType } from '../define.ts'
import type { Run } from '../run-state.ts'
import { capture } from './captures.ts'
import { indexOf } from './search.ts'
import { matchWildcards } from './wildcard.ts'

/** True when some value and some key fit together, in the order of the values. */
export const anyPair = (
  values: readonly string[],
  keys: readonly string[],
  run: Run,
  fits: (value: string, key: string) => boolean,
): boolean => {
  for (const value of values)
    for (const key of keys) {
      run.spend(1 + (value.length + key.length) / 64)
      if (fits(value, key)) return true
    }
  return false
}

/** The texts as the comparator sees them. */
const folded = (texts: readonly string[], { fold, work }: Comparator, run: Run): string[] =>
  texts.map((text) => {
    if (work) run.spend(work(text))
    return fold(text)
  })

/** RFC 5228 §2.7.1. */
export const is: MatchType = {
  match: (values, keys, { comparator }, run) =>
    anyPair(folded(values, comparator, run), folded(keys, comparator, run), run, (value, key) => value === key),
}

export const contains: MatchType = {
  needsSubstrings: true,
  match: (values, keys, { comparator }, run) =>
    anyPair(
      folded(values, comparator, run),
      folded(keys, comparator, run),
      run,
      (value, key) => indexOf(value, key) >= 0,
    ),
}

export const matches: MatchType = {
  needsSubstrings: true,
  match: (values, keys, match, run) => anyPair(values, keys, run, (value, key) => fitsPattern(value, key, match, run)),
}

const fitsPattern = (value: string, key: string, { comparator }: Match, run: Run): boolean => {
  if (comparator.work) run.spend(comparator.work(value) + comparator.work(key))
  const taken = matchWildcards(value, key, comparator, run.spend)
  if (taken) capture(run, [value, ...taken])
  return taken !== null
}
