import { CUTS, LIMITS } from './limits.ts'
import type { HeaderField, MimeStructure, Part } from './structure.ts'

/** The first byte of a stored structure. A reader that meets another one parses the message again. */
const VERSION = 1

/** Append only: the place in the list is what is stored. Zero is kept for names that are written out. */
const FIELD_NAMES = (
  'received date from to cc bcc subject message-id in-reply-to references reply-to sender return-path mime-version ' +
  'content-type content-transfer-encoding content-disposition content-id content-description content-language ' +
  'content-location content-md5 dkim-signature arc-seal arc-message-signature arc-authentication-results ' +
  'authentication-results received-spf x-mailer user-agent x-received list-id list-unsubscribe list-unsubscribe-post ' +
  'list-help list-post list-archive list-subscribe list-owner precedence auto-submitted delivered-to x-originating-ip ' +
  'thread-topic thread-index x-priority importance errors-to feedback-id x-spam-status x-spam-score resent-from ' +
  'resent-to resent-date resent-message-id disposition-notification-to organization keywords comments autocrypt ' +
  'x-google-dkim-signature x-gm-message-state x-google-smtp-source x-ms-has-attach x-ms-exchange-organization-authas'
).split(' ')

const TYPES = (
  'text/plain text/html multipart/alternative multipart/mixed multipart/related multipart/signed multipart/report ' +
  'multipart/digest message/rfc822 message/delivery-status image/png image/jpeg image/gif application/pdf ' +
  'application/octet-stream text/calendar application/pgp-signature application/zip'
).split(' ')

const ENCODINGS = ['7bit', '8bit', 'base64', 'quoted-printable', 'binary']

/** The structure as bytes for the database: about four bytes for a header field, twelve for a part. */
export const encodeStructure = (structure: MimeStructure): Buffer => {
  const writer: Writer = { bytes: Buffer.alloc(1024), length: 0 }
  writeNumber(writer, VERSION)
  writeNumber(writer, structure.size)
  writeNumber(
    writer,
    CUTS.reduce((mask, cut, index) => mask + (structure.cuts.includes(cut) ? 1 << index : 0), 0),
  )
  writePart(writer, structure.root, 0)
  return Buffer.from(writer.bytes.subarray(0, writer.length))
}

/**
 * The structure from its bytes, or null when they are of another version, damaged, or have more in them than a message
 * may have today: then parse again.
 */
export const decodeStructure = (bytes: Buffer): MimeStructure | null => {
  const reader: Reader = { bytes, at: 0, isBroken: false, parts: 0, fields: 0 }
  if (readNumber(reader) !== VERSION) return null
  const size = readNumber(reader)
  const mask = readNumber(reader)
  const root = readPart(reader, 0, 1)
  if (reader.isBroken || reader.at !== bytes.length) return null
  return { size, root, cuts: CUTS.filter((_cut, index) => (mask & (1 << index)) !== 0) }
}

type Writer = { bytes: Buffer; length: number }
type Reader = { readonly bytes: Buffer; at: number; isBroken: boolean; parts: number; fields: number }

/** Offsets are written as distances from where the one before ended, which is mostly near. */
const writePart = (writer: Writer, part: Part, from: number): void => {
  writeNumber(writer, part.start - from)
  writeNumber(writer, part.headerEnd - part.start)
  writeNumber(writer, part.bodyStart - part.headerEnd)
  writeNumber(writer, part.end - part.bodyStart)
  writeName(writer, part.type, TYPE_CODES)
  writeName(writer, part.encoding, ENCODING_CODES)
  writeNumber(writer, part.lines)
  writeNumber(writer, part.decodedSize)
  writeNumber(writer, part.fields.length)
  let at = part.start
  for (const field of part.fields) {
    writeName(writer, field.name, FIELD_CODES)
    writeNumber(writer, field.start - at)
    writeNumber(writer, field.valueStart - field.start - field.name.length)
    writeNumber(writer, field.end - field.valueStart)
    writeNumber(writer, field.next - field.end)
    at = field.next
  }
  writeNumber(writer, part.children.length)
  let end = part.bodyStart
  for (const child of part.children) {
    writePart(writer, child, end)
    end = child.end
  }
}

const readPart = (reader: Reader, from: number, depth: number): Part => {
  reader.parts += 1
  if (depth > LIMITS.depth || reader.parts > LIMITS.parts) reader.isBroken = true
  const start = from + readNumber(reader)
  const headerEnd = start + readNumber(reader)
  const bodyStart = headerEnd + readNumber(reader)
  const end = bodyStart + readNumber(reader)
  const type = readName(reader, TYPES)
  const encoding = readName(reader, ENCODINGS)
  const lines = readNumber(reader)
  const decodedSize = readNumber(reader)
  const fields = readList(reader, start, readField)
  const children = readList(reader, bodyStart, (inner, at) => {
    const part = readPart(inner, at, depth + 1)
    return [part, part.end]
  })
  return { start, headerEnd, bodyStart, end, type, encoding, lines, decodedSize, fields, children }
}

const readField = (reader: Reader, from: number): [HeaderField, number] => {
  reader.fields += 1
  if (reader.fields > LIMITS.allFields) reader.isBroken = true
  const name = readName(reader, FIELD_NAMES)
  const start = from + readNumber(reader)
  const valueStart = start + name.length + readNumber(reader)
  const end = valueStart + readNumber(reader)
  const next = end + readNumber(reader)
  return [{ name, start, valueStart, end, next }, next]
}

const readList = <T>(reader: Reader, from: number, read: (reader: Reader, at: number) => [T, number]): T[] => {
  const items: T[] = []
  let at = from
  for (let left = readNumber(reader); left > 0 && !reader.isBroken; left -= 1) {
    const [item, next] = read(reader, at)
    items.push(item)
    at = next
  }
  return items
}

const codesOf = (names: readonly string[]): ReadonlyMap<string, number> =>
  new Map(names.map((name, index) => [name, index + 1]))

const FIELD_CODES = codesOf(FIELD_NAMES)
const TYPE_CODES = codesOf(TYPES)
const ENCODING_CODES = codesOf(ENCODINGS)

const writeName = (writer: Writer, name: string, codes: ReadonlyMap<string, number>): void => {
  const code = codes.get(name) ?? 0
  writeNumber(writer, code)
  if (code > 0) return
  const bytes = Buffer.from(name, 'utf8')
  writeNumber(writer, bytes.length)
  reserve(writer, bytes.length)
  writer.length += bytes.copy(writer.bytes, writer.length)
}

const readName = (reader: Reader, names: readonly string[]): string => {
  const code = readNumber(reader)
  if (code > 0) return names[code - 1] ?? fail(reader)
  const length = readNumber(reader)
  const start = reader.at
  if (start + length > reader.bytes.length) return fail(reader)
  reader.at += length
  return reader.bytes.toString('utf8', start, reader.at)
}

const fail = (reader: Reader): string => {
  reader.isBroken = true
  return ''
}

/** Seven bits in a byte, the lowest first; offsets are positive and below 2^53. */
const writeNumber = (writer: Writer, value: number): void => {
  reserve(writer, 8)
  let rest = value
  for (; rest > 127; rest = Math.floor(rest / 128))
    writer.length = writer.bytes.writeUInt8((rest % 128) + 128, writer.length)
  writer.length = writer.bytes.writeUInt8(rest, writer.length)
}

const readNumber = (reader: Reader): number => {
  let value = 0
  for (let factor = 1; factor <= 128 ** 6; factor *= 128) {
    const byte = reader.bytes[reader.at] ?? 255
    reader.at += 1
    value += (byte % 128) * factor
    if (byte < 128) return value
  }
  reader.isBroken = true
  return 0
}

const reserve = (writer: Writer, bytes: number): void => {
  if (writer.length + bytes <= writer.bytes.length) return
  const larger = Buffer.alloc(Math.max(writer.bytes.length * 2, writer.length + bytes))
  writer.bytes.copy(larger)
  writer.bytes = larger
}
