import { decodeCharset } from './charsets.ts'
import { LIMITS } from './limits.ts'
import { decodeTransfer } from './transfer-encoding.ts'

/**
 * RFC 2047: text with its encoded words decoded, wherever they stand. Spaces between two of them vanish, and a
 * character that was cut in two by its mailer is put together again. What is no encoded word stays as it is.
 */
export const decodeWords = (text: string): string => {
  if (!text.includes('=?')) return text
  let decoded = ''
  let pending: Word | null = null
  let at = 0
  for (let count = 0; count < LIMITS.encodedWords; count += 1) {
    const found: FoundWord | null = findWord(text, at)
    if (!found) break
    const between = text.slice(at, found.start)
    if (pending && /^[ \t]*$/.test(between)) {
      if (isSame(pending, found.word)) pending.bytes.push(...found.word.bytes)
      else {
        decoded += textOf(pending)
        pending = found.word
      }
    } else {
      decoded += (pending ? textOf(pending) : '') + between
      pending = found.word
    }
    at = found.end
  }
  return (decoded + (pending ? textOf(pending) : '') + text.slice(at)).replaceAll('\0', '')
}

/**
 * RFC 2047 §2 wants ASCII inside of an encoded word: a raw byte there is one of the word's own charset, and is written as
 * the word would have to. The bytes are those of latin1.
 */
export const encodeRawBytes = (text: string): string => {
  let encoded = ''
  let at = 0
  for (let count = 0; count < LIMITS.encodedWords; count += 1) {
    const span = findSpan(text, at)
    if (!span) break
    const content = text.slice(span.content, span.contentEnd)
    const isBase64 = span.encoding === 'b'
    encoded += text.slice(at, span.content) + content.replace(RAW_BYTE, (byte) => (isBase64 ? '' : hexOf(byte)))
    at = span.contentEnd
  }
  return encoded + text.slice(at)
}

const RAW_BYTE = /[\x80-\xff]/g
const hexOf = (byte: string): string => `=${byte.charCodeAt(0).toString(16).toUpperCase()}`

type Word = { readonly charset: string; readonly encoding: string; readonly bytes: Buffer[] }
type FoundWord = { readonly word: Word; readonly start: number; readonly end: number }

/** `=?charset*language?encoding?`, of RFC 2047 §2 and RFC 2231 §5. */
const OPENING = /=\?([^?*\s=]{1,60})(?:\*[^?\s]{0,60})?\?([bq])\?/iy

type Span = {
  readonly charset: string
  readonly encoding: string
  readonly start: number
  readonly content: number
  readonly contentEnd: number
}

/** Every search goes on from where the last one ended, so that all of them together read the text once. */
const findSpan = (text: string, from: number): Span | null => {
  for (let start = text.indexOf('=?', from); start !== -1; start = text.indexOf('=?', start + 2)) {
    OPENING.lastIndex = start
    const opening = OPENING.exec(text)
    if (!opening) continue
    const content = OPENING.lastIndex
    const contentEnd = text.indexOf('?=', content)
    if (contentEnd === -1) return null
    const [, charset = '', encoding = ''] = opening
    return { charset: charset.toLowerCase(), encoding: encoding.toLowerCase(), start, content, contentEnd }
  }
  return null
}

const findWord = (text: string, from: number): FoundWord | null => {
  const span = findSpan(text, from)
  if (!span) return null
  const { charset, encoding, start, content, contentEnd } = span
  return {
    word: { charset, encoding, bytes: [bytesOf(text.slice(content, contentEnd), encoding)] },
    start,
    end: contentEnd + 2,
  }
}

const bytesOf = (content: string, encoding: string): Buffer => {
  if (encoding === 'b') return decodeTransfer(Buffer.from(content, 'latin1'), 'base64')
  // RFC 2047 §4.2: an underline is a space. A space at the end is meant, so it is written as a byte.
  const spaced = content.replace(/[_ \t]/g, '=20')
  return decodeTransfer(Buffer.from(spaced, 'utf8'), 'quoted-printable')
}

const isSame = (one: Word, other: Word): boolean => one.charset === other.charset

/** Line breaks and tabs that were encoded would fold the header that this text is written into again. */
const textOf = ({ charset, bytes }: Word): string =>
  decodeCharset(bytes.length === 1 ? (bytes[0] ?? Buffer.alloc(0)) : Buffer.concat(bytes), charset).text.replace(
    /[\r\n\t]+/g,
    ' ',
  )
