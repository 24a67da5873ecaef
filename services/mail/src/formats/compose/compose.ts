import type { Mailbox } from '../mime/mime.ts'
import { MailComposer } from './nodemailer.ts'

export {
  buildHeaderValue,
  detectMimeType,
  encodeQuotedPrintable,
  encodeWord,
  wrapQuotedPrintable,
} from './nodemailer.ts'

/** A message as somebody writes it. */
export type NewMail = {
  from: Mailbox
  to: readonly Mailbox[]
  cc?: readonly Mailbox[]
  /** Written into the header, for mail that is kept; removed when it is sent. */
  bcc?: readonly Mailbox[]
  replyTo?: readonly Mailbox[]
  subject: string
  text?: string
  html?: string
  /** Without angle brackets. */
  messageId: string
  inReplyTo?: string
  references?: readonly string[]
  date: Date
  headers?: readonly { name: string; value: string }[]
  attachments?: readonly NewAttachment[]
  /** A calendar part (RFC 6047 §2.4). */
  calendar?: { readonly method: 'REPLY'; readonly content: string }
}

export type NewAttachment = {
  filename: string
  content: Buffer
  contentType: string
  /** Shown inside of the HTML by this id. */
  contentId?: string
}

/** Characters that could start another header field. */
const BREAKS = /[\r\n\0\u2028\u2029]/
const FIELD_NAME = /^[!-9;-~]+$/

/** The bytes of a message, with CRLF line ends. Throws TypeError for what cannot be in a header: the caller must refuse it. */
export const buildMail = async (mail: NewMail): Promise<Buffer> => {
  refuseBreaks([
    mail.subject,
    mail.messageId,
    mail.inReplyTo ?? '',
    ...(mail.references ?? []),
    ...mailboxTexts([mail.from, ...mail.to, ...(mail.cc ?? []), ...(mail.bcc ?? []), ...(mail.replyTo ?? [])]),
    ...(mail.headers ?? []).map(({ value }) => value),
    ...(mail.attachments ?? []).flatMap(({ filename, contentType, contentId }) => [
      filename,
      contentType,
      contentId ?? '',
    ]),
  ])
  for (const { name } of mail.headers ?? [])
    if (!FIELD_NAME.test(name)) throw new TypeError(`'${name}' is no field name`)
  const composer = new MailComposer({
    from: addressOf(mail.from),
    to: mail.to.map(addressOf),
    ...(mail.cc?.length ? { cc: mail.cc.map(addressOf) } : {}),
    ...(mail.bcc?.length ? { bcc: mail.bcc.map(addressOf) } : {}),
    ...(mail.replyTo?.length ? { replyTo: mail.replyTo.map(addressOf) } : {}),
    subject: mail.subject,
    ...(mail.text === undefined ? {} : { text: mail.text }),
    ...(mail.html === undefined ? {} : { html: mail.html }),
    messageId: `<${mail.messageId}>`,
    ...(mail.inReplyTo === undefined ? {} : { inReplyTo: `<${mail.inReplyTo}>` }),
    ...(mail.references?.length ? { references: mail.references.map((id) => `<${id}>`) } : {}),
    date: mail.date,
    headers: (mail.headers ?? []).map(({ name, value }) => ({ key: name, value })),
    attachments: (mail.attachments ?? []).map(({ filename, content, contentType, contentId }) => ({
      filename,
      content,
      contentType,
      ...(contentId === undefined ? {} : { cid: contentId, contentDisposition: 'inline' as const }),
    })),
    alternatives: mail.calendar
      ? [
          {
            contentType: `text/calendar; charset=utf-8; method=${mail.calendar.method}`,
            content: mail.calendar.content,
          },
        ]
      : [],
    // Everything is given: nothing is read from files or fetched.
    disableFileAccess: true,
    disableUrlAccess: true,
    newline: 'windows',
    xMailer: false,
  })
  const message = composer.compile()
  message.keepBcc = true
  return message.build()
}

const refuseBreaks = (texts: readonly string[]): void => {
  for (const text of texts) if (BREAKS.test(text)) throw new TypeError('a header field cannot hold a line break')
}

const mailboxTexts = (mailboxes: readonly Mailbox[]): string[] =>
  mailboxes.flatMap(({ name, email }) => [name ?? '', email])

const addressOf = ({ name, email }: Mailbox) => ({ name: name ?? '', address: email })
