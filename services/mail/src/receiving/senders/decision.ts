import { parseEmail } from '@stoa/mail-model/email.ts'
import { networksOf } from '@stoa/mail-model/networks.ts'

/** Who sent a message, as lists of senders know them. */
export type MessageSenders = {
  /** Patterns for its author, the narrowest first. */
  readonly author: readonly string[]
  /** Patterns for the sender of its envelope, the narrowest first. */
  readonly envelope: readonly string[]
  /** The networks of the server that sent it; none for mail of our own queue. */
  readonly networks: readonly string[]
}

/** An entry of one of the lists that count for a mailbox. */
export type ListedSender = {
  readonly level: 'mailbox' | 'domain' | 'instance'
  readonly pattern: string
  readonly action: 'allow' | 'block'
}

type Sent = { author: string | null; returnPath: string; ip: string | null }

export const sendersOf = ({ author, returnPath, ip }: Sent): MessageSenders => ({
  author: patternsOf(author ?? ''),
  envelope: patternsOf(returnPath),
  networks: ip === null ? [] : networksOf(ip),
})

const patternsOf = (address: string): string[] => {
  const email = parseEmail(address) ?? address.toLowerCase()
  return email === '' ? [] : [email, email.slice(email.lastIndexOf('@'))]
}

const LEVELS = ['mailbox', 'domain', 'instance'] as const

export type AuthorProof = {
  /** SPF or DKIM authenticates the author. */
  readonly isAuthentic: boolean
  /** The author's domain disowns it. */
  readonly isForged: boolean
}

/**
 * Order: mailbox, domain, instance; author, envelope sender, server; address, domain; narrow network, wide one. Anybody can
 * write any name, so allowing an author needs proof, and allowing a server an author who is not forged.
 */
export const decideSender = (
  listed: readonly ListedSender[],
  { author, envelope, networks }: MessageSenders,
  { isAuthentic, isForged }: AuthorProof,
): ListedSender | null => {
  const applies = ({ pattern, action }: ListedSender): boolean =>
    action === 'block' || (networks.includes(pattern) ? !isForged : isAuthentic && author.includes(pattern))
  for (const level of LEVELS)
    for (const pattern of [...author, ...envelope, ...networks]) {
      const found = listed.find((entry) => entry.level === level && entry.pattern === pattern && applies(entry))
      if (found) return found
    }
  return null
}
