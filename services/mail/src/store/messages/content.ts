import type { Blobs } from '@stoa/kit/blobs/blobs.ts'
import type { Log } from '@stoa/kit/log.ts'
import {
  type Body,
  type BodyPart,
  type BytePiece,
  type ByteRange,
  type Bytes,
  bytesOfPieces,
  decodeStructure,
  headerRanges,
  type MimeStructure,
  type Part,
  readBody,
} from '../../formats/mime/mime.ts'
import { type MessageBytes, readBlob } from '../blobs/blobs.ts'
import type { WholeMessage } from './list.ts'
import { parseMessageAsync } from './read-async.ts'

/** A blob of this size is read at once. */
export const WHOLE_BYTES = 4 * 2 ** 20
/** Ranges of a larger one that are nearer to each other are read together. */
const NEAR_BYTES = 65_536
/** Texts are decoded in pieces of this size; what is read ends with one. */
const SLICE_BYTES = 65_536
/** How many bytes of a quoted-printable or base64 text may stand for one, and for one of its charset. */
const MAX_EXPANSION = 3 * 4

export type WantedTexts = {
  /** The parts whose texts are wanted. */
  textsOf(body: Body): readonly BodyPart[]
  /** The limit per text; 0: no limit. */
  maxBytes: number
  /** Called with the message's parts before its texts are read; throws when they are too large. */
  before?(body: Body): Promise<void>
}

export type ReadTexts = { structure: MimeStructure; body: Body; bytes: Bytes }

/** The headers of all parts of a message and the texts of some, read without the rest of it if it is large. */
export const readTexts = async (
  parts: ReadingParts,
  message: WholeMessage,
  { textsOf, maxBytes, before }: WantedTexts,
): Promise<ReadTexts> => {
  const known = decodeStructure(message.structure)
  if (!known || known.size <= WHOLE_BYTES) {
    const bytes = await readBlob(parts.blobs, message, { log: parts.log })
    const structure = known ?? (await parseMessageAsync(bytes))
    const body = readBody(structure, bytes)
    await before?.(body)
    return { structure, body, bytes }
  }
  const headers = await readRanges(parts, message, headerRanges(known))
  const body = readBody(known, bytesOfPieces(headers))
  await before?.(body)
  const texts = await readRanges(
    parts,
    message,
    textsOf(body).map(({ part }) => textRange(part, maxBytes)),
  )
  return { structure: known, body, bytes: bytesOfPieces(texts, headers) }
}

type ReadingParts = { readonly blobs: Blobs; readonly log: Log }

/** Ranges of a message, near ones together: a thousand parts of some bytes are one read, not a thousand. */
export const readRanges = async (
  { blobs, log }: ReadingParts,
  message: MessageBytes,
  ranges: readonly ByteRange[],
): Promise<BytePiece[]> => {
  const windows = joinNear(ranges)
  const pieces: BytePiece[] = []
  for (let at = 0; at < windows.length; at += PARALLEL_READS) {
    const read = windows.slice(at, at + PARALLEL_READS).map(async (window) => ({
      start: window.start,
      bytes: await readBlob(blobs, message, { window, log }),
    }))
    pieces.push(...(await Promise.all(read)))
  }
  return pieces
}

/** Reads at once per message. */
const PARALLEL_READS = 4

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
