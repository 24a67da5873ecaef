import { isSameJson } from '@stoa/cms-model/entry-diff.ts'
import { likeness } from './runs.ts'
import { wordsOf } from './words.ts'

/** An item of a list and how it changed; places count from 0. */
export type ItemRow =
  | { kind: 'same' | 'moved' | 'changed'; before: unknown; after: unknown; from: number; to: number; isMoved: boolean }
  | { kind: 'added'; after: unknown; to: number }
  | { kind: 'removed'; before: unknown; from: number }

type Pair = { from: number; to: number; isSame: boolean }

/** Items with less in common are not two states of one item. */
const ALIKE = 0.35
/** Pairs of changed items that are compared; beyond it items of the same place are taken for each other. */
const MAX_COMPARED = 2_500
/** So much of an item says whether it is like another. */
const MAX_WORDS = 400

/** How each item changed: in the present order, with those that are gone where they were. */
export const diffRows = (before: readonly unknown[], after: readonly unknown[]): ItemRow[] => {
  const same = pairSame(before, after)
  const left = (taken: readonly number[], length: number) => {
    const known = new Set(taken)
    return Array.from({ length }, (_, at) => at).filter((at) => !known.has(at))
  }
  const old = left(
    same.map(({ from }) => from),
    before.length,
  )
  const present = left(
    same.map(({ to }) => to),
    after.length,
  )
  const pairs = [...same, ...pairAlike(before, after, old, present)].sort((a, b) => a.to - b.to)
  const inPlace = longestRise(pairs.map(({ from }) => from))
  const rows: ItemRow[] = pairs.map(({ from, to, isSame }, at) => {
    const isMoved = !inPlace.has(at)
    const kind = isSame ? (isMoved ? 'moved' : 'same') : 'changed'
    return { kind, before: before[from], after: after[to], from, to, isMoved }
  })
  const known = new Set(pairs.map(({ to }) => to))
  for (const [to, item] of after.entries()) if (!known.has(to)) rows.push({ kind: 'added', after: item, to })
  rows.sort((a, b) => placeOf(a) - placeOf(b))
  return withRemoved(rows, before, pairs)
}

const placeOf = (row: ItemRow): number => (row.kind === 'removed' ? row.from : row.to)

/** Items that are exactly the same, each once, the nearest first by their order. */
const pairSame = (before: readonly unknown[], after: readonly unknown[]): Pair[] => {
  const waiting = new Map<string, number[]>()
  for (const [from, item] of before.entries()) {
    const key = keyOf(item)
    waiting.set(key, [...(waiting.get(key) ?? []), from])
  }
  const pairs: Pair[] = []
  // First what stayed where it was: the same value twice is no move
  const rest = after.flatMap((item, to) => {
    const places = waiting.get(keyOf(item)) ?? []
    const at = places.indexOf(to)
    if (at < 0) return [to]
    places.splice(at, 1)
    pairs.push({ from: to, to, isSame: true })
    return []
  })
  for (const to of rest) {
    const from = waiting.get(keyOf(after[to]))?.shift()
    if (from !== undefined) pairs.push({ from, to, isSame: true })
  }
  return pairs
}

/** Members in one order, so that the same item has the same key. */
const keyOf = (item: unknown): string =>
  JSON.stringify(item, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  ) ?? ''

/** Items that changed: the likest first. */
const pairAlike = (
  before: readonly unknown[],
  after: readonly unknown[],
  old: readonly number[],
  present: readonly number[],
): Pair[] => {
  if (old.length * present.length > MAX_COMPARED) return pairByPlace(old, present)
  const candidates = old
    .flatMap((from) => present.map((to) => ({ from, to, score: score(before[from], after[to]) })))
    .filter(({ score }) => score >= ALIKE)
    .sort((a, b) => b.score - a.score || Math.abs(a.from - a.to) - Math.abs(b.from - b.to))
  const taken = { from: new Set<number>(), to: new Set<number>() }
  return candidates.flatMap(({ from, to }) => {
    if (taken.from.has(from) || taken.to.has(to)) return []
    taken.from.add(from)
    taken.to.add(to)
    return [{ from, to, isSame: false }]
  })
}

const pairByPlace = (old: readonly number[], present: readonly number[]): Pair[] => {
  const places = new Set(present)
  return old.filter((at) => places.has(at)).map((at) => ({ from: at, to: at, isSame: false }))
}

/** Items with members by how many of them are the same, and by their words. */
const score = (before: unknown, after: unknown): number => {
  if (!isRecord(before) || !isRecord(after)) return 0
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  const filled = [...names].filter((name) => !isBlank(before[name]) || !isBlank(after[name]))
  const same = filled.filter((name) => isSameJson(before[name], after[name])).length
  const members = filled.length === 0 ? 0 : same / filled.length
  return Math.max(members, likeness(textOf(before), textOf(after)))
}

const textOf = (item: Record<string, unknown>): string[] => {
  const words: string[] = []
  for (const value of Object.values(item))
    if (words.length < MAX_WORDS && typeof value === 'string')
      words.push(...wordsOf(value.slice(0, MAX_WORDS * 10)).filter((word) => word.trim() !== ''))
  return words.slice(0, MAX_WORDS)
}

const isBlank = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  value === false ||
  (Array.isArray(value) && value.length === 0)

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The places of the longest rising subsequence: those items kept their order, the others were moved. */
const longestRise = (values: readonly number[]): ReadonlySet<number> => {
  const tails: number[] = []
  const previous: number[] = []
  for (const [at, value] of values.entries()) {
    let low = 0
    let high = tails.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((values[tails[middle] ?? 0] ?? 0) < value) low = middle + 1
      else high = middle
    }
    previous[at] = low > 0 ? (tails[low - 1] ?? -1) : -1
    tails[low] = at
  }
  const kept = new Set<number>()
  for (let at = tails.at(-1) ?? -1; at >= 0; at = previous[at] ?? -1) kept.add(at)
  return kept
}

/** Puts each item that is gone behind the one that was before it. */
const withRemoved = (rows: readonly ItemRow[], before: readonly unknown[], pairs: readonly Pair[]): ItemRow[] => {
  const stayed = new Set(pairs.map(({ from }) => from))
  const followers = new Map<number, ItemRow[]>()
  let anchor = -1
  for (const [from, item] of before.entries()) {
    if (stayed.has(from)) anchor = from
    else followers.set(anchor, [...(followers.get(anchor) ?? []), { kind: 'removed', before: item, from }])
  }
  return [
    ...(followers.get(-1) ?? []),
    ...rows.flatMap((row) => ('from' in row ? [row, ...(followers.get(row.from) ?? [])] : [row])),
  ]
}
