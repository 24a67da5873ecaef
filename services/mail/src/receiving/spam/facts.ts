import { htmlLinks, type Link, textLinks } from '../../formats/links/links.ts'
import {
  type BodyPart,
  type Bytes,
  decodeBounded,
  decodeCharset,
  firstText,
  htmlToText,
  type Mailbox,
} from '../../formats/mime/mime.ts'
import type { ReadMessage } from '../../store/store.ts'

/** What is known of a message once it was read for the store. */
export type SpamSource = Pick<ReadMessage, 'structure' | 'body' | 'envelope' | 'subject' | 'sentAt'>

/** What rules look at, read once for all recipients. */
export type Facts = {
  readonly subject: string
  readonly from: Mailbox | null
  readonly replyTo: Mailbox | null
  readonly recipients: number
  readonly hasDate: boolean
  readonly hasMessageId: boolean
  readonly isAnswer: boolean
  readonly isList: boolean
  readonly mailer: string
  /** How far the Date field is ahead of now, in days. */
  readonly daysAhead: number
  readonly text: string
  /** The string that anybody may send to see whether there is a filter. */
  readonly hasTestString: boolean
  readonly hasHtml: boolean
  readonly hasPlainText: boolean
  readonly images: number
  readonly links: readonly Link[]
  readonly files: readonly { readonly name: string; readonly type: string }[]
}

/** How much of each text is read; spam says what it wants within the first pages. */
const MAX_BYTES = 65_536
/** Generic Test for Unsolicited Bulk Email: every filter takes it for spam. */
const GTUBE = 'XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X'
const MAX_FILES = 50
const DAY_MS = 86_400_000

export const readFacts = (read: SpamSource, bytes: Bytes, now: Date): Facts => {
  const { structure, body, envelope, subject, sentAt } = read
  const plain = body.textBody.filter(({ type }) => type === 'text/plain')
  const html = body.htmlBody.filter(({ type }) => type === 'text/html')
  const plainText = joined(plain, bytes)
  const markup = joined(html, bytes)
  const text = plainText.trim() === '' ? htmlToText(markup, MAX_BYTES) : plainText
  const header = (name: string) => firstText(structure.root, bytes, name)
  return {
    subject: subject ?? '',
    from: envelope.from[0] ?? null,
    replyTo: envelope.replyTo[0] ?? null,
    recipients: envelope.to.length + envelope.cc.length,
    hasDate: sentAt !== null,
    hasMessageId: envelope.messageId.length > 0,
    isAnswer: envelope.inReplyTo.length > 0 || envelope.references.length > 0,
    isList: header('list-id') !== null || header('list-unsubscribe') !== null,
    mailer: (header('x-mailer') ?? header('user-agent') ?? '').slice(0, 60),
    daysAhead: sentAt ? (sentAt.getTime() - now.getTime()) / DAY_MS : 0,
    text,
    hasTestString: [text, markup].some((each) => each.includes(GTUBE)),
    hasHtml: html.length > 0,
    hasPlainText: plain.length > 0,
    images: countImages(markup),
    links: markup === '' ? textLinks(plainText) : htmlLinks(markup),
    files: body.attachments.slice(0, MAX_FILES).map(({ name, type }) => ({ name: (name ?? '').toLowerCase(), type })),
  }
}

const joined = (parts: readonly BodyPart[], bytes: Bytes): string => {
  let left = MAX_BYTES
  const texts: string[] = []
  for (const part of parts) {
    if (left <= 0) break
    const content = decodeBounded(part, bytes, left)
    left -= content.length
    texts.push(decodeCharset(content, part.charset).text)
  }
  return texts.join('\n')
}

const countImages = (markup: string): number => {
  let images = 0
  for (let at = markup.indexOf('<img'); at !== -1 && images < 100; at = markup.indexOf('<img', at + 4)) images += 1
  return images
}
