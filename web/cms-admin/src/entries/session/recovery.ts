import { chooseKept } from '../../unsaved/keep.ts'
import { isRecord, type Kept } from '../../unsaved/store.ts'
import { isDirty, type State, unsavedMembers } from './session-state.ts'
import { type Changes, changedMembers, changesOf, type Values, withChanges } from './values.ts'

/** Unsaved text kept in this browser, stored under the entry, or under the type of a new one. */
export type Copy = Kept & {
  /** The version that it was made from; null for a new entry. */
  version: number | null
  changes: Changes
}

/** Another version of this page may have written something else. */
export const isCopy = (kept: Kept & { version?: unknown; changes?: unknown }): kept is Copy =>
  (kept.version === null || typeof kept.version === 'number') && isChanges(kept.changes)

const isChanges = (value: unknown): boolean =>
  isRecord(value) &&
  ['string', 'undefined'].includes(typeof value.title) &&
  ['string', 'undefined'].includes(typeof value.slug) &&
  (value.data === undefined || isRecord(value.data))

/** The storage key for the copies of an entry; a new entry is found by its type and what it translates. */
export const recoveryKey = (entryId: string | null, type: string, translationOf: string | null): string =>
  entryId ?? `new:${type}:${translationOf ?? ''}`

/** The copy to keep of a session; undefined when everything is saved. */
export const copyOf = (state: State, about: Pick<Copy, 'id' | 'account' | 'place' | 'at'>): Copy | undefined =>
  isDirty(state)
    ? { ...about, version: state.entry?.version ?? null, changes: changesOf(state.values, unsavedMembers(state)) }
    : undefined

/** The newest copy that says something else than what is saved, and all that are of no use any more. */
export const chooseCopy = (copies: readonly Copy[], saved: Values, now: number) =>
  chooseKept(copies, ({ changes }) => changedMembers(withChanges(saved, changes), saved).length > 0, now)
