import { parseEmail } from '@stoa/mail-model/email.ts'

/** Who sent a message, as lists of senders know them. */
export type MessageSenders = {
  /** Patterns for its author, the narrowest first. */
  readonly author: readonly string[]
  /** The same for the sender of its envelope. */
  readonly envelope: readonly string[]
}

/** An entry of one of the lists that count for a mailbox. */
export type ListedSender = {
  readonly level: 'mailbox' | 'domain' | 'instance'
  readonly pattern: string
  readonly action: 'allow' | 'block'
}

export const sendersOf = ({ author, returnPath }: { author: string | null; returnPath: string }): MessageSenders => ({
  author: patternsOf(author ?? ''),
  envelope: patternsOf(returnPath),
})

const patternsOf = (address: string): string[] => {
  const email = parseEmail(address) ?? address.toLowerCase()
  return email === '' ? [] : [email, email.slice(email.lastIndexOf('@'))]
}

const LEVELS = ['mailbox', 'domain', 'instance'] as const

/**
 * The entry that decides: the mailbox's before the domain's before the instance's, the author before the sender of the
 * envelope, an address before its domain. Anybody can write anybody's name, so an entry that allows counts only for an
 * author who is proved.
 */
export const decideSender = (
  listed: readonly ListedSender[],
  { author, envelope }: MessageSenders,
  isAuthentic: boolean,
): ListedSender | null => {
  const applies = ({ pattern, action }: ListedSender): boolean =>
    action === 'block' || (isAuthentic && author.includes(pattern))
  for (const level of LEVELS)
    for (const pattern of [...author, ...envelope]) {
      const found = listed.find((entry) => entry.level === level && entry.pattern === pattern && applies(entry))
      if (found) return found
    }
  return null
}
