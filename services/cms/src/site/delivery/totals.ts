import type { CmsDb } from '../../context.ts'
import type { ContentVersions } from './changes.ts'
import { countByType } from './queries.ts'

/** More different questions are not asked between two changes; beyond it, all are counted again. */
const MAX_HELD = 5_000

/** Numbers that are worked out once per public version. */
export type Totals = {
  /** A total that was counted before, under the same version. */
  get(key: string): number | undefined
  /** Keeps a total, if nothing has changed since `version`. */
  keep(key: string, total: number, version: number): void
  /** Published entries of the type. */
  ofType(type: string): Promise<number>
}

export const createTotals = (db: CmsDb, versions: ContentVersions): Totals => {
  const held = new Map<string, number>()
  let version = 0
  let byType: ReadonlyMap<string, number> | undefined

  const refresh = (): void => {
    if (version === versions.public() && versions.isCurrent() && held.size <= MAX_HELD) return
    held.clear()
    byType = undefined
    version = versions.public()
  }

  return {
    get(key) {
      refresh()
      return held.get(key)
    },
    keep(key, total, readAt) {
      refresh()
      if (readAt === version && versions.isCurrent()) held.set(key, total)
    },
    async ofType(type) {
      refresh()
      const before = versions.public()
      const counts = byType ?? (await countByType(db))
      refresh()
      if (before === version && versions.isCurrent()) byType = counts
      return counts.get(type) ?? 0
    },
  }
}
