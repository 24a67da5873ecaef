import type { BodyPart } from './body.ts'
import { decodeCharset } from './charsets.ts'
import type { Bytes } from './structure.ts'
import { isKnownEncoding, transferDecoder } from './transfer-encoding.ts'

/** EmailBodyValue of RFC 8621 §4.1.4. */
export type BodyValue = {
  readonly value: string
  readonly isEncodingProblem: boolean
  readonly isTruncated: boolean
}

/** Body bytes that are decoded at a time: decoding stops once enough text is there. */
const SLICE = 65_536

/**
 * The text of a part with its lines ended by LF, at most so many bytes of UTF-8 (0: all of it). HTML is not cut inside
 * a tag.
 */
export const bodyValue = (body: BodyPart, bytes: Bytes, maxBytes = 0): BodyValue => {
  const { part, charset, type } = body
  // A byte of content makes at least a quarter of a byte of text, whatever the charset.
  const content = decodeBounded(body, bytes, maxBytes === 0 ? part.decodedSize : maxBytes * 4 + 4)
  const decoded = decodeCharset(content, charset)
  const text = decoded.text.replace(/\r\n?/g, '\n').replaceAll('\0', '')
  const isWhole = content.length >= part.decodedSize
  const value = maxBytes === 0 ? text : truncate(text, maxBytes, type === 'text/html')
  return {
    value,
    isEncodingProblem: (decoded.hasProblem && isWhole) || !isKnownEncoding(part.encoding) || !isSane(decoded, content),
    isTruncated: !isWhole || value.length < text.length,
  }
}

/** The content of a part, at most so many bytes of it. */
export const decodeBounded = ({ part }: Pick<BodyPart, 'part'>, bytes: Bytes, maxBytes: number): Buffer => {
  const decoder = transferDecoder(part.encoding)
  const slices: Buffer[] = []
  let length = 0
  for (let at = part.bodyStart; at < part.end && length < maxBytes; at += SLICE) {
    const slice = decoder.write(bytes.subarray(at, Math.min(part.end, at + SLICE)))
    slices.push(slice)
    length += slice.length
  }
  if (length < maxBytes) slices.push(decoder.end())
  return Buffer.concat(slices).subarray(0, maxBytes)
}

/** A cut through a character at the very end is our doing. */
const isSane = (decoded: { text: string; hasProblem: boolean }, content: Buffer): boolean =>
  !decoded.hasProblem || content.length === 0 || decoded.text.indexOf('\ufffd') >= decoded.text.length - 2

/** Whole characters of at most so many bytes. */
const truncate = (text: string, maxBytes: number, isHtml: boolean): string => {
  const bytes = Buffer.from(text, 'utf8')
  if (bytes.length <= maxBytes) return text
  let end = maxBytes
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  const cut = bytes.toString('utf8', 0, end)
  const tag = isHtml ? cut.lastIndexOf('<') : -1
  return tag > cut.lastIndexOf('>') ? cut.slice(0, tag) : cut
}
