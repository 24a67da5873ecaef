/** What was made of messages, as long as there is room. Messages never change, so nothing in it is ever wrong. */
export type ReadingCache<T> = {
  get(key: string): T | undefined
  /** `weight` is about how many bytes it takes. */
  set(key: string, value: T, weight: number): void
}

/** Keeps what was asked for last. One that is larger than an eighth of the room is not kept. */
export const createReadingCache = <T>(maxBytes: number): ReadingCache<T> => {
  const entries = new Map<string, { value: T; weight: number }>()
  let total = 0
  const drop = (key: string): void => {
    total -= entries.get(key)?.weight ?? 0
    entries.delete(key)
  }
  return {
    get(key) {
      const entry = entries.get(key)
      if (!entry) return undefined
      entries.delete(key)
      entries.set(key, entry)
      return entry.value
    },
    set(key, value, weight) {
      drop(key)
      if (weight > maxBytes / 8) return
      entries.set(key, { value, weight })
      total += weight
      for (const oldest of entries.keys()) {
        if (total <= maxBytes) break
        drop(oldest)
      }
    },
  }
}
