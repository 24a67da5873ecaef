import type { Suggestion } from '@stoa/mail-model/contacts.ts'

export type KnownContact = {
  readonly id: string
  readonly email: string
  readonly name: string | null
  readonly uses: number
  readonly last_used_at: Date | null
}

/** The author of one message that came. */
export type Author = { readonly email: string; readonly name: string | null; readonly receivedAt: Date }

type Person = { email: string; name: string | null; contactId: string | null; points: number }

/** Whom one writes to counts for more than who writes. */
const POINTS_SENT = 3
const POINTS_RECEIVED = 1
/** After so long a letter counts half. */
const HALF_LIFE_MS = 90 * 86_400_000

/** Addresses that nobody reads. */
const MACHINE = /^(?:no-?_?reply|do-?not-?reply|mailer-daemon|postmaster|bounces?|notifications?)(?:[+.-].*)?@/

/**
 * Contacts and authors as one list without doubles. Those whose name or address begins with what was typed come first;
 * among these, those with whom most letters were exchanged lately.
 */
export const rankPeople = (input: {
  contacts: readonly KnownContact[]
  authors: readonly Author[]
  search: string
  own: string
  now: Date
}): Suggestion[] => {
  const { search, own, now } = input
  const weightAt = (at: Date | null): number =>
    at ? 0.5 ** (Math.max(0, now.getTime() - at.getTime()) / HALF_LIFE_MS) : 0
  const people = new Map<string, Person>()
  for (const { id, email, name, uses, last_used_at: at } of input.contacts)
    people.set(email.toLowerCase(), { email, name, contactId: id, points: POINTS_SENT * uses * weightAt(at) })
  for (const { email, name, receivedAt } of input.authors) {
    const key = email.toLowerCase()
    if (key === own || MACHINE.test(key) || !key.includes('@')) continue
    const known = people.get(key) ?? { email: key, name: null, contactId: null, points: 0 }
    known.name ??= name === null || name.toLowerCase() === key ? null : name
    known.points += POINTS_RECEIVED * weightAt(receivedAt)
    people.set(key, known)
  }
  const typed = search.toLowerCase()
  return [...people.values()]
    .sort((a, b) => startsWith(b, typed) - startsWith(a, typed) || b.points - a.points || (a.email < b.email ? -1 : 1))
    .map(({ email, name, contactId }) => ({ object: 'suggestion', email, name, contact_id: contactId }))
}

const startsWith = ({ name, email }: Person, typed: string): number =>
  [email.toLowerCase(), ...(name ?? '').toLowerCase().split(/\s+/), (name ?? '').toLowerCase()].some((text) =>
    text.startsWith(typed),
  )
    ? 1
    : 0
