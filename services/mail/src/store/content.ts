import type { Blobs } from '@stoa/kit/blobs/blobs.ts'
import type { Log } from '@stoa/kit/log.ts'
import { type Body, type BodyPart, readBody } from '../mime/body.ts'
import { parseMessage } from '../mime/parse.ts'
import {
  type ByteRange,
  type Bytes,
  bytesOfPieces,
  headerRanges,
  type MimeStructure,
  type Part,
} from '../mime/structure.ts'
import { readBlob } from './blobs.ts'
import type { WholeMessage } from './list.ts'

/** A blob of this size is read at once. */
const WHOLE_BYTES = 4 * 2 ** 20
/** Ranges of a larger one that are nearer to each other are read together. */
const NEAR_BYTES = 65_536
/** Texts are decoded in pieces of this size; what is read ends with one. */
const SLICE_BYTES = 65_536
/** How many bytes of a quoted-printable or base64 text may stand for one, and for one of its charset. */
const MAX_EXPANSION = 3 * 4

export type WantedTexts = {
  /** The parts whose texts are wanted. */
  textsOf(body: Body): readonly BodyPart[]
  /** Of each of them; 0: all. */
  maxBytes: number
  /** Is told what the message is before its texts are read; throws when that is too much. */
  before?(body: Body): void
}

/** The headers of all parts of a message and the texts of some, read without the rest of it if it is large. */
export const readTexts = async (
  { blobs, log }: { blobs: Blobs; log: Log },
  message: WholeMessage,
  { textsOf, maxBytes, before }: WantedTexts,
): Promise<{ structure: MimeStructure; bytes: Bytes }> => {
  const known = message.structure
  if (!known || known.size <= WHOLE_BYTES) {
    const bytes = await readBlob(blobs, message, { log })
    const structure = known ?? parseMessage(bytes)
    before?.(readBody(structure, bytes))
    return { structure, bytes }
  }
  const read = (ranges: readonly ByteRange[]) =>
    Promise.all(
      joinNear(ranges).map(async (window) => ({
        start: window.start,
        bytes: await readBlob(blobs, message, { window, log }),
      })),
    )
  const headers = await read(headerRanges(known))
  const body = readBody(known, bytesOfPieces(headers))
  before?.(body)
  const texts = await read(textsOf(body).map(({ part }) => textRange(part, maxBytes)))
  return { structure: known, bytes: bytesOfPieces([...texts, ...headers]) }
}

const textRange = ({ bodyStart, end }: Part, maxBytes: number): ByteRange => {
  if (maxBytes === 0) return { start: bodyStart, end }
  const slices = Math.ceil(((maxBytes + 1) * MAX_EXPANSION) / SLICE_BYTES) + 1
  return { start: bodyStart, end: Math.min(end, bodyStart + slices * SLICE_BYTES) }
}

const joinNear = (ranges: readonly ByteRange[]): ByteRange[] => {
  const joined: { start: number; end: number }[] = []
  for (const { start, end } of ranges.toSorted((one, other) => one.start - other.start)) {
    const last = joined.at(-1)
    if (last && start - last.end < NEAR_BYTES) last.end = Math.max(last.end, end)
    else joined.push({ start, end })
  }
  return joined
}
