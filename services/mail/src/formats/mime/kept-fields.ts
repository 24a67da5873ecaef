import { allParts, type Bytes, type HeaderField, isMessageType, type MimeStructure, type Part } from './structure.ts'

/** Fields that a body structure is made from. */
const PART_FIELDS = new Set([
  'content-type',
  'content-disposition',
  'content-id',
  'content-description',
  'content-language',
  'content-location',
  'content-md5',
])
/** Fields that an envelope needs. */
const ENVELOPE_FIELDS = new Set([
  'date',
  'subject',
  'from',
  'sender',
  'reply-to',
  'to',
  'cc',
  'bcc',
  'in-reply-to',
  'message-id',
])

/** A header with more is read from the message itself: rows of the database are read by thousands. */
const MAX_BYTES = 16_384

/**
 * The values that ENVELOPE and BODYSTRUCTURE are made from, one after the other: kept beside the structure, they spare
 * lists a look into the message. Null when they are too many.
 */
export const keepFields = (structure: MimeStructure, bytes: Buffer): Buffer | null => {
  const pieces: Buffer[] = []
  let length = 0
  for (const field of keptFields(structure)) {
    length += field.end - field.valueStart
    if (length > MAX_BYTES) return null
    pieces.push(bytes.subarray(field.valueStart, field.end))
  }
  return Buffer.concat(pieces)
}

/** What was kept, to be read by the offsets of the structure; null when it is not of this structure. */
export const keptBytes = (structure: MimeStructure, kept: Buffer): Bytes | null => {
  const pieces = new Map<number, Buffer>()
  let at = 0
  for (const { valueStart, end } of keptFields(structure)) {
    const next = at + end - valueStart
    pieces.set(valueStart, kept.subarray(at, next))
    at = next
  }
  if (at !== kept.length) return null
  return { subarray: (start, end) => pieces.get(start)?.subarray(0, end - start) ?? Buffer.alloc(0) }
}

/** The first field of each name, as readers take it. */
function* keptFields({ root }: MimeStructure): Generator<HeaderField> {
  const messages = new Set<Part>([root])
  for (const part of allParts(root)) {
    if (isMessageType(part.type)) for (const child of part.children) messages.add(child)
    const seen = new Set<string>()
    for (const field of part.fields) {
      const isKept = PART_FIELDS.has(field.name) || (messages.has(part) && ENVELOPE_FIELDS.has(field.name))
      if (!isKept || seen.has(field.name)) continue
      seen.add(field.name)
      yield field
    }
  }
}
