import type { DesignRecord } from '@stoa/cms-model/design.ts'
import type { WebsiteState } from '@stoa/cms-model/website.ts'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { changed, type Drafts, noDrafts, redone, refreshed, type Stored, undone, type Values } from './drafts.ts'
import { type Sources, sourcesOf } from './sources.ts'

export type DraftsHandle = {
  sources: Sources
  drafts: Drafts
  /** What holds at this moment: a save goes on while someone types. */
  now: () => Drafts
  update: (next: (drafts: Drafts) => Drafts) => void
  /** `place` is where someone typed, if not in the member as a whole; null for what is no typing. */
  change: (source: string, values: Values, label: string, place?: string | null) => void
  undo: () => void
  redo: () => void
}

/** What is edited on the site, over what the service holds of it. */
export const useDrafts = (website: WebsiteState, design: DesignRecord): DraftsHandle => {
  const sources = useMemo(() => sourcesOf(website, design), [website, design])
  const [drafts, setDrafts] = useState(() => refreshed(noDrafts, storedIn(sources)))
  const latest = useRef(drafts)
  const update = useCallback((next: (drafts: Drafts) => Drafts) => {
    latest.current = next(latest.current)
    setDrafts(latest.current)
  }, [])
  useEffect(() => update((now) => refreshed(now, storedIn(sources))), [sources, update])
  return {
    sources,
    drafts,
    now: () => latest.current,
    update,
    change: (source, values, label, place) =>
      update((now) =>
        changed(now, { source, values, label, at: Date.now(), ...(place === undefined ? {} : { place }) }),
      ),
    // A draft that is left alone again follows what is stored
    undo: () => update((now) => refreshed(undone(now), storedIn(sources))),
    redo: () => update(redone),
  }
}

const storedIn = (sources: Sources): Record<string, Stored> =>
  Object.fromEntries(Object.entries(sources).map(([key, { stored }]) => [key, stored]))
