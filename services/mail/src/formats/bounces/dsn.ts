import { isAscii } from 'node:buffer'
import { newId } from '@stoa/kit/ids.ts'
import { formatMailDate } from '../mime/mime.ts'

export type DsnKind = 'failure' | 'delay' | 'success'

export type DsnRecipient = {
  readonly recipient: string
  /** ORCPT of RFC 3461, xtext undone: `rfc822;user@example.org`. */
  readonly orcpt?: string | null
  /** RFC 3463, as `5.1.1`. */
  readonly status: string
  /** The peer's own reply, or what went wrong on our side. */
  readonly diagnostic?: string | null
  /** The host that gave that reply; without one the diagnostic is ours. */
  readonly remoteHost?: string | null
  readonly lastAttemptAt?: Date | null
  /** For a delay: when delivery is given up. */
  readonly retryUntil?: Date | null
  /** For a success: delivered to a mailbox here, or relayed to a host that sends no reports itself. */
  readonly delivered?: 'here' | 'relayed'
}

export type DsnInput = {
  readonly kind: DsnKind
  readonly hostname: string
  /** The return path of the message. The null sender gets no report. */
  readonly to: string
  readonly recipients: readonly DsnRecipient[]
  readonly arrivedAt: Date
  /** ENVID of RFC 3461, xtext undone. */
  readonly envid?: string | null
  readonly ret?: 'full' | 'hdrs' | null
  /** The message that this is about; its header is enough when `ret` is `hdrs`. */
  readonly original: Buffer
  readonly now: Date
}

/** A message that comes back whole when the sender did not say; nobody wants a film returned. */
const FULL_BYTES = 51_200
/** The limit when the sender asked for the whole message (RET=FULL). */
const FULL_BYTES_ASKED = 1_048_576
const HEADER_BYTES = 102_400
/** RFC 5321 §4.5.3.1.5 limits a line of a reply; some replies have many lines. */
const DIAGNOSTIC_LENGTH = 2_000
const MAX_RECIPIENTS = 1_000

/**
 * A report about a message to its sender (RFC 3464, RFC 6522; with addresses outside of ASCII RFC 6533): what
 * happened in words, the same for machines, and the message or its header. Ready to be sent with the null sender.
 */
export const buildDsn = (input: DsnInput): Buffer => {
  if (input.to === '') throw new TypeError('no report is sent to the null sender (RFC 3461 §5.2.1)')
  const recipients = input.recipients.slice(0, MAX_RECIPIENTS)
  const returned = returnedPart(input)
  const isUtf8 = !isAscii(Buffer.from(input.to + recipients.map(({ recipient }) => recipient).join('')))
  const boundary = `=_${newId()}`
  const report = reportText(input, recipients)
  const parts = [
    textPart(humanText(input, recipients)),
    isUtf8
      ? rawPart('message/global-delivery-status', '8bit', Buffer.from(report))
      : rawPart('message/delivery-status', '7bit', Buffer.from(toAscii(report))),
    rawPart(returned.type, isAscii(returned.bytes) ? '7bit' : '8bit', returned.bytes),
  ]
  const opening = Buffer.from(`${header(input, boundary)}\r\n`)
  const delimiter = Buffer.from(`\r\n--${boundary}\r\n`)
  return Buffer.concat([opening, ...parts.flatMap((part) => [delimiter, part]), Buffer.from(`\r\n--${boundary}--\r\n`)])
}

const SUBJECTS = {
  failure: 'Undelivered mail returned to sender',
  delay: 'Delayed mail (still being retried)',
  success: 'Successful mail delivery report',
} as const satisfies Record<DsnKind, string>

const header = (input: DsnInput, boundary: string): string => {
  const id = messageIdOf(input.original)
  const lines = [
    `From: Mail Delivery System <mailer-daemon@${input.hostname}>`,
    `To: <${oneLine(input.to)}>`,
    `Subject: ${SUBJECTS[input.kind]}`,
    `Date: ${formatMailDate(input.now)}`,
    `Message-ID: <${newId()}@${input.hostname}>`,
    ...(id === null ? [] : [`In-Reply-To: ${id}`, `References: ${id}`]),
    // RFC 3834 §5.1
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    `Content-Type: multipart/report; report-type=delivery-status;\r\n boundary="${boundary}"`,
  ]
  return `${lines.join('\r\n')}\r\n`
}

const EXPLANATIONS = {
  failure: [
    "Your message couldn't be delivered to one or more recipients. We won't try again. It is attached",
    'below. The reply of the other server may tell you what to do:',
  ],
  delay: [
    "Your message hasn't been delivered yet. You don't need to send it again. We'll keep trying and let",
    'you know if delivery fails.',
  ],
  success: ['Your message was delivered:'],
} as const satisfies Record<DsnKind, readonly string[]>

const humanText = (input: DsnInput, recipients: readonly DsnRecipient[]): string => {
  const lines = [`This is the mail system at ${input.hostname}.`, '', ...EXPLANATIONS[input.kind], '']
  for (const entry of recipients) {
    const { recipient, diagnostic, remoteHost, retryUntil } = entry
    lines.push(`<${oneLine(recipient)}>`)
    if (input.kind === 'success') lines.push(entry.delivered === 'here' ? '    delivered' : '    relayed')
    if (diagnostic) lines.push(fold('   ', `${remoteHost ? `${remoteHost} said: ` : ''}${short(diagnostic)}`, '    '))
    if (input.kind === 'delay' && retryUntil) lines.push(`    retrying until ${formatMailDate(retryUntil)}`)
    lines.push('')
  }
  return lines.join('\r\n')
}

const reportText = (input: DsnInput, recipients: readonly DsnRecipient[]): string => {
  const groups = [messageFields(input), ...recipients.map((recipient) => recipientFields(input.kind, recipient))]
  return groups.map((fields) => fields.map(foldField).join('')).join('\r\n')
}

type Field = readonly [name: string, value: string]

/** RFC 3464 §2.2 */
const messageFields = ({ hostname, envid, arrivedAt }: DsnInput): Field[] => [
  ...(envid ? [['Original-Envelope-Id', oneLine(envid)] as const] : []),
  ['Reporting-MTA', `dns; ${hostname}`],
  ['Arrival-Date', formatMailDate(arrivedAt)],
]

/** RFC 3464 §2.3 */
const recipientFields = (kind: DsnKind, entry: DsnRecipient): Field[] => {
  const { recipient, orcpt, status, diagnostic, remoteHost, lastAttemptAt, retryUntil } = entry
  const fields: Field[] = []
  if (orcpt) fields.push(['Original-Recipient', typed(orcpt)])
  fields.push(['Final-Recipient', typed(`rfc822;${recipient}`)])
  fields.push(['Action', actionOf(kind, entry)])
  fields.push(['Status', STATUS.test(status) ? status : FALLBACK_STATUS[kind]])
  if (remoteHost) fields.push(['Remote-MTA', `dns; ${oneLine(remoteHost)}`])
  if (diagnostic) fields.push(['Diagnostic-Code', `${remoteHost ? 'smtp' : 'x-stoa'}; ${short(diagnostic)}`])
  if (lastAttemptAt) fields.push(['Last-Attempt-Date', formatMailDate(lastAttemptAt)])
  if (kind === 'delay' && retryUntil) fields.push(['Will-Retry-Until', formatMailDate(retryUntil)])
  return fields
}

const STATUS = /^[245]\.\d{1,3}\.\d{1,3}$/
const FALLBACK_STATUS = { failure: '5.0.0', delay: '4.0.0', success: '2.0.0' } as const satisfies Record<
  DsnKind,
  string
>

/** RFC 3464 §2.3.3 */
const actionOf = (kind: DsnKind, { delivered }: DsnRecipient): string => {
  if (kind === 'failure') return 'failed'
  if (kind === 'delay') return 'delayed'
  return delivered === 'here' ? 'delivered' : 'relayed'
}

/** `rfc822; address`; the type is utf-8 for an address outside of ASCII (RFC 6533 §3). */
const typed = (address: string): string => {
  const match = /^([A-Za-z0-9-]{1,40});\s*(.*)$/s.exec(address)
  const type = match?.[1] ?? 'rfc822'
  const value = oneLine(match?.[2] ?? address)
  return `${isAscii(Buffer.from(value)) ? type : 'utf-8'}; ${value}`
}

const textPart = (text: string): Buffer =>
  isAscii(Buffer.from(text))
    ? rawPart('text/plain; charset=us-ascii', '7bit', Buffer.from(text))
    : rawPart('text/plain; charset=utf-8', 'base64', base64Lines(text))

const rawPart = (type: string, encoding: string, body: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`Content-Type: ${type}\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n`), body])

const base64Lines = (text: string): Buffer =>
  Buffer.from(
    Buffer.from(text)
      .toString('base64')
      .replace(/.{76}(?=.)/g, '$&\r\n'),
  )

/** RFC 3461 §4.3: only what failed comes back whole, and never when the sender asked for the header. */
const returnedPart = ({ kind, ret, original }: DsnInput): { type: string; bytes: Buffer } => {
  const limit = ret === 'full' ? FULL_BYTES_ASKED : FULL_BYTES
  const headerEnd = endOfHeader(original)
  const head = original.subarray(0, headerEnd)
  const isUtf8 = !isAscii(head)
  if (kind === 'failure' && ret !== 'hdrs' && original.length <= limit)
    return { type: isUtf8 ? 'message/global' : 'message/rfc822', bytes: original }
  return { type: isUtf8 ? 'message/global-headers' : 'text/rfc822-headers', bytes: wholeLines(head) }
}

const endOfHeader = (message: Buffer): number => {
  const blank = message.indexOf('\r\n\r\n')
  return blank === -1 ? message.length : blank + 2
}

const wholeLines = (head: Buffer): Buffer => {
  if (head.length <= HEADER_BYTES) return head
  return head.subarray(0, head.lastIndexOf('\r\n', HEADER_BYTES) + 2)
}

/** The id in its brackets, when it can stand in a header of ours as it is. */
const messageIdOf = (original: Buffer): string | null => {
  const head = original.toString('latin1', 0, Math.min(endOfHeader(original), HEADER_BYTES))
  return /^message-id:[ \t]*(?:\r\n[ \t]+)?(<[\x21-\x3b\x3d\x3f-\x7e]{1,900}>)[ \t]*$/im.exec(head)?.[1] ?? null
}

const foldField = ([name, value]: Field): string => `${fold(`${name}:`, value, ' ')}\r\n`

/** RFC 5322 §2.1.1: at most 998 characters a line, better 78. */
const fold = (start: string, value: string, indent: string): string => {
  let text = start
  let length = start.length
  for (const word of oneLine(value).match(/\S{1,900}/g) ?? []) {
    const isFull = length + 1 + word.length > 78 && length > start.length
    text += isFull ? `\r\n${indent}${word}` : ` ${word}`
    length = isFull ? indent.length + word.length : length + 1 + word.length
  }
  return text
}

const short = (diagnostic: string): string => oneLine(diagnostic).slice(0, DIAGNOSTIC_LENGTH).toWellFormed()

/** Replaces line breaks, so that text from others cannot start another line. */
const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029\s]+/gu, ' ').trim()

const toAscii = (text: string): string => text.replace(/[^\r\n\t\x20-\x7e]/gu, '?')
