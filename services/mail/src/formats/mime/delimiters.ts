import { LIMITS } from './limits.ts'

/** The delimiter lines of the multiparts that are open, found by their text. */
export type Delimiters = {
  readonly bytes: Buffer
  /** The byte that ends a line: LF, or CR in a message that has no LF at all. */
  readonly lineBreak: number
  open(level: number, boundary: string): void
  /** The closing delimiter was there: what follows is no part of this multipart. */
  close(level: number): void
  closeFrom(level: number): void
  /** The level of the innermost open multipart with that boundary. */
  levelOf(boundary: string): number | undefined
  isEmpty(): boolean
}

export type Delimiter = {
  readonly level: number
  readonly isLast: boolean
  readonly start: number
  /** After its line. */
  readonly next: number
}

const LF = 10
const CR = 13
const SPACE = 32
const TAB = 9
const DASH = 45

export const newDelimiters = (bytes: Buffer): Delimiters => {
  const boundaries: (string | undefined)[] = []
  // Levels by boundary: broken mailers use one boundary twice, and then the inner multipart comes first.
  const levels = new Map<string, number[]>()
  const close = (level: number): void => {
    const boundary = boundaries[level]
    if (boundary === undefined) return
    boundaries[level] = undefined
    const open = levels.get(boundary)
    if (open && open.length > 1) open.pop()
    else levels.delete(boundary)
  }
  return {
    bytes,
    lineBreak: bytes.includes(LF) || !bytes.includes(CR) ? LF : CR,
    open: (level, boundary) => {
      boundaries[level] = boundary
      const open = levels.get(boundary)
      if (open) open.push(level)
      else levels.set(boundary, [level])
    },
    close,
    closeFrom: (level) => {
      for (let deepest = boundaries.length - 1; deepest >= level; deepest -= 1) close(deepest)
      boundaries.length = Math.min(boundaries.length, level)
    },
    levelOf: (boundary) => levels.get(boundary)?.at(-1),
    isEmpty: () => levels.size === 0,
  }
}

/** The next delimiter line at or after the start of a line. */
export const findDelimiter = (delimiters: Delimiters, from: number): Delimiter | null => {
  const { bytes, lineBreak } = delimiters
  if (delimiters.isEmpty()) return null
  const needle = lineBreak === LF ? '\n--' : '\r--'
  let start = dashedLine(bytes, needle, from)
  while (start !== -1) {
    const hit = delimiterAt(delimiters, start)
    if (hit) return hit
    start = dashedLine(bytes, needle, lineAfter(delimiters, start))
  }
  return null
}

/** The delimiter that is the line starting here, if it is one. */
export const delimiterAt = (delimiters: Delimiters, start: number): Delimiter | null => {
  const { bytes } = delimiters
  if (delimiters.isEmpty() || !isDashed(bytes, start)) return null
  const next = lineAfter(delimiters, start)
  let end = next
  // RFC 2046 §5.1.1: spaces may follow a delimiter.
  while (end > start && isPadding(bytes[end - 1])) end -= 1
  const text = bytes.toString('latin1', start + 2, Math.min(Math.max(end, start + 2), start + MAX_DELIMITER))
  const named = levelNamed(delimiters, text) ?? levelNamed(delimiters, firstWord(text))
  return named && { ...named, start, next }
}

/** With both pairs of dashes, and what shows that a line is longer. */
const MAX_DELIMITER = LIMITS.boundaryBytes + 5

const levelNamed = (delimiters: Delimiters, text: string): Pick<Delimiter, 'level' | 'isLast'> | null => {
  const level = delimiters.levelOf(text)
  if (level !== undefined) return { level, isLast: false }
  const closing = text.endsWith('--') ? delimiters.levelOf(text.slice(0, -2).trimEnd()) : undefined
  return closing === undefined ? null : { level: closing, isLast: true }
}

/** RFC 2046 §5.1.1: the boundary need not be the whole line. What follows it directly could belong to another one. */
const firstWord = (text: string): string => /^[^ \t]*/.exec(text)?.[0] ?? ''

/** The first line that begins with two dashes, at or after the start of a line; -1 when there is none. */
const dashedLine = (bytes: Buffer, needle: string, lineStart: number): number => {
  if (lineStart === 0 && isDashed(bytes, 0)) return 0
  const found = bytes.indexOf(needle, Math.max(lineStart - 1, 0), 'latin1')
  return found === -1 ? -1 : found + 1
}

const lineAfter = ({ bytes, lineBreak }: Delimiters, at: number): number => {
  const end = bytes.indexOf(lineBreak, at)
  return end === -1 ? bytes.length : end + 1
}

const isDashed = (bytes: Buffer, at: number): boolean => bytes[at] === DASH && bytes[at + 1] === DASH

const isPadding = (byte: number | undefined): boolean => byte === SPACE || byte === TAB || byte === CR || byte === LF
