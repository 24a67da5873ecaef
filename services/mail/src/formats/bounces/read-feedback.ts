import { isIP } from 'node:net'
import { type Bytes, type MimeStructure, parseAddresses, parseDate } from '../mime/mime.ts'
import {
  type FieldGroup,
  firstOf,
  type OriginalMessage,
  readGroups,
  readOriginal,
  reportPart,
  typedValue,
} from './report-parts.ts'

/** RFC 5965 §7.3, and `not-spam` of RFC 6430; anything else is `other`. */
export type FeedbackType = 'abuse' | 'fraud' | 'virus' | 'not-spam' | 'auth-failure' | 'other'

/** Somebody complained about a message, through the provider of their mailbox (RFC 5965). */
export type ArfReport = {
  readonly type: FeedbackType
  readonly userAgent: string | null
  readonly arrivedAt: Date | null
  readonly sourceIp: string | null
  readonly mailFrom: string | null
  /** Who complained; providers often hide it. */
  readonly recipients: readonly string[]
  readonly reportedDomains: readonly string[]
  /** Anybody can write this: trust it only for an authenticated sender, or together with a bounce token. */
  readonly original: OriginalMessage | null
}

const MAX_LIST = 100

/** The complaint that a message is, or null for any other message. */
export const readFeedback = (structure: MimeStructure, bytes: Bytes): ArfReport | null => {
  const part = reportPart(structure, ['message/feedback-report'])
  if (!part || part === structure.root) return null
  const group = readGroups(part, bytes)[0]
  const type = group && firstOf(group, 'feedback-type')
  if (!group || !type) return null
  const ip = firstOf(group, 'source-ip')
  const arrival = parseDate(firstOf(group, 'arrival-date') ?? firstOf(group, 'received-date') ?? '')
  return {
    type: TYPES.find((known) => known === type.toLowerCase()) ?? 'other',
    userAgent: firstOf(group, 'user-agent'),
    arrivedAt: arrival ? new Date(arrival.time) : null,
    sourceIp: ip !== null && isIP(ip) !== 0 ? ip : null,
    mailFrom: addressOf(firstOf(group, 'original-mail-from')),
    recipients: list(group, 'original-rcpt-to').flatMap((text) => addressOf(text) ?? []),
    reportedDomains: list(group, 'reported-domain'),
    original: readOriginal(structure, bytes),
  }
}

const TYPES: readonly FeedbackType[] = ['abuse', 'fraud', 'virus', 'not-spam', 'auth-failure', 'other']

const list = (group: FieldGroup, name: string): readonly string[] => (group.get(name) ?? []).slice(0, MAX_LIST)

const addressOf = (text: string | null): string | null => {
  const [mailbox] = parseAddresses(typedValue(text) ?? '')
  return mailbox?.email.includes('@') ? mailbox.email : null
}
