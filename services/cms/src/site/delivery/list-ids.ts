import type { ContentVersions, Sources } from './changes.ts'

/** The total of all lists; the least recently used are dropped first. */
const MAX_IDS = 100_000

/**
 * Which entries a narrowed list has, in its order, as long as nothing has changed in it: its pages are read by their ids
 * instead of being searched for, each time by another plan.
 */
export type ListIds = {
  get(list: string): readonly string[] | undefined
  /** Keeps what was read since the public version. */
  keep(list: string, ids: readonly string[], read: { sources: Sources; version: number }): void
}

type Held = { ids: readonly string[]; sources: Sources; version: number }

export const createListIds = (versions: ContentVersions): ListIds => {
  const lists = new Map<string, Held>()
  let count = 0
  const drop = (list: string): void => {
    count -= lists.get(list)?.ids.length ?? 0
    lists.delete(list)
  }
  const put = (list: string, held: Held): void => {
    drop(list)
    lists.set(list, held)
    count += held.ids.length
    for (const oldest of lists.keys()) {
      if (count <= MAX_IDS) break
      drop(oldest)
    }
  }
  return {
    get(list) {
      const held = lists.get(list)
      if (held === undefined) return undefined
      if (versions.isCurrent() && !versions.hasChanged(held.sources, held.version)) {
        put(list, held)
        return held.ids
      }
      drop(list)
      return undefined
    },
    keep(list, ids, { sources, version }) {
      if (versions.isCurrent() && ids.length > 0) put(list, { ids, sources, version })
    },
  }
}
