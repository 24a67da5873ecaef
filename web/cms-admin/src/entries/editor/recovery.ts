import { isDirty, type State, unsavedMembers } from './session-state.ts'
import { type Changes, changedMembers, changesOf, type Values, withChanges } from './values.ts'

/** What was typed and not saved, kept in this browser. */
export type Copy = {
  /** One for each time that an entry is opened: two tabs do not write over each other. */
  id: string
  account: string
  /** The entry, or the kind of a new one. */
  place: string
  at: number
  /** The version that it was made from; null for a new entry. */
  version: number | null
  changes: Changes
}

/** Whoever finds a copy after so long has forgotten what it was. */
export const MAX_AGE_MS = 30 * 86_400_000

/** Where the copies of an entry are; a new one is found again by its type and what it translates. */
export const placeOf = (entryId: string | null, type: string, translationOf: string | null): string =>
  entryId ?? `new:${type}:${translationOf ?? ''}`

/** What to keep of a session; undefined when everything is saved. */
export const copyOf = (state: State, about: Pick<Copy, 'id' | 'account' | 'place' | 'at'>): Copy | undefined =>
  isDirty(state)
    ? { ...about, version: state.entry?.version ?? null, changes: changesOf(state.values, unsavedMembers(state)) }
    : undefined

/** The newest copy that says something else than what is saved, and all that are of no use any more. */
export const chooseCopy = (copies: readonly Copy[], saved: Values, now: number) => {
  const useful = copies
    .filter(({ at, changes }) => now - at < MAX_AGE_MS && changedMembers(withChanges(saved, changes), saved).length > 0)
    .toSorted((a, b) => b.at - a.at)
  const [offered] = useful
  return { offered, useless: copies.filter((copy) => !useful.includes(copy)) }
}
