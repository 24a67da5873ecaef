import type { Cut } from './limits.ts'

/**
 * Where everything of a message is, as byte offsets: parsed once when it arrives, stored beside it, and enough to serve
 * any header or part without reading the rest.
 */
export type MimeStructure = {
  readonly size: number
  readonly root: Part
  /** Limits that took effect; empty for nearly all mail. */
  readonly cuts: readonly Cut[]
}

/** A message or a part of one: header [start, headerEnd), blank line [headerEnd, bodyStart), body [bodyStart, end). */
export type Part = {
  readonly start: number
  readonly headerEnd: number
  /** Equal to headerEnd when there is no blank line. */
  readonly bodyStart: number
  readonly end: number
  readonly fields: readonly HeaderField[]
  /** Media type in lower case, as it is treated: the default of its place when none or a wrong one is given. */
  readonly type: string
  /** Content-Transfer-Encoding in lower case; `7bit` when none is given. */
  readonly encoding: string
  /** Line breaks in the body as it is sent. */
  readonly lines: number
  /** Bytes of the body after transfer decoding; of a multipart, its bytes as they are. */
  readonly decodedSize: number
  /** Parts of a multipart; the message inside a message part. */
  readonly children: readonly Part[]
}

/** A header field; its value [valueStart, end) is still folded and encoded. */
export type HeaderField = {
  /** In lower case; as written it is [start, start + name.length). */
  readonly name: string
  readonly start: number
  /** After the colon. */
  readonly valueStart: number
  /** Before the last line break. */
  readonly end: number
  /** After the last line break. */
  readonly next: number
}

/** Bytes of a message by offset: a Buffer of the whole, or something that holds the pieces that are needed. */
export type Bytes = { subarray(start: number, end: number): Buffer }

export type ByteRange = { readonly start: number; readonly end: number }

export const isMultipart = (part: Part): boolean => part.type.startsWith('multipart/')

/** True for types whose body is a message (RFC 2046 §5.2.1, RFC 6532 §3.7). */
export const isMessageType = (type: string): boolean => type === 'message/rfc822' || type === 'message/global'

/** The message inside a message part, unless its body is encoded or too deep to look into. */
export const embeddedMessage = (part: Part): Part | null => (isMessageType(part.type) && part.children[0]) || null

/** The first field of that name (in lower case), or null. */
export const findField = (part: Part, name: string): HeaderField | null =>
  part.fields.find((field) => field.name === name) ?? null

/** The parts of a message in the order of their bytes, each before its children. */
export function* allParts(root: Part): Generator<Part> {
  const pending = [root]
  for (let part = pending.pop(); part; part = pending.pop()) {
    yield part
    for (let index = part.children.length - 1; index >= 0; index -= 1) {
      const child = part.children[index]
      if (child) pending.push(child)
    }
  }
}

/** The headers of all parts: what envelopes and body structures need of a message, however big it is. */
export const headerRanges = (structure: MimeStructure): ByteRange[] =>
  [...allParts(structure.root)].map(({ start, bodyStart }) => ({ start, end: bodyStart }))

export type BytePiece = { readonly start: number; readonly bytes: Buffer }

/**
 * Pieces of a message as one source. What is in none of them reads as empty. Those of one set do not overlap, so that
 * the one that holds an offset is found without a look at all others.
 */
export const bytesOfPieces = (...sets: readonly (readonly BytePiece[])[]): Bytes => {
  const sorted = sets.map((pieces) => pieces.toSorted((one, other) => one.start - other.start))
  return {
    subarray(start, end) {
      for (const pieces of sorted) {
        const piece = pieces[lastBefore(pieces, start)]
        if (piece && end <= piece.start + piece.bytes.length)
          return piece.bytes.subarray(start - piece.start, end - piece.start)
      }
      return Buffer.alloc(0)
    },
  }
}

/** The place of the last piece that begins there or before. */
const lastBefore = (pieces: readonly BytePiece[], offset: number): number => {
  let low = -1
  let high = pieces.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((pieces[middle]?.start ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return low
}
