import { chooseKept } from '../../unsaved/keep.ts'
import { isRecord, type Kept } from '../../unsaved/store.ts'
import { type Changed, changesOf, type Draft, type Drafts, isChanged, restoredDraft } from './drafts.ts'

/** Unsaved changes to the site, kept in this browser: of each source only what differs from the saved values. */
export type SiteCopy = Kept & { sources: Readonly<Record<string, Draft>> }

export const SITE_PLACE = 'site'

/** Another version of this page may have written something else. */
export const isSiteCopy = (kept: Kept & { sources?: unknown }): kept is SiteCopy =>
  isRecord(kept.sources) && Object.values(kept.sources).every(isDraft)

const isDraft = (value: unknown): boolean =>
  isRecord(value) &&
  (value.version === null || typeof value.version === 'number') &&
  isRecord(value.saved) &&
  isRecord(value.values)

/** The copy to keep of the site; undefined when everything is saved. */
export const copyOfSite = ({ sources }: Drafts, about: Omit<Kept, 'place'>): SiteCopy | undefined => {
  const changed = Object.entries(sources).filter(([, draft]) => isChanged(draft))
  if (changed.length === 0) return undefined
  return { ...about, place: SITE_PLACE, sources: Object.fromEntries(changed.map(([key, draft]) => [key, part(draft)])) }
}

const part = (draft: Draft): Draft => {
  const values = changesOf(draft)
  const saved = Object.fromEntries(Object.keys(values).map((member) => [member, draft.saved[member]]))
  return { version: draft.version, saved, values }
}

/** The sources of a copy that would be something else with it. */
export const restorable = ({ sources }: Drafts, copy: SiteCopy): string[] =>
  Object.entries(copy.sources).flatMap(([key, { values }]) => {
    const draft = sources[key]
    return draft && Object.keys(changesOf({ values, saved: draft.saved })).length > 0 ? [key] : []
  })

export const chooseSiteCopy = (copies: readonly SiteCopy[], drafts: Drafts, now: number) =>
  chooseKept(copies, (copy) => restorable(drafts, copy).length > 0, now)

/** The drafts as they were left, and a step for each of them. */
export const restoredSite = (drafts: Drafts, copy: SiteCopy, labelOf: (source: string) => string): Changed =>
  restorable(drafts, copy).reduce<Changed>(
    (now, source) => {
      const left = copy.sources[source]
      const next = left && restoredDraft(now.drafts, { source, left, label: labelOf(source) })
      return next ? { drafts: next.drafts, steps: [...now.steps, ...next.steps] } : now
    },
    { drafts, steps: [] },
  )
