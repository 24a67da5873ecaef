import { changedMembers } from '@stoa/ui/form/changed-members.ts'
import { differs } from '@stoa/ui/form/form-errors.ts'
import { type Members, pick, type Step, sidesOf, type UndoDirection, untouchedMembers } from '../../undo-history.ts'

export type Values = Members

/** The service's copy of a source; the version is null while it is not stored. */
export type Stored = { readonly version: number | null; readonly values: Values }

/** A menu, an entry, the settings or a surface of the design, with what was typed over what is saved. */
export type Draft = { readonly version: number | null; readonly saved: Values; readonly values: Values }

/** Everything that is edited on the site, by the keys of its sources. */
export type Drafts = { readonly sources: Readonly<Record<string, Draft>> }

export const noDrafts: Drafts = { sources: {} }

type Change = {
  source: string
  values: Values
  at: number
  /** The name of the part or surface. */
  label: string
  /** The input that was typed in; the member itself, if absent. */
  place?: string | null
}

/** Drafts after a change, and the steps that take it back. */
export type Changed = { drafts: Drafts; steps: readonly Step[] }

/** After a person changed members of a source; undefined when they are as they were. */
export const changed = (drafts: Drafts, { source, values, at, label, ...change }: Change): Changed | undefined => {
  const draft = drafts.sources[source]
  const after = draft ? changedMembers(values, draft.values) : {}
  const [member, ...more] = Object.keys(after)
  if (!draft || member === undefined) return undefined
  const place = change.place === undefined && more.length === 0 ? member : (change.place ?? null)
  const before = pick(draft.values, [member, ...more])
  return { drafts: withValues(drafts, source, after), steps: [{ source, before, after, at, place, label }] }
}

/**
 * A draft as it was left on an earlier visit. It stays one of the version that it was made from: what someone else saved
 * since then is found out by its save, and nothing of theirs is written over unasked.
 */
export const restoredDraft = (
  drafts: Drafts,
  { source, left, label }: { source: string; left: Draft; label: string },
): Changed | undefined => {
  const draft = drafts.sources[source]
  if (!draft) return undefined
  const next = {
    version: left.version,
    saved: { ...draft.saved, ...left.saved },
    values: { ...draft.values, ...left.values },
  }
  return {
    drafts: { sources: { ...drafts.sources, [source]: next } },
    steps: [{ source, before: left.saved, after: left.values, at: 0, place: null, label }],
  }
}

/** A step back or forth, and the members of it that were not changed elsewhere since. */
export const taken = (
  drafts: Drafts,
  step: Step,
  turn: UndoDirection,
): { drafts: Drafts; members: readonly string[] } => {
  const draft = drafts.sources[step.source]
  if (!draft) return { drafts, members: [] }
  const members = untouchedMembers(step, turn, (member) => draft.values[member])
  return { drafts: withValues(drafts, step.source, pick(sidesOf(step, turn).puts, members)), members }
}

const withValues = (drafts: Drafts, source: string, values: Values): Drafts => {
  const draft = drafts.sources[source]
  if (!draft) return drafts
  return { sources: { ...drafts.sources, [source]: { ...draft, values: { ...draft.values, ...values } } } }
}

/** The members that differ from what is saved: only they are sent. */
export const changesOf = ({ values, saved }: Pick<Draft, 'values' | 'saved'>): Values => changedMembers(values, saved)

export const isChanged = (draft: Draft | undefined): boolean =>
  draft !== undefined && Object.keys(changesOf(draft)).length > 0

/** The keys of the sources that are not saved. */
export const unsavedSources = ({ sources }: Drafts): string[] =>
  Object.keys(sources).filter((key) => isChanged(sources[key]))

/** The saved values of every source. */
export const savedOf = ({ sources }: Drafts): Readonly<Record<string, Values>> =>
  Object.fromEntries(Object.entries(sources).map(([key, draft]) => [key, draft.saved]))

/** After the service was read. A source that is being changed stays as it is: its save finds out. */
export const refreshed = (drafts: Drafts, stored: Readonly<Record<string, Stored>>): Drafts => {
  const sources = { ...drafts.sources }
  for (const [key, { version, values }] of Object.entries(stored)) {
    const draft = sources[key]
    const isOlder = draft?.version != null && version !== null && version < draft.version
    if (isOlder || isChanged(draft)) continue
    sources[key] = { version, saved: values, values }
  }
  return { ...drafts, sources }
}

/** After a save of `sent`. What was typed since stays, and counts as unsaved. */
export const saved = (drafts: Drafts, source: string, sent: Values, stored: Stored): Drafts => {
  const draft = drafts.sources[source]
  if (!draft) return drafts
  const values = Object.fromEntries(
    Object.entries(draft.values).map(([member, now]) => {
      const seen = Object.hasOwn(sent, member) ? sent[member] : draft.saved[member]
      return [member, differs(now, seen) || !Object.hasOwn(stored.values, member) ? now : stored.values[member]]
    }),
  )
  const next = { version: stored.version, saved: { ...draft.saved, ...stored.values }, values }
  return { ...drafts, sources: { ...drafts.sources, [source]: next } }
}

export type Side = 'mine' | 'theirs'

/** A member that someone else changed; `mine` is there when this person changed it, too. */
export type Difference = { member: string; before: unknown; theirs: unknown; mine?: { value: unknown } }

/** Changes by others since this person loaded the source. */
export const differencesOf = (draft: Draft, theirs: Stored): Difference[] =>
  Object.keys(draft.values).flatMap((member) => {
    const [before, mine, other] = [draft.saved[member], draft.values[member], theirs.values[member]]
    if (!Object.hasOwn(theirs.values, member) || !differs(before, other)) return []
    const isBoth = differs(mine, before) && differs(mine, other)
    return [{ member, before, theirs: other, ...(isBoth ? { mine: { value: mine } } : {}) }]
  })

/** My changes on top of theirs; where both changed a member, the chosen side wins. */
export const rebased = (drafts: Drafts, source: string, theirs: Stored, sideOf: (member: string) => Side): Drafts => {
  const draft = drafts.sources[source]
  if (!draft) return drafts
  const mine = Object.entries(changesOf(draft)).filter(([member]) => sideOf(member) === 'mine')
  const base = { ...draft.saved, ...theirs.values }
  const next = { version: theirs.version, saved: base, values: { ...base, ...Object.fromEntries(mine) } }
  return { ...drafts, sources: { ...drafts.sources, [source]: next } }
}
