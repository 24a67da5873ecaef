import { type Boundaries, newBoundaries } from './boundaries.ts'
import { contentOf } from './content.ts'
import { type Delimiter, type Delimiters, delimiterAt, findDelimiter, newDelimiters } from './delimiters.ts'
import { readFields } from './fields.ts'
import { CUTS, type Cut, LIMITS } from './limits.ts'
import { type HeaderField, isMessageType, type MimeStructure, type Part } from './structure.ts'
import { isIdentity, measureTransfer } from './transfer-encoding.ts'

/**
 * Finds every header field and part of a message in one pass. It never fails: what is broken is read as what it most
 * likely was, and bytes that no rule claims stay in the part they stand in.
 */
export const parseMessage = (bytes: Buffer): MimeStructure => {
  const delimiters = newDelimiters(bytes)
  const parsing: Parsing = {
    bytes,
    delimiters,
    boundaries: newBoundaries(delimiters),
    path: [],
    messages: [],
    cuts: new Set(),
    parts: 0,
    headerBytes: 0,
    fields: 0,
  }
  const root = newPart(0)
  let at = descend(parsing, root, 'text/plain')
  for (let hit = findDelimiter(parsing.delimiters, at); hit; hit = findDelimiter(parsing.delimiters, at)) {
    at = hit.next
    const isFull = parsing.parts >= LIMITS.parts && !hit.isLast
    if (isFull) parsing.cuts.add('parts')
    // A part that cannot be counted any more stays in the one before, or in the multipart's own bytes.
    if (isFull && parsing.path.length > hit.level + 1) continue
    closeAbove(parsing, hit.level + 1, beforeLineBreak(parsing, hit.start))
    const multipart = parsing.path[hit.level]
    if (hit.isLast) parsing.delimiters.close(hit.level)
    else if (multipart && !isFull && !opensNothing(parsing, multipart, hit)) at = addChild(parsing, multipart, hit.next)
  }
  closeAbove(parsing, 0, bytes.length)
  countLines(bytes, parsing.delimiters.lineBreak, parsing.messages)
  return { size: bytes.length, root, cuts: CUTS.filter((cut) => parsing.cuts.has(cut)) }
}

/** A part while its end is not known. */
type OpenPart = { -readonly [Key in keyof Part]: Part[Key] } & { fields: HeaderField[]; children: OpenPart[] }

type Parsing = {
  readonly bytes: Buffer
  readonly delimiters: Delimiters
  readonly boundaries: Boundaries
  /** From the root to the part that is being read. */
  readonly path: OpenPart[]
  /** Message parts, whose lines are counted at the end: they lie inside each other. */
  readonly messages: OpenPart[]
  readonly cuts: Set<Cut>
  parts: number
  headerBytes: number
  fields: number
}

const newPart = (start: number): OpenPart => ({
  start,
  headerEnd: start,
  bodyStart: start,
  end: start,
  fields: [],
  type: 'text/plain',
  encoding: '7bit',
  lines: 0,
  decodedSize: 0,
  children: [],
})

/** Another delimiter or the end of the message follows at once. A multipart has one part at least. */
const opensNothing = ({ bytes, delimiters }: Parsing, multipart: OpenPart, { level, next }: Delimiter): boolean => {
  const following = delimiterAt(delimiters, next)
  if (!following && !isBlankFrom(bytes, next)) return false
  return multipart.children.length > 0 || (following?.level === level && !following.isLast)
}

const isBlankFrom = (bytes: Buffer, from: number): boolean => {
  let at = from
  while (bytes[at] === CR || bytes[at] === LF) at += 1
  return at === bytes.length
}

const addChild = (parsing: Parsing, multipart: OpenPart, start: number): number => {
  const child = newPart(start)
  multipart.children.push(child)
  // RFC 2046 §5.1.5
  return descend(parsing, child, multipart.type === 'multipart/digest' ? 'message/rfc822' : 'text/plain')
}

/** Reads the header of a part, and of the messages inside it; answers where its content begins. */
const descend = (parsing: Parsing, first: OpenPart, firstDefault: string): number => {
  let part = first
  let defaultType = firstDefault
  for (;;) {
    parsing.parts += 1
    parsing.path.push(part)
    const isInterrupted = readHeader(parsing, part)
    const content = contentOf(part, parsing.bytes, defaultType)
    part.type = content.type
    part.encoding = content.encoding
    if (isInterrupted) return part.bodyStart
    if (part.type.startsWith('multipart/')) openMultipart(parsing, part, content.boundary)
    if (!isMessageType(part.type) || !isIdentity(part.encoding)) return part.bodyStart
    if (parsing.path.length >= LIMITS.depth || parsing.parts >= LIMITS.parts) {
      parsing.cuts.add(parsing.path.length >= LIMITS.depth ? 'depth' : 'parts')
      part.type = 'text/plain'
      return part.bodyStart
    }
    const message = newPart(part.bodyStart)
    part.children.push(message)
    part = message
    defaultType = 'text/plain'
  }
}

/** True when a delimiter of an outer multipart ended the header. */
const readHeader = (parsing: Parsing, part: OpenPart): boolean => {
  const block = readFields(parsing.bytes, part.start, {
    delimiters: parsing.delimiters,
    maxBytes: LIMITS.headerBytes - parsing.headerBytes,
    maxFields: Math.min(LIMITS.fields, LIMITS.allFields - parsing.fields),
  })
  part.fields = block.fields
  part.headerEnd = block.headerEnd
  part.bodyStart = block.bodyStart
  parsing.headerBytes += block.bodyStart - part.start
  parsing.fields += block.fields.length
  if (block.cut) parsing.cuts.add(block.cut)
  return block.isInterrupted
}

const openMultipart = (parsing: Parsing, part: OpenPart, given: string): void => {
  const boundary = parsing.boundaries.of(part.bodyStart, given)
  const isLong = boundary.length > LIMITS.boundaryBytes
  const isDeep = parsing.path.length >= LIMITS.depth
  if (isLong) parsing.cuts.add('boundaryBytes')
  if (isDeep) parsing.cuts.add('depth')
  if (boundary === '' || isLong || isDeep) part.type = 'text/plain'
  else parsing.delimiters.open(parsing.path.length - 1, boundary)
}

/** Ends the parts of the path from that level on. */
const closeAbove = (parsing: Parsing, level: number, end: number): void => {
  parsing.delimiters.closeFrom(level)
  while (parsing.path.length > level) {
    const part = parsing.path.pop()
    if (part) finish(parsing, part, Math.max(end, part.bodyStart))
  }
}

const finish = (parsing: Parsing, part: OpenPart, end: number): void => {
  part.end = end
  // The content of a multipart whose delimiters never come would be invisible: it is shown as text.
  if (part.type.startsWith('multipart/') && part.children.length === 0) part.type = 'text/plain'
  part.decodedSize = end - part.bodyStart
  if (part.type.startsWith('multipart/')) return
  if (part.children.length > 0) {
    parsing.messages.push(part)
    return
  }
  const measured = measureTransfer(parsing.bytes, part.bodyStart, end, part.encoding, parsing.delimiters.lineBreak)
  part.lines = measured.lines
  part.decodedSize = measured.decodedSize
}

/** The line break before a delimiter belongs to it (RFC 2046 §5.1.1). */
const beforeLineBreak = ({ bytes, delimiters }: Parsing, lineStart: number): number => {
  if (lineStart === 0) return 0
  const isPair = delimiters.lineBreak === LF && bytes[lineStart - 2] === CR
  return lineStart - (isPair ? 2 : 1)
}

const LF = 10
const CR = 13

type Counted = { readonly bodyStart: number; readonly end: number; lines: number }

/**
 * Counts the lines of bodies that lie inside each other in one pass over the bytes, however deep they are nested.
 */
const countLines = (bytes: Buffer, lineBreak: number, bodies: readonly Counted[]): void => {
  const marks = bodies
    .flatMap((body) => [
      { at: body.bodyStart, body, sign: -1 },
      { at: body.end, body, sign: 1 },
    ])
    .sort((one, other) => one.at - other.at)
  let lines = 0
  let at = marks[0]?.at ?? 0
  for (const mark of marks) {
    for (; at < mark.at; at += 1) if (bytes[at] === lineBreak) lines += 1
    mark.body.lines += mark.sign * lines
  }
}
