import {
  type ByteRange,
  embeddedMessage,
  findPart,
  isIdentity,
  isKnownEncoding,
  isMultipart,
  type MimeStructure,
  type Part,
  parseMessage,
  resolveSection,
  type Section,
} from '../../../formats/mime/mime.ts'
import type { PartialRange } from './fetch-items.ts'

/** What a section is made of: bytes that are at hand, and ranges of the stored message. */
export type Piece = Buffer | ByteRange

/** A message as far as its sections are found by it. Offsets of the structure do not count the prefix. */
export type Shape = { readonly structure: MimeStructure; readonly prefix: Buffer }

/** `encoding`: the pieces have to be decoded, and are `size` bytes then. */
export type SectionContent = {
  readonly pieces: readonly Piece[]
  readonly size: number
  readonly encoding: string | null
}

const LINE_END = Buffer.from('\r\n')

/** What BODY[section] is; null when the message has no such section. */
export const sectionContent = (shape: Shape, section: Section): SectionContent | null => {
  const found = resolveSection(shape.structure, section)
  if (!found) return null
  const pieces: Piece[] = [...headOf(shape, section), ...found.ranges]
  if (found.needsBlankLine) pieces.push(...missingEnd(shape, section))
  return plainContent(pieces)
}

/**
 * What BINARY[section] is: a part without its transfer encoding (RFC 9051 §6.4.5). Null when there is no such section,
 * `unknown` when nobody knows the encoding.
 */
export const binaryContent = (shape: Shape, section: Section): SectionContent | 'unknown' | null => {
  const part = section.what === 'all' && section.path.length > 0 ? findPart(shape.structure, section.path) : null
  if (!part || isMultipart(part) || embeddedMessage(part) || isIdentity(part.encoding))
    return sectionContent(shape, section)
  if (!isKnownEncoding(part.encoding)) return 'unknown'
  return { pieces: [{ start: part.bodyStart, end: part.end }], size: part.decodedSize, encoding: part.encoding }
}

/** `<origin.count>` of what needs no decoding; past the end there is nothing. */
export const partialContent = ({ pieces }: SectionContent, { origin, count }: PartialRange): SectionContent => {
  const kept: Piece[] = []
  let skip = origin
  let left = count
  for (const piece of pieces) {
    const length = lengthOf(piece)
    const from = Math.min(length, skip)
    const to = Math.min(length, from + left)
    skip -= from
    left -= to - from
    if (to > from) kept.push(cut(piece, from, to))
  }
  return plainContent(kept)
}

const lengthOf = (piece: Piece): number => (isBytes(piece) ? piece.length : piece.end - piece.start)
export const isBytes = (piece: Piece): piece is Buffer => Buffer.isBuffer(piece)
export const isRange = (piece: Piece): piece is ByteRange => !isBytes(piece)

const plainContent = (pieces: readonly Piece[]): SectionContent => ({
  pieces: pieces.filter((piece) => lengthOf(piece) > 0),
  size: pieces.reduce((sum, piece) => sum + lengthOf(piece), 0),
  encoding: null,
})

const cut = (piece: Piece, from: number, to: number): Piece =>
  isBytes(piece) ? piece.subarray(from, to) : { start: piece.start + from, end: piece.start + to }

/** Our own fields, which stand before the stored message. */
const headOf = ({ prefix }: Shape, { path, what, fields }: Section): Buffer[] => {
  if (path.length > 0 || what === 'text' || prefix.length === 0) return []
  if (what === 'all' || what === 'header') return [prefix]
  const wanted = new Set(fields)
  return parseMessage(prefix)
    .root.fields.filter(({ name }) => wanted.has(name) === (what === 'fields'))
    .map(({ start, next }) => prefix.subarray(start, next))
}

/** A selection of fields ends with an empty line, even when the header just ends. */
const missingEnd = ({ structure }: Shape, section: Section): Buffer[] => {
  const part = findPart(structure, section.path)
  const message = part && (section.path.length === 0 ? part : embeddedMessage(part))
  return message && endsInLine(message, section) ? [LINE_END, LINE_END] : [LINE_END]
}

const endsInLine = ({ fields }: Part, section: Section): boolean => {
  const last = fields.findLast(({ name }) => section.fields.includes(name) === (section.what === 'fields'))
  return last !== undefined && last.next === last.end
}
