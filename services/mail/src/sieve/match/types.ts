import type { Match, MatchType } from '../define.ts'
import type { Run } from '../run.ts'
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

/** RFC 5228 §2.7.1. */
export const is: MatchType = {
  match: (values, keys, { comparator }, run) =>
    anyPair(values, keys, run, (value, key) => comparator.fold(value) === comparator.fold(key)),
}

export const contains: MatchType = {
  needsSubstrings: true,
  match: (values, keys, { comparator }, run) =>
    anyPair(values, keys, run, (value, key) => indexOf(comparator.fold(value), comparator.fold(key)) >= 0),
}

export const matches: MatchType = {
  needsSubstrings: true,
  match: (values, keys, match, run) => anyPair(values, keys, run, (value, key) => fitsPattern(value, key, match, run)),
}

const fitsPattern = (value: string, key: string, { comparator }: Match, run: Run): boolean => {
  const taken = matchWildcards(comparator.fold(value), comparator.fold(key), value, run.spend)
  if (taken) capture(run, [value, ...taken])
  return taken !== null
}
