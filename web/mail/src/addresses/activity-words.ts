import type { Activity, ActivityType } from '@stoa/mail-model/activity.ts'
import type { Tone } from '@stoa/ui/display/badge.tsx'
import { shownLine } from '@stoa/ui/text/shown-line.ts'

/** An event in words, for somebody who looks for a mail. */
export type ActivityWords = { tone: Tone; word: string; sentence: string }

/** The protocols as people know them. */
const DOORS: Readonly<Record<string, string>> = {
  imap: 'a mail app (IMAP)',
  pop3: 'a mail app (POP3)',
  smtp: 'a mail app (SMTP)',
  managesieve: 'a Sieve editor',
  jmap: 'a mail app (JMAP)',
  webmail: 'webmail',
}

/** One line of the trace in words; `own` is the address whose trace it is. */
export const describeActivity = (line: Activity, own: string): ActivityWords => {
  const words = wordsOf(line, own)
  return { ...words, sentence: shownLine(words.sentence) }
}

/** The title of a line: the subject of its mail, made safe to show. */
export const titleOf = (line: Activity): string => {
  if (line.direction === null && line.subject === null) return wordsOf(line, '').word
  return shownLine(line.subject ?? '') || 'No subject'
}

const wordsOf = (line: Activity, own: string): ActivityWords => {
  const as = line.to === null || line.to === own ? '' : ` to ${line.to}`
  const from = `${line.from || 'an empty sender'}${as}`
  const to = line.to ?? 'an unknown recipient'
  const door = DOORS[line.result ?? ''] ?? line.result ?? 'the service'
  const ip = line.remote_ip === null ? '' : ` from ${line.remote_ip}`
  switch (line.type) {
    case 'received':
      return { tone: 'live', word: 'Received', sentence: `From ${from}, ${placeOf(line.result)}` }
    case 'spam':
      return { tone: 'draft', word: 'Spam', sentence: `From ${from}, marked as spam: ${placeOf(line.result)}` }
    case 'rejected':
      return { tone: 'failed', word: 'Rejected', sentence: `From ${from}, rejected: ${reasonOf(line.result)}` }
    case 'sent':
      return { tone: 'live', word: 'Sent', sentence: `To ${to}, accepted by the remote server` }
    case 'deferred':
      return line.direction === 'in'
        ? { tone: 'scheduled', word: 'Delayed', sentence: `From ${from}, asked to try again: ${reasonOf(line.result)}` }
        : { tone: 'scheduled', word: 'Delayed', sentence: `To ${to}, retrying: ${reasonOf(line.result)}` }
    case 'bounced':
      return { tone: 'failed', word: 'Bounced', sentence: `To ${to}, bounced: ${reasonOf(line.result)}` }
    case 'login':
      return { tone: 'neutral', word: 'Signed in', sentence: `With ${door}${ip}` }
    case 'login_failed':
      return { tone: 'failed', word: 'Sign-in failed', sentence: `Wrong password in ${door}${ip}` }
    case 'filter_error':
      return { tone: 'draft', word: 'Filter error', sentence: `A filter failed: ${reasonOf(line.result)}` }
  }
}

/** The service says folders by name or role, forwards as `to <address>`, or that it kept nothing. */
const placeOf = (result: string | null): string => {
  if (result === null || result === '') return 'delivered to the mailbox'
  if (/discarded$/.test(result)) return 'discarded by a filter'
  // Where it is, and why: which list or score decided, or in whose name it was forged
  const [place = '', why] = result.split(REASON)
  const parts = place.split(', ')
  const sent = parts.flatMap((part) => (part.startsWith('to ') ? [part.slice(3)] : []))
  const kept = parts.filter((part) => !part.startsWith('to ')).map(folderName)
  const words = [
    ...(kept.length > 0 ? [`delivered to ${kept.join(', ')}`] : []),
    ...(sent.length > 0 ? [`forwarded to ${sent.join(', ')}`] : []),
  ]
  const reason = why === undefined ? '' : why.startsWith('the sender') ? ` because ${why}` : ` (${why})`
  return `${words.join(' and ')}${reason}`
}

const REASON = /: ((?:the sender (?:claims|list) |score |listed by |trusted by |accepted after ).*)/

const folderName = (name: string): string =>
  /^[a-z]+$/.test(name) ? name.charAt(0).toUpperCase() + name.slice(1) : name

/** Without the codes that only servers read. */
export const reasonOf = (result: string | null): string => {
  if (result === 'no_such_mailbox') return "this address doesn't exist"
  const text = (result ?? '')
    .replace(/^\d{3}[ -]+/, '')
    .replace(/^\d\.\d{1,3}\.\d{1,3}\s+/, '')
    .trim()
  return text === '' ? 'no reason given' : text
}

const HINTS: readonly { when: RegExp; hint: string }[] = [
  {
    when: /^greylisted/i,
    hint: 'The sender is unknown and looks suspicious, so its server was asked to try again. The message is delivered when it does.',
  },
  {
    when: /is listed by /,
    hint: "The sender's server or domain is on a blocklist that this service uses. Add it to the allowed senders if you trust it.",
  },
  {
    when: /sender list of the instance blocks/,
    hint: 'The operator of this service blocks the network of the sender.',
  },
  {
    when: /asks to reject such mail/,
    hint: "This message failed SPF and DKIM checks, and the sender's DMARC policy asks receivers to reject such mail. If it is legitimate, ask the sender to fix their DNS records.",
  },
  {
    when: /full|quota|no room/i,
    hint: 'The mailbox was full. Raise the quota or delete mail, then ask the sender to try again.',
  },
  {
    when: /goes in circles|too many hops/i,
    hint: 'Two mailboxes forward to each other. Check the forwarding of this address and of the sender.',
  },
  {
    when: /too large/i,
    hint: 'The message is larger than this server accepts. Ask the sender to share a link to the file instead.',
  },
  {
    when: /^4\d\d|try again later/i,
    hint: 'This is temporary. The sending server keeps retrying for a few days.',
  },
  { when: /^5\d\d/, hint: 'This is permanent. The message was rejected and the sender was notified.' },
]

const FORGED =
  "Someone else sent this in your domain's name. If it is a service you use, set up DKIM for it or allow it in the domain's settings."

const BY_TYPE: Partial<Record<ActivityType, string>> = {
  spam: "If this isn't spam, mark it as not junk in webmail to train the filter. A higher spam threshold lets more mail through.",
  deferred: "The remote server hasn't accepted it yet. We retry for five days, then notify the sender.",
  bounced: "The sender got a delivery report. Check the recipient's address for typos.",
  login_failed:
    "If this wasn't you, change the password. A mail app with an old password causes repeated entries like this.",
  filter_error: 'The message was kept in the inbox. Fix the filter, or turn it off.',
}

/** A hint about what to do; undefined where nothing is to be done. */
export const hintFor = ({ type, direction, result }: Activity): string | undefined => {
  if (type === 'received' || type === 'sent' || type === 'login') return undefined
  if (type === 'spam' && result?.includes(': the sender claims ')) return FORGED
  const isTurnedAway = type === 'rejected' || (type === 'deferred' && direction === 'in')
  const found = isTurnedAway ? HINTS.find(({ when }) => when.test(result ?? '')) : undefined
  return found?.hint ?? BY_TYPE[type]
}

export const activityKinds = [
  { value: '', label: 'All activity' },
  { value: 'mail', label: 'Mail only' },
  { value: 'problems', label: 'Problems' },
  { value: 'received', label: 'Received' },
  { value: 'sent', label: 'Sent' },
  { value: 'rejected', label: 'Rejected' },
  { value: 'spam', label: 'Spam' },
  { value: 'deferred', label: 'Delayed' },
  { value: 'bounced', label: 'Bounced' },
  { value: 'login', label: 'Signed in' },
  { value: 'login_failed', label: 'Sign-in failed' },
  { value: 'filter_error', label: 'Filter error' },
] as const

const PROBLEMS: readonly ActivityType[] = ['rejected', 'bounced', 'deferred', 'spam', 'login_failed', 'filter_error']

export type TraceFilter = { search: string; kind: string; direction: string }

/** Whether a line is of the kind and direction that were chosen: the service only searches for text. */
export const isShown = ({ type, direction }: Activity, filter: TraceFilter): boolean => {
  if (filter.direction !== '' && direction !== filter.direction) return false
  if (filter.kind === '') return true
  if (filter.kind === 'mail') return direction !== null
  return filter.kind === 'problems' ? PROBLEMS.includes(type) : type === filter.kind
}

/** The search for the service: the typed words, or the kind, whose name is part of the searched text. */
export const searchFor = ({ search, kind }: TraceFilter): string => {
  // A message ID is copied with its brackets, and kept without them
  const words = search.trim().replace(/^<(.*)>$/, '$1')
  return words !== '' || kind === 'mail' || kind === 'problems' ? words : kind
}
