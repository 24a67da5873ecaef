import type { DesignRecord } from '@stoa/cms-model/design.ts'
import type { WebsiteState } from '@stoa/cms-model/website.ts'
import { changedMembers } from '@stoa/ui/form/changed-members.ts'
import { useEffect, useEffectEvent, useMemo, useSyncExternalStore } from 'react'
import type { Step } from '../../undo-history.ts'
import { pageOf } from '../../undo-sources.ts'
import type { UndoStack } from '../../undo-stack.ts'
import { useEditWork } from '../edit-work.ts'
import { type Changed, changed, type Drafts, refreshed, type Stored, taken, type Values } from './drafts.ts'
import type { Chosen } from './site-work.ts'
import { keyOfPart, type Sources, sourcesOf, surfaceOf } from './sources.ts'

export type DraftsHandle = {
  sources: Sources
  drafts: Drafts
  stack: UndoStack
  /** The drafts at this moment: people type while a save is running. */
  now: () => Drafts
  update: (next: (drafts: Drafts) => Drafts) => void
  /** Applies a change by a person, which can be undone. */
  apply: (change: (drafts: Drafts) => Changed | undefined) => void
  /** After a save of this source: what the service stored in another form is no step of anybody. */
  settle: (source: string, next: (drafts: Drafts) => Drafts) => void
  /** `place` is where someone typed, if not in the member as a whole; null for what is no typing. */
  change: (source: string, values: Values, label: string, place?: string | null) => void
}

/** What is edited on the site, over what the service holds of it. */
export const useDrafts = (website: WebsiteState, design: DesignRecord): DraftsHandle => {
  const { site, stack } = useEditWork()
  const sources = useMemo(() => sourcesOf(website, design), [website, design])
  const drafts = useSyncExternalStore(site.subscribe, site.drafts)
  const stored = useEffectEvent(() => storedIn(sources))
  const chosen = useEffectEvent((step: Step) => chosenFor(website, step))
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the service holds was read again
  useEffect(() => site.update((now) => refreshed(now, stored())), [site, sources])
  useEffect(
    () =>
      stack.offer({
        holds: (source) => pageOf(source) === undefined,
        take: (step, turn) => {
          const next = taken(site.drafts(), step, turn)
          // A draft that is left alone again follows what is stored
          site.update(() => refreshed(next.drafts, stored()))
          if (next.members.length > 0) site.choose(chosen(step))
          return next.members
        },
      }),
    [site, stack],
  )
  const apply = (change: (drafts: Drafts) => Changed | undefined) => {
    const next = change(site.drafts())
    if (!next) return
    site.update(() => next.drafts)
    for (const step of next.steps) stack.record(step)
  }
  return {
    sources,
    drafts,
    stack,
    now: site.drafts,
    update: site.update,
    apply,
    settle: (source, next) => {
      const was = site.drafts().sources[source]?.values ?? {}
      site.update(next)
      const is = site.drafts().sources[source]?.values ?? {}
      for (const [member, value] of Object.entries(changedMembers(is, was)))
        stack.restate({ source, member, was: was[member], is: value })
    },
    change: (source, values, label, place) =>
      apply((now) =>
        changed(now, { source, values, label, at: Date.now(), ...(place === undefined ? {} : { place }) }),
      ),
  }
}

/** The part or surface that a step was made in. */
const chosenFor = ({ parts }: WebsiteState, { source, label }: Step): Chosen | null => {
  const surface = surfaceOf(source)
  if (surface !== undefined) return { kind: 'surface', id: surface }
  const shown = parts.filter((part) => keyOfPart(part) === source)
  const part = shown.find((one) => one.label === label) ?? shown[0]
  return part ? { kind: 'part', id: part.id } : null
}

const storedIn = (sources: Sources): Record<string, Stored> =>
  Object.fromEntries(Object.entries(sources).map(([key, { stored }]) => [key, stored]))
