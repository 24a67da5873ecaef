import { newId } from '@stoa/kit/ids.ts'
import { formatMailDate, parseMessage } from '../../formats/mime/mime.ts'
import { type NotifyAction, parseMailto, type VacationAction, type VacationReply } from '../../formats/sieve/sieve.ts'
import { encodeHeaderText, textPart } from '../filters/filters.ts'

/** A message that a filter sends in the name of its owner. */
export type Notice = {
  readonly bytes: Buffer
  readonly messageId: string
  readonly subject: string
  readonly to: string[]
}

type Writer = { readonly email: string; readonly name: string | null; readonly hostname: string; readonly now: Date }

/** RFC 5230 §5 and RFC 3834 §3: an answer that no machine answers. */
export const vacationNotice = (action: VacationAction, reply: VacationReply, writer: Writer): Notice =>
  notice(writer, {
    to: [reply.to],
    subject: reply.subject,
    more: [
      ...(reply.inReplyTo ? [`In-Reply-To: ${encodeHeaderText(reply.inReplyTo)}`] : []),
      ...(reply.references ? [`References: ${encodeHeaderText(reply.references)}`] : []),
      'Auto-Submitted: auto-replied (vacation)',
      'X-Auto-Response-Suppress: All',
      'Precedence: bulk',
    ],
    content: action.mime ? mimePart(action.reason) : textPart(action.reason),
  })

/** RFC 5436 §2.7: a short message to somebody about the one that came. Null when the URI names nobody. */
export const mailtoNotice = (
  action: NotifyAction,
  about: { from: string; subject: string | null },
  writer: Writer & { readonly owner: string },
): Notice | null => {
  const mailto = parseMailto(action.method)
  if (!mailto) return null
  const { to, cc, subject, body, fields } = mailto
  return notice(writer, {
    to,
    cc,
    subject: (action.message ?? subject ?? about.subject ?? '').slice(0, MAX_SUBJECT),
    more: [
      `Auto-Submitted: auto-notified; owner-email="${writer.owner.replace(/["\\]/g, '')}"`,
      ...IMPORTANCE[action.importance],
      ...fields.map(({ name, value }) => `${capitalized(name)}: ${encodeHeaderText(value)}`),
    ],
    content: textPart(body ?? action.message ?? `From: ${about.from}\nSubject: ${about.subject ?? ''}\n`),
  })
}

/** RFC 5436 §2.6: only what is excessively long is cut. */
const MAX_SUBJECT = 900

const IMPORTANCE: Readonly<Record<NotifyAction['importance'], readonly string[]>> = {
  1: ['Importance: high', 'X-Priority: 1 (High)'],
  2: ['Importance: normal', 'X-Priority: 3 (Normal)'],
  3: ['Importance: low', 'X-Priority: 5 (Low)'],
}

const capitalized = (name: string): string => name.replace(/^[a-z]/, (first) => first.toUpperCase())

type Content = {
  to: readonly string[]
  cc?: readonly string[]
  subject: string
  more: readonly string[]
  content: Buffer
}

const notice = (writer: Writer, { to, cc = [], subject, more, content }: Content): Notice => {
  const messageId = `${newId()}@${writer.hostname}`
  const name = writer.name ? `${encodeHeaderText(quotedName(writer.name))} ` : ''
  const lines = [
    `From: ${name}<${writer.email}>`,
    ...addressField('To', to),
    ...addressField('Cc', cc),
    `Subject: ${encodeHeaderText(subject)}`,
    `Date: ${formatMailDate(writer.now)}`,
    `Message-ID: <${messageId}>`,
    ...more,
    'MIME-Version: 1.0',
  ]
  return {
    bytes: Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n`), content]),
    messageId,
    subject,
    to: [...to, ...cc],
  }
}

const addressField = (name: string, addresses: readonly string[]): string[] =>
  addresses.length === 0 ? [] : [`${name}: ${addresses.map((address) => `<${address}>`).join(',\r\n ')}`]

const quotedName = (name: string): string =>
  /^[\x20-\x7e]*$/.test(name) && /[^A-Za-z0-9 ]/.test(name) ? `"${name.replace(/["\\]/g, '\\$&')}"` : name

/** RFC 5230 §4.4: only fields that say what the content is may come from the script. */
const mimePart = (reason: string): Buffer => {
  const bytes = Buffer.from(reason.replace(/\r\n|\r|\n/g, '\r\n').toWellFormed())
  const { root } = parseMessage(bytes)
  const fields = root.fields
    .filter(({ name }) => name.startsWith('content-'))
    .map((field) => bytes.subarray(field.start, field.next))
  return Buffer.concat([...fields, Buffer.from('\r\n'), bytes.subarray(root.bodyStart)])
}
