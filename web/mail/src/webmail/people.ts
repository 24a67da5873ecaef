import type { Correspondent } from '@stoa/mail-model/messages.ts'
import { shownLine } from '@stoa/ui/text/shown-line.ts'

/** The name that somebody goes by. Without one it is their address, and also when the name is an address, but not theirs. */
export const nameOf = ({ name, email }: Correspondent): string => {
  const shown = shownLine(name ?? '')
  const claimsAddress = /\S@\S/.test(shown) && !shown.toLowerCase().includes(email.toLowerCase())
  return shown === '' || claimsAddress ? email : shown
}

/** `Ada Lovelace <ada@example.org>` */
export const fullName = ({ name, email }: Correspondent): string => {
  const shown = shownLine(name ?? '')
  return shown === '' ? email : `${shown} <${email}>`
}

/** The person with a name that is safe to edit: without invisible characters. */
export const shownPerson = <T extends Correspondent>(person: T): T => ({
  ...person,
  name: shownLine(person.name ?? '') || null,
})

export const subjectOf = ({ subject }: { subject: string | null }): string => shownLine(subject ?? '') || 'No subject'

/** "me, Ada and 3 others": whom a message went to, in one line. */
export const recipientLine = (people: readonly Correspondent[], ownEmail: string | undefined): string => {
  const names = people.map((each) => (each.email.toLowerCase() === ownEmail?.toLowerCase() ? 'me' : nameOf(each)))
  if (names.length === 0) return 'nobody'
  const shown = names.slice(0, MAX_NAMES)
  const others = names.length - shown.length
  return others === 0 ? shown.join(', ') : `${shown.join(', ')} and ${others} ${others === 1 ? 'other' : 'others'}`
}

const MAX_NAMES = 3
