import { type Body, type BodyPart, readBody } from './body.ts'
import { decodeBounded } from './body-values.ts'
import { decodeCharset } from './charsets.ts'
import { safeFileName } from './file-names.ts'
import { lastForm } from './header-forms.ts'
import { htmlToText } from './html-text.ts'
import { type Bytes, embeddedMessage } from './structure.ts'

/** RFC 8621 §4.1.4: a preview has at most 256 characters. */
const PREVIEW_LENGTH = 256
/** Text that a preview is made from: people recognize a message by its beginning. */
const PREVIEW_SOURCE = 16_384
/** The limit of searchable text per message. More is a log file or a book. */
const SEARCH_LENGTH = 524_288

/** The first words of a message: no quoted text, no signature, one line. */
export const previewOf = (body: Body, bytes: Bytes): string => {
  for (const part of [...body.textBody, ...body.htmlBody]) {
    if (!part.type.startsWith('text/')) continue
    const text = readableText(part, bytes, PREVIEW_SOURCE)
    const own = oneLine(withoutQuotes(text))
    const preview = own === '' ? oneLine(text) : own
    if (preview !== '') return shorten(preview, PREVIEW_LENGTH)
  }
  return ''
}

/** All text of a message's body, for searching; messages that are inside it are part of it (RFC 9051 §6.4.4, BODY). */
export const searchTextOf = (body: Body, bytes: Bytes): string => {
  const texts: string[] = []
  let left = SEARCH_LENGTH
  const add = (text: string): void => {
    texts.push(text)
    left -= text.length
  }
  const waiting = [body]
  for (let next = waiting.shift(); next && left > 0; next = waiting.shift()) {
    const parts = new Set([...next.textBody, ...next.htmlBody, ...next.attachments.filter(isReadable)])
    for (const part of parts) if (part.type.startsWith('text/') && left > 0) add(readableText(part, bytes, left))
    for (const { part } of next.attachments) {
      const message = embeddedMessage(part)
      if (!message || left <= 0) continue
      for (const name of SHOWN_FIELDS) add((lastForm(message, bytes, name, 'text') ?? '').slice(0, left))
      waiting.push(readBody({ size: message.end, root: message, cuts: [] }, bytes))
    }
  }
  return texts.join('\n')
}

/** Header fields that are shown of a message forwarded inside another one. */
const SHOWN_FIELDS = ['subject', 'from', 'to', 'cc']

/** Names of what is attached, as they are shown and searched for. */
export const attachmentNames = (body: Body): string[] =>
  body.attachments.flatMap(({ name, type }) => (name === null ? [] : [safeFileName(name, type)]))

const isReadable = ({ type }: BodyPart): boolean => type === 'text/plain' || type === 'text/html'

const readableText = (part: BodyPart, bytes: Bytes, maxLength: number): string => {
  // HTML is mostly markup, so that more of it is read for as much text.
  const content = decodeBounded(part, bytes, part.type === 'text/html' ? maxLength * 8 : maxLength * 4)
  const { text } = decodeCharset(content, part.charset)
  const words = part.type === 'text/html' ? htmlToText(text, maxLength) : text.slice(0, maxLength).toWellFormed()
  return words.replaceAll('\0', '')
}

const withoutQuotes = (text: string): string => {
  const lines = text.replace(/\r\n?/g, '\n').split('\n')
  const signature = lines.indexOf('-- ')
  return lines
    .slice(0, signature === -1 ? lines.length : signature)
    .filter((line) => !line.startsWith('>'))
    .join('\n')
}

/** Invisible characters are how newsletters fill a preview with nothing. */
const oneLine = (text: string): string =>
  text
    .replace(/(?![\u200c\u200d])\p{Cf}|[\u200c\u200d]+(?=\s|$)|\u034f|[\u115f\u1160\u3164\uffa0]/gu, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()

const shorten = (text: string, maxLength: number): string =>
  text.length <= maxLength
    ? text
    : text
        .slice(0, maxLength)
        .toWellFormed()
        .replace(/\ufffd$/, '')
        .trimEnd()
