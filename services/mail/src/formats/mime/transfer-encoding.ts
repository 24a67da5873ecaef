import { base64Decoder, base64Length } from './base64.ts'
import { quotedPrintableDecoder } from './quoted-printable.ts'

/** Decodes a body slice by slice: what `write` and `end` give, in order, is the content. */
export type TransferDecoder = {
  write(slice: Buffer): Buffer
  end(): Buffer
}

const IDENTITY: ReadonlySet<string> = new Set(['7bit', '8bit', 'binary', ''])

/** True when the body is sent as it is. */
export const isIdentity = (encoding: string): boolean => IDENTITY.has(encoding)

/** True when the content can be had from the body. Others (uuencode, yEnc …) are handed out as they are. */
export const isKnownEncoding = (encoding: string): boolean =>
  isIdentity(encoding) || encoding === 'base64' || encoding === 'quoted-printable'

/** A decoder that takes whatever is sent: what is no part of the encoding is skipped or kept, never refused. */
export const transferDecoder = (encoding: string): TransferDecoder => {
  if (encoding === 'base64') return base64Decoder()
  if (encoding === 'quoted-printable') return quotedPrintableDecoder()
  return { write: (slice) => slice, end: () => Buffer.alloc(0) }
}

/** The content of a whole body. */
export const decodeTransfer = (body: Buffer, encoding: string): Buffer => {
  const decoder = transferDecoder(encoding)
  const content = decoder.write(body)
  const rest = decoder.end()
  return rest.length === 0 ? content : Buffer.concat([content, rest])
}

/** How much is decoded at once to learn its length. */
const MEASURE_BYTES = 65_536

/** Lines of the body as sent, and the length of its content, without holding the content. */
export const measureTransfer = (
  bytes: Buffer,
  start: number,
  end: number,
  encoding: string,
  lineBreak: number,
): { lines: number; decodedSize: number } => {
  if (encoding === 'base64') return base64Length(bytes, start, end, lineBreak)
  let lines = 0
  for (let at = start; at < end; at += 1) if (bytes[at] === lineBreak) lines += 1
  if (encoding !== 'quoted-printable') return { lines, decodedSize: end - start }
  const decoder = quotedPrintableDecoder()
  let decodedSize = 0
  for (let at = start; at < end; at += MEASURE_BYTES)
    decodedSize += decoder.write(bytes.subarray(at, Math.min(end, at + MEASURE_BYTES))).length
  return { lines, decodedSize: decodedSize + decoder.end().length }
}
