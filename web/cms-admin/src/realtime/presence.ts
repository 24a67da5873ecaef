import type { PresentPerson } from '@stoa/cms-model/realtime.ts'

/** The people at an entry after an event, given those who were there before. */
export const peopleAfter = (
  before: readonly PresentPerson[],
  event: string,
  users: unknown,
): readonly PresentPerson[] => {
  const named = readPeople(users)
  const others = before.filter(({ id }) => !named.some((person) => person.id === id))
  if (event === 'presence.joined') return [...others, ...named]
  if (event === 'presence.left') return others.length === before.length ? before : others
  return event === 'presence.state' ? named : before
}

/** People out of a frame: what is no person is left out. */
export const readPeople = (users: unknown): readonly PresentPerson[] =>
  Array.isArray(users)
    ? users.filter(isPerson).map(({ id, name, avatarUrl, since, field }) => ({ id, name, avatarUrl, since, field }))
    : []

const isPerson = (value: unknown): value is PresentPerson =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  typeof value.id === 'string' &&
  'name' in value &&
  typeof value.name === 'string' &&
  'since' in value &&
  typeof value.since === 'string' &&
  isTextOrNull('avatarUrl' in value ? value.avatarUrl : undefined) &&
  isTextOrNull('field' in value ? value.field : undefined)

const isTextOrNull = (value: unknown): boolean => value === null || typeof value === 'string'
