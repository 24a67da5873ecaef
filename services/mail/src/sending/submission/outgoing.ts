import type { Part } from '../../formats/mime/mime.ts'
import { privateFields } from './authorship.ts'

const CR = 13
const LF = 10

/**
 * The message with every line ended by CRLF, as SMTP wants it (RFC 5321 §2.3.8); the same buffer if it is so already.
 * Whatever is checked of a message is checked in this form: a CR alone would become a new header field after that.
 */
export const withLineEnds = (bytes: Buffer): Buffer =>
  hasBareBreak(bytes) ? Buffer.from(bytes.toString('latin1').replace(/\r\n|\r|\n/g, '\r\n'), 'latin1') : bytes

/** The message without Bcc (RFC 5322 §3.6.3) and what only the last host writes; the same buffer if it has none. */
export const withoutPrivate = (root: Part, bytes: Buffer): Buffer => {
  const ranges = privateFields(root)
  if (ranges.length === 0) return bytes
  const kept: Buffer[] = []
  let at = 0
  for (const { start, end } of ranges) {
    kept.push(bytes.subarray(at, start))
    at = end
  }
  return Buffer.concat([...kept, bytes.subarray(at)])
}

const hasBareBreak = (bytes: Buffer): boolean => {
  for (let at = bytes.indexOf(LF); at !== -1; at = bytes.indexOf(LF, at + 1)) if (bytes[at - 1] !== CR) return true
  for (let at = bytes.indexOf(CR); at !== -1; at = bytes.indexOf(CR, at + 1)) if (bytes[at + 1] !== LF) return true
  return false
}
