import { diffArrays } from 'diff'

export type RunKind = 'same' | 'added' | 'removed'

/** Neighbors with the same fate. Of what is the same, the later ones. */
export type Run<T> = { kind: RunKind; items: readonly T[] }

/** More differences are found by nobody's eye either, and the search for them grows with their square. */
const MAX_EDITS = 2_000
/** Time limit on any machine: the tab must not freeze. */
const MAX_MS = 300

/**
 * What stays, comes and goes from one sequence to another. Where they differ too much, all between their common beginning
 * and end goes and comes.
 */
export const diffItems = <T>(
  before: readonly T[],
  after: readonly T[],
  keyOf: (item: T) => string,
  maxEdits = MAX_EDITS,
): Run<T>[] => {
  const [old, present] = numbered(before.map(keyOf), after.map(keyOf))
  const start = commonStart(old, present)
  const end = commonEnd(old, present, start)
  const middle = [old.slice(start, old.length - end), present.slice(start, present.length - end)] as const
  const changes = diffArrays(...middle, { maxEditLength: maxEdits, timeout: MAX_MS })
  const counts = changes?.map(({ added, removed, count }) => ({ kind: kindOf(added, removed), count })) ?? [
    { kind: 'removed' as const, count: middle[0].length },
    { kind: 'added' as const, count: middle[1].length },
  ]
  return runsOf(before, after, [{ kind: 'same', count: start }, ...counts, { kind: 'same', count: end }])
}

/** How much two sets of words have in common, from 0 to 1. */
export const likeness = (before: readonly string[], after: readonly string[]): number => {
  if (before.length + after.length === 0) return 1
  const left = new Map<string, number>()
  for (const word of before) left.set(word, (left.get(word) ?? 0) + 1)
  let common = 0
  for (const word of after) {
    const count = left.get(word) ?? 0
    if (count === 0) continue
    left.set(word, count - 1)
    common += 1
  }
  return (2 * common) / (before.length + after.length)
}

const kindOf = (added: boolean, removed: boolean): RunKind => (added ? 'added' : removed ? 'removed' : 'same')

/** Numbers compare faster than long texts. */
const numbered = (before: readonly string[], after: readonly string[]): [number[], number[]] => {
  const numbers = new Map<string, number>()
  const numberOf = (key: string) => {
    const known = numbers.get(key) ?? numbers.size
    numbers.set(key, known)
    return known
  }
  return [before.map(numberOf), after.map(numberOf)]
}

const commonStart = (a: readonly number[], b: readonly number[]): number => {
  let count = 0
  while (count < a.length && count < b.length && a[count] === b[count]) count += 1
  return count
}

const commonEnd = (a: readonly number[], b: readonly number[], start: number): number => {
  const most = Math.min(a.length, b.length) - start
  let count = 0
  while (count < most && a[a.length - 1 - count] === b[b.length - 1 - count]) count += 1
  return count
}

const runsOf = <T>(
  before: readonly T[],
  after: readonly T[],
  counts: readonly { kind: RunKind; count: number }[],
): Run<T>[] => {
  const runs: Run<T>[] = []
  let old = 0
  let present = 0
  for (const { kind, count } of counts) {
    if (count === 0) continue
    const items = kind === 'removed' ? before.slice(old, old + count) : after.slice(present, present + count)
    if (kind !== 'added') old += count
    if (kind !== 'removed') present += count
    const last = runs.at(-1)
    if (last?.kind === kind) runs[runs.length - 1] = { kind, items: [...last.items, ...items] }
    else runs.push({ kind, items })
  }
  return runs
}
