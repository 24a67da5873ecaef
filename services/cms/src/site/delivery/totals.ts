import type { CmsDb } from '../../context.ts'
import { ALL_ENTRIES, type ContentVersions, type Sources } from './changes.ts'
import { countByType } from './queries.ts'

/** More different questions are not asked between two changes; beyond it, all are counted again. */
const MAX_HELD = 5_000

/** Numbers that are worked out once, and again when something of what they count has changed. */
export type Totals = {
  /** A total that was counted before and still holds. */
  get(key: string): number | undefined
  /** Keeps a total of these sources, read since the public version. */
  keep(key: string, total: number, read: { sources: Sources; version: number }): void
  /** Published entries of the type. */
  ofType(type: string): Promise<number>
}

type Held = { total: number; sources: Sources; version: number }

export const createTotals = (db: CmsDb, versions: ContentVersions): Totals => {
  const held = new Map<string, Held>()
  let byType: { counts: ReadonlyMap<string, number>; version: number } | undefined

  return {
    get(key) {
      const known = held.get(key)
      if (known === undefined) return undefined
      if (versions.isCurrent() && !versions.hasChanged(known.sources, known.version)) return known.total
      held.delete(key)
      return undefined
    },
    keep(key, total, { sources, version }) {
      if (held.size >= MAX_HELD) held.clear()
      if (versions.isCurrent()) held.set(key, { total, sources, version })
    },
    async ofType(type) {
      if (!versions.isCurrent() || (byType && versions.hasChanged([ALL_ENTRIES], byType.version))) byType = undefined
      if (byType) return byType.counts.get(type) ?? 0
      const version = versions.public()
      const counts = await countByType(db)
      if (versions.isCurrent()) byType = { counts, version }
      return counts.get(type) ?? 0
    },
  }
}
