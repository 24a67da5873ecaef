import { newId } from '@stoa/kit/ids.ts'
import { formatMailDate } from '../bounces/mail-date.ts'
import { encodeHeaderText } from '../filters/header-encoding.ts'
import { parseMessage } from '../mime/parse.ts'
import type { NotifyAction, VacationAction } from '../sieve/actions.ts'
import { parseAddress } from '../sieve/addresses.ts'
import type { VacationReply } from '../sieve/vacation-rules.ts'

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

/** RFC 5436 §2.7: a short message to somebody about the one that came. */
export const mailtoNotice = (
  action: NotifyAction,
  about: { from: string; subject: string | null },
  writer: Writer,
): Notice => {
  const { to, subject, body } = readMailto(action.method)
  const text = action.message || body || `From: ${about.from}\nSubject: ${about.subject ?? ''}\n`
  return notice(writer, {
    to,
    subject: subject ?? (action.message || `${about.from}: ${about.subject ?? ''}`).split('\n')[0]?.slice(0, 200) ?? '',
    more: [
      `Auto-Submitted: auto-notified; owner-email="${writer.email.replace(/["\\]/g, '')}"`,
      ...(action.importance === 1 ? ['Importance: high', 'X-Priority: 1'] : []),
      ...(action.importance === 3 ? ['Importance: low', 'X-Priority: 5'] : []),
    ],
    content: textPart(text),
  })
}

type Content = { to: string[]; subject: string; more: readonly string[]; content: Buffer }

const notice = (writer: Writer, { to, subject, more, content }: Content): Notice => {
  const messageId = `${newId()}@${writer.hostname}`
  const name = writer.name ? `${encodeHeaderText(quotedName(writer.name))} ` : ''
  const lines = [
    `From: ${name}<${writer.email}>`,
    `To: ${to.map((address) => `<${address}>`).join(',\r\n ')}`,
    `Subject: ${encodeHeaderText(subject)}`,
    `Date: ${formatMailDate(writer.now)}`,
    `Message-ID: <${messageId}>`,
    ...more,
    'MIME-Version: 1.0',
  ]
  return { bytes: Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n`), content]), messageId, subject, to }
}

const quotedName = (name: string): string =>
  /^[\x20-\x7e]*$/.test(name) && /[^A-Za-z0-9 ]/.test(name) ? `"${name.replace(/["\\]/g, '\\$&')}"` : name

const textPart = (text: string): Buffer => {
  const lines = Buffer.from(text.replace(/\r\n|\r|\n/g, '\r\n').toWellFormed())
    .toString('base64')
    .replace(/.{1,76}/g, '$&\r\n')
  return Buffer.from(`Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${lines}`)
}

/** RFC 5230 §4.4: only fields that say what the content is may come from the script. */
const mimePart = (reason: string): Buffer => {
  const bytes = Buffer.from(reason.replace(/\r\n|\r|\n/g, '\r\n').toWellFormed())
  const { root } = parseMessage(bytes)
  const fields = root.fields
    .filter(({ name }) => name.startsWith('content-'))
    .map((field) => bytes.subarray(field.start, field.next))
  return Buffer.concat([...fields, Buffer.from('\r\n'), bytes.subarray(root.bodyStart)])
}

/** RFC 6068, of which Sieve has checked that it is one; other header fields than the subject are not taken. */
const readMailto = (method: string): { to: string[]; subject: string | null; body: string | null } => {
  const [, addresses = '', query = ''] = /^mailto:([^?#]*)(?:\?([^#]*))?/i.exec(method) ?? []
  const members = new Map(
    query.split('&').map((pair) => {
      const [name = '', value = ''] = pair.split('=')
      return [decode(name).toLowerCase(), decode(value)] as const
    }),
  )
  return {
    to: addresses.split(',').flatMap((address) => parseAddress(decode(address))?.all ?? []),
    subject: members.get('subject') ?? null,
    body: members.get('body') ?? null,
  }
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
