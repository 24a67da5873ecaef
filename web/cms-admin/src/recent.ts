import { readStored, writeStored } from '@stoa/ui/browser/stored.ts'

/** A thing that was opened lately. */
export type Recent = { to: string; label: string; hint: string }

const keyOf = (person: string): string => `${person}:recent`

export const recentsOf = (person: string): readonly Recent[] => readRecents(readStored(keyOf(person)))

export const remember = (person: string, thing: Recent): void =>
  void writeStored(keyOf(person), withRecent(recentsOf(person), thing))

const MAX_RECENT = 6
const MAX_LABEL = 200

/** The stored list of recent items, without invalid ones. */
export const readRecents = (stored: unknown): readonly Recent[] =>
  Array.isArray(stored) ? stored.filter(isRecent).slice(0, MAX_RECENT) : []

/** The latest first, each once. */
export const withRecent = (recents: readonly Recent[], added: Recent): readonly Recent[] =>
  [{ ...added, label: added.label.slice(0, MAX_LABEL) }, ...recents.filter(({ to }) => to !== added.to)].slice(
    0,
    MAX_RECENT,
  )

const isRecent = (value: unknown): value is Recent =>
  typeof value === 'object' &&
  value !== null &&
  'to' in value &&
  typeof value.to === 'string' &&
  // Only a path of this app: the storage is shared with everything else on this origin
  /^\/(?![/\\])/.test(value.to) &&
  'label' in value &&
  typeof value.label === 'string' &&
  'hint' in value &&
  typeof value.hint === 'string'
