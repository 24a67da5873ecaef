import type { Correspondent, Message } from '@stoa/mail-model/messages.ts'
import { formatRecipient } from '../recipients/recipients.ts'
import { excerptOf, isTooLong } from './clip.ts'
import { docToText, quoteLines } from './doc-to-mail.ts'
import { type DocNode, paragraph, textNode } from './document.ts'
import { htmlToBlocks, htmlToDoc } from './html-to-doc.ts'
import { textToBlocks } from './text-to-doc.ts'

type Quoted = Pick<Message, 'from' | 'to' | 'cc' | 'date' | 'received_at' | 'subject' | 'html' | 'text'>

/** The id that a picture of the original has in the answer; null leaves it out. */
export type PictureOf = (src: string) => string | null

export const FORWARD_LINE = '---------- Forwarded message ----------'
const NOT_ALL_QUOTED = '[Message shortened]'
const NOT_ALL_FORWARDED = '[Message shortened. See the attached file for the full text.]'

/** `On Mon, 2 Mar 2026 at 14:05, Ann <ann@example.org> wrote:` */
const attribution = ({ from, date, received_at: receivedAt }: Quoted, locale?: string): string => {
  const who = from ? formatRecipient(from) : 'someone'
  return `On ${momentText(date ?? receivedAt, locale)}, ${who} wrote:`
}

/** The original below an answer. */
export const replyBlocks = (message: Quoted, pictureOf: PictureOf): DocNode[] => {
  const original = originalBlocks(message, pictureOf, NOT_ALL_QUOTED)
  return [
    paragraph(textNode(attribution(message))),
    { type: 'blockquote', content: original.length > 0 ? original : [paragraph()] },
  ]
}

/** The message as plain text, without the sender's signature, which a reply does not need. */
export const replyText = (message: Quoted): string => {
  const text = quotedText(message, NOT_ALL_QUOTED).replace(/(?:^|\n)-- \n[\s\S]*$/, '')
  return `${attribution(message)}\n${quoteLines(text.trimEnd())}`
}

/** The original of a message that is passed on, as it was. */
export const forwardBlocks = (message: Quoted, pictureOf: PictureOf): DocNode[] => [
  paragraph(
    [FORWARD_LINE, ...headLines(message)].flatMap((line, index) => [
      ...(index === 0 ? [] : [{ type: 'hardBreak' }]),
      ...textNode(line),
    ]),
  ),
  paragraph(),
  ...originalBlocks(message, pictureOf, NOT_ALL_FORWARDED),
]

export const forwardText = (message: Quoted): string =>
  [FORWARD_LINE, ...headLines(message), '', quotedText(message, NOT_ALL_FORWARDED).trimEnd()].join('\n')

const headLines = ({ from, to, cc, date, received_at: receivedAt, subject }: Quoted): string[] => {
  const list = (people: readonly Correspondent[]) => people.map(formatRecipient).join(', ')
  return [
    ...(from ? [`From: ${formatRecipient(from)}`] : []),
    `Date: ${momentText(date ?? receivedAt)}`,
    `Subject: ${subject ?? ''}`,
    ...(to.length > 0 ? [`To: ${list(to)}`] : []),
    ...(cc.length > 0 ? [`Cc: ${list(cc)}`] : []),
  ]
}

const originalBlocks = (message: Quoted, picture: PictureOf, notAll: string): DocNode[] => {
  const { html, text } = message
  if (isTooLong(message)) return textToBlocks(quotedText(message, notAll)).flatMap(unsigned)
  return (html === null ? textToBlocks((text ?? '').trimEnd()) : htmlToBlocks(html, { picture })).flatMap(unsigned)
}

const quotedText = (message: Quoted, notAll: string): string =>
  isTooLong(message) ? `${excerptOf(message)}\n\n${notAll}` : originalText(message)

/** The signature of somebody else is text like any other. */
const unsigned = (node: DocNode): DocNode[] => {
  if (node.type === 'signature') return (node.content ?? []).flatMap(unsigned)
  return [node.content ? { ...node, content: node.content.flatMap(unsigned) } : node]
}

export const originalText = ({ html, text }: Pick<Quoted, 'html' | 'text'>): string =>
  (text ?? (html === null ? '' : docToText(htmlToDoc(html)))).replace(/\r\n?/g, '\n')

const momentText = (at: string, locale?: string): string => {
  const date = new Date(at)
  const day = new Intl.DateTimeFormat(locale, { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' })
  const time = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' })
  return `${day.format(date)} at ${time.format(date)}`
}
