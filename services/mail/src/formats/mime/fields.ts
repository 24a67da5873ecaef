import { type Delimiters, delimiterAt } from './delimiters.ts'
import { type Cut, LIMITS } from './limits.ts'
import type { HeaderField } from './structure.ts'

/** A header as it was found. */
export type HeaderBlock = {
  readonly fields: HeaderField[]
  readonly headerEnd: number
  readonly bodyStart: number
  /** A delimiter of an outer multipart stood where a field or the blank line was expected. */
  readonly isInterrupted: boolean
  readonly cut: Cut | null
}

type Line = { end: number; next: number; nameEnd: number; valueStart: number }

const LF = 10
const CR = 13
const SPACE = 32
const TAB = 9
const COLON = 58
const DASH = 45
const DELETE = 127

/**
 * Reads a header up to its blank line. A line that is no field is skipped when a field follows it, because folded
 * lines lose their spaces on the way; otherwise somebody forgot the blank line, and it is the first of the body.
 */
export const readFields = (
  bytes: Buffer,
  start: number,
  options: { delimiters: Delimiters; maxBytes: number; maxFields: number },
): HeaderBlock => {
  const { delimiters, maxBytes, maxFields } = options
  const fields: HeaderField[] = []
  let cut: Cut | null = null
  let last: { end: number; next: number } | null = null
  let at = start
  let hasDashes = false
  const line: Line = { end: 0, next: 0, nameEnd: 0, valueStart: 0 }
  while (at < bytes.length) {
    readLine(bytes, at, delimiters.lineBreak, line)
    const first = bytes[at]
    if (line.end === at) return { fields, headerEnd: at, bodyStart: line.next, isInterrupted: false, cut }
    if (first === DASH && delimiterAt(delimiters, at))
      return { fields, headerEnd: at, bodyStart: at, isInterrupted: true, cut }
    if (first === DASH && bytes[at + 1] === DASH && !hasDashes) {
      hasDashes = true
      if (isOwnDelimiter(bytes, { start, at, end: line.end }))
        return { fields, headerEnd: at, bodyStart: at, isInterrupted: false, cut }
    }
    if ((first === SPACE || first === TAB) && at > start) {
      if (last) {
        last.end = line.end
        last.next = line.next
      }
    } else if (line.valueStart === 0) {
      last = null
      if (!isEnvelopeLine(bytes, at, start) && !isField(bytes, line.next, delimiters.lineBreak))
        return { fields, headerEnd: at, bodyStart: at, isInterrupted: false, cut }
    } else if (fields.length >= maxFields || line.next - start > maxBytes) {
      cut ??= fields.length >= maxFields ? 'fields' : 'headerBytes'
      last = null
    } else {
      const name = bytes.toString('latin1', at, line.nameEnd).toLowerCase()
      const field = { name, start: at, valueStart: line.valueStart, end: line.end, next: line.next }
      fields.push(field)
      last = field
    }
    at = line.next
  }
  return { fields, headerEnd: bytes.length, bodyStart: bytes.length, isInterrupted: false, cut }
}

/** The line that starts here: its end, the next line, and the field name when it has one (valueStart > 0). */
const readLine = (bytes: Buffer, start: number, lineBreak: number, line: Line): void => {
  let at = start
  let nameEnd = 0
  line.valueStart = 0
  const limit = Math.min(bytes.length, start + LIMITS.fieldNameBytes + 1)
  for (; at < limit; at += 1) {
    const byte = bytes[at]
    if (byte === COLON) {
      if (at > start) {
        line.nameEnd = nameEnd || at
        line.valueStart = at + 1
      }
      break
    }
    // RFC 5322 §4.5: spaces between the name and its colon.
    if ((byte === SPACE || byte === TAB) && at > start) nameEnd ||= at
    else if (byte === undefined || byte <= SPACE || byte >= DELETE || nameEnd > 0) break
  }
  const found = bytes.indexOf(lineBreak, at)
  line.next = found === -1 ? bytes.length : found + 1
  let end = found === -1 ? bytes.length : found
  if (lineBreak === LF) while (end > start && bytes[end - 1] === CR) end -= 1
  line.end = end
  if (line.valueStart > end) line.valueStart = end
}

const isField = (bytes: Buffer, at: number, lineBreak: number): boolean => {
  if (at >= bytes.length || bytes[at] === SPACE || bytes[at] === TAB) return false
  const line: Line = { end: 0, next: 0, nameEnd: 0, valueStart: 0 }
  readLine(bytes, at, lineBreak, line)
  return line.valueStart > 0
}

/** Whether a line of dashes has the boundary that the header gave above: the blank line before it was forgotten. */
const isOwnDelimiter = (bytes: Buffer, { start, at, end }: { start: number; at: number; end: number }): boolean => {
  const boundary = bytes.toString('latin1', at + 2, Math.min(end, at + 3 + LIMITS.boundaryBytes)).trimEnd()
  if (boundary === '' || boundary.length > LIMITS.boundaryBytes) return false
  return bytes.indexOf(boundary, start, 'latin1') < at && /boundary/i.test(bytes.toString('latin1', start, at))
}

/** The line that mbox files put before a message. */
const isEnvelopeLine = (bytes: Buffer, at: number, start: number): boolean =>
  at === start && /^>?From /.test(bytes.toString('latin1', at, at + 6))
