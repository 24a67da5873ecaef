import type { Correspondent } from '@stoa/mail-model/messages.ts'

/** The name that somebody goes by; their address when they gave none. */
export const nameOf = ({ name, email }: Correspondent): string => name?.trim() || email

/** `Ada Lovelace <ada@example.org>` */
export const fullName = ({ name, email }: Correspondent): string => (name?.trim() ? `${name.trim()} <${email}>` : email)

/** "me, Ada and 3 others": whom a message went to, in one line. */
export const recipientLine = (people: readonly Correspondent[], ownEmail: string | undefined): string => {
  const names = people.map((each) => (each.email.toLowerCase() === ownEmail?.toLowerCase() ? 'me' : nameOf(each)))
  if (names.length === 0) return 'nobody'
  const shown = names.slice(0, MAX_NAMES)
  const others = names.length - shown.length
  return others === 0 ? shown.join(', ') : `${shown.join(', ')} and ${others} ${others === 1 ? 'other' : 'others'}`
}

const MAX_NAMES = 3
