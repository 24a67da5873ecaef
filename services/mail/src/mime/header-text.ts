import { isAscii } from 'node:buffer'
import { decodeUnlabelled } from './charsets.ts'
import { LIMITS } from './limits.ts'
import type { Bytes, HeaderField, Part } from './structure.ts'

/**
 * The value of a field on one line, still with its encoded words. Bytes above ASCII are UTF-8 (RFC 6532), or what
 * mailers wrote before that. Longer values than the limit are cut.
 */
export const headerText = (bytes: Bytes, field: HeaderField): string =>
  unfold(decodeHeader(bytes.subarray(field.valueStart, Math.min(field.end, field.valueStart + LIMITS.fieldBytes))))

/** The text of the first field of that name, or null. */
export const firstText = (part: Pick<Part, 'fields'>, bytes: Bytes, name: string): string | null => {
  for (const field of part.fields) if (field.name === name) return headerText(bytes, field)
  return null
}

/** The bytes of a header as text. NUL, which no store and no protocol takes, is left out. */
export const decodeHeader = (bytes: Buffer): string => {
  const text = isAscii(bytes) ? bytes.toString('latin1') : decodeUnlabelled(bytes)
  return text.includes('\0') ? text.replaceAll('\0', '') : text
}

/** RFC 5322 §2.2.3: a line break before a space vanishes; one anywhere else is broken mail, and becomes a space. */
export const unfold = (text: string): string => {
  const joined = LINE_BREAK.test(text) ? text.replace(/\r*\n(?=[ \t])/g, '').replace(/[\r\n]+/g, ' ') : text
  return joined.trim()
}

const LINE_BREAK = /[\r\n]/
