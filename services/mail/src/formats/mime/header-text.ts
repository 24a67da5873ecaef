import { isAscii } from 'node:buffer'
import { decodeUnlabelled } from './charsets.ts'
import { encodeRawBytes } from './encoded-words.ts'
import { LIMITS } from './limits.ts'
import type { Bytes, HeaderField, Part } from './structure.ts'

/**
 * The value of a field on one line, still with its encoded words. Bytes above ASCII are UTF-8 (RFC 6532), or what
 * mailers wrote before that. Longer values than the limit are cut.
 */
export const headerText = (bytes: Bytes, field: HeaderField): string => {
  const value = rawValue(bytes, field)
  if (isAscii(value)) return unfold(withoutNul(value.toString('latin1')))
  return unfold(decodeHeader(Buffer.from(encodeRawBytes(value.toString('latin1')), 'latin1')))
}

/** The unfolded value with one character per byte, for comparing it with bytes of the body. */
export const headerBytes = (bytes: Bytes, field: HeaderField): string =>
  unfold(rawValue(bytes, field).toString('latin1'))

const rawValue = (bytes: Bytes, { valueStart, end }: HeaderField): Buffer =>
  bytes.subarray(valueStart, Math.min(end, valueStart + LIMITS.fieldBytes))

/** The text of the first field of that name, or null. */
export const firstText = (part: Pick<Part, 'fields'>, bytes: Bytes, name: string): string | null => {
  for (const field of part.fields) if (field.name === name) return headerText(bytes, field)
  return null
}

/** The bytes of a header as text. NUL, which no store and no protocol takes, is left out. */
export const decodeHeader = (bytes: Buffer): string =>
  withoutNul(isAscii(bytes) ? bytes.toString('latin1') : decodeUnlabelled(bytes))

const withoutNul = (text: string): string => (text.includes('\0') ? text.replaceAll('\0', '') : text)

/** RFC 5322 §2.2.3: a line break before a space vanishes; one anywhere else is broken mail, and becomes a space. */
const unfold = (text: string): string => {
  const joined = LINE_BREAK.test(text) ? text.replace(/\r*\n(?=[ \t])/g, '').replace(/[\r\n]+/g, ' ') : text
  return joined.trim()
}

const LINE_BREAK = /[\r\n]/
