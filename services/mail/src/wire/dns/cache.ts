import type { Clock } from '@stoa/kit/clock.ts'

/** Answers by name and type for their TTL, within bounds. */
export type AnswerCache<V> = { get(key: string): V | undefined; keep(key: string, value: V, seconds: number): void }

const MAX_ANSWERS = 10_000

/** Two generations: when the young one is full it becomes the old one, and the old one is dropped whole. */
export const createAnswerCache = <V>(clock: Clock): AnswerCache<V> => {
  type Kept = { value: V; until: number }
  let young = new Map<string, Kept>()
  let old = new Map<string, Kept>()
  return {
    get: (key) => {
      const kept = young.get(key) ?? old.get(key)
      return kept && kept.until > clock.now().getTime() ? kept.value : undefined
    },
    keep: (key, value, seconds) => {
      if (young.size >= MAX_ANSWERS / 2 && !young.has(key)) {
        old = young
        young = new Map()
      }
      young.set(key, { value, until: clock.now().getTime() + seconds * 1000 })
    },
  }
}
