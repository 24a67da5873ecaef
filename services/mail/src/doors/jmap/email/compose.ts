import { isAscii } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import { buildHeaderValue, encodeQuotedPrintable, wrapQuotedPrintable } from '../../../formats/compose/compose.ts'
import { isMessageType } from '../../../formats/mime/mime.ts'
import type { Field } from './draft-fields.ts'
import type { DraftPart } from './draft-parts.ts'

/** The bytes of a blob that a part names. */
export type BlobReader = (blobId: string) => Promise<Buffer>

const CRLF = '\r\n'
/** RFC 5322 §2.1.1. */
const MAX_LINE = 998
const BASE64_LINE = 76

/** The bytes of a message with exactly these parts. Lines end with CRLF and nothing else. */
export const composeMessage = async (
  fields: readonly Field[],
  body: DraftPart,
  readBlob: BlobReader,
): Promise<Buffer> => {
  const pieces: Buffer[] = []
  await writePart(pieces, { ...body, fields: [...fields, ...body.fields] }, readBlob)
  return Buffer.concat(pieces)
}

const writePart = async (pieces: Buffer[], part: DraftPart, readBlob: BlobReader): Promise<void> => {
  const { content } = part
  if (content.kind !== 'parts') {
    const body =
      content.kind === 'text' ? encodeText(content.text) : encodeBlob(part.type, await readBlob(content.blobId))
    const encoding = { name: 'Content-Transfer-Encoding', value: ` ${body.encoding}` }
    pieces.push(headerOf(part, part.parameters, [encoding]), body.bytes)
    return
  }
  const boundary = `=_${randomBytes(18).toString('hex')}`
  pieces.push(headerOf(part, { ...part.parameters, boundary }, []))
  for (const inner of content.parts) {
    pieces.push(Buffer.from(`--${boundary}${CRLF}`))
    await writePart(pieces, inner, readBlob)
    pieces.push(Buffer.from(CRLF))
  }
  pieces.push(Buffer.from(`--${boundary}--${CRLF}`))
}

const headerOf = (
  { type, disposition, fields }: DraftPart,
  parameters: Readonly<Record<string, string>>,
  more: readonly Field[],
): Buffer => {
  const own: Field[] = [
    { name: 'Content-Type', value: parameterised(type, parameters) },
    ...(disposition
      ? [{ name: 'Content-Disposition', value: parameterised(disposition.value, disposition.parameters) }]
      : []),
    ...more,
  ]
  const lines = [...fields, ...own].map(({ name, value }) => `${name}:${value}${CRLF}`)
  return Buffer.from(lines.join('') + CRLF)
}

/** RFC 2045 §5.1, RFC 2231. */
const parameterised = (value: string, parameters: Readonly<Record<string, string>>): string =>
  // A line may break at any space, in quotes too.
  ` ${buildHeaderValue({ value, params: { ...parameters } })}`.replaceAll('; ', `;${CRLF} `)

type Encoded = { readonly encoding: string; readonly bytes: Buffer }

/** Text with as little encoding as it needs. */
const encodeText = (text: string): Encoded => {
  const bytes = Buffer.from(text.toWellFormed().replace(/\r\n?|\n/g, CRLF))
  if (isAscii(bytes) && !bytes.includes(0) && !hasLongLine(bytes)) return { encoding: '7bit', bytes }
  if (bytes.length > READABLE || mostlyForeign(bytes)) return encodeBase64(bytes)
  return { encoding: 'quoted-printable', bytes: Buffer.from(wrapQuotedPrintable(encodeQuotedPrintable(bytes))) }
}

/** Longer texts get the faster encoding: nobody reads their source. */
const READABLE = 262_144

const mostlyForeign = (bytes: Buffer): boolean =>
  bytes.reduce((sum, byte) => sum + (byte > 127 ? 1 : 0), 0) * 6 > bytes.length

/** RFC 2046 §5.2.1: a message inside of a message is not encoded. Everything else arrives bit by bit. */
const encodeBlob = (type: string, bytes: Buffer): Encoded => {
  if (!isMessageType(type)) return encodeBase64(bytes)
  const lines = Buffer.from(bytes.toString('latin1').replace(/\r\n|\r|\n/g, CRLF), 'latin1')
  return { encoding: isAscii(lines) ? '7bit' : '8bit', bytes: lines }
}

const encodeBase64 = (bytes: Buffer): Encoded => {
  const text = bytes.toString('base64')
  const lines: string[] = []
  for (let at = 0; at < text.length; at += BASE64_LINE) lines.push(text.slice(at, at + BASE64_LINE))
  return { encoding: 'base64', bytes: Buffer.from(lines.join(CRLF)) }
}

const hasLongLine = (bytes: Buffer): boolean => {
  let start = 0
  for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
    if (end - start > MAX_LINE + 1) return true
    start = end + 1
  }
  return bytes.length - start > MAX_LINE
}
