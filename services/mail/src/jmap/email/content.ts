import type { Blobs } from '@stoa/kit/blobs/blobs.ts'
import type { Log } from '@stoa/kit/log.ts'
import { type Body, type BodyPart, readBody } from '../../mime/body.ts'
import { keptBytes } from '../../mime/kept-fields.ts'
import { parseMessage } from '../../mime/parse.ts'
import {
  type ByteRange,
  type Bytes,
  bytesOfPieces,
  headerRanges,
  type MimeStructure,
  type Part,
} from '../../mime/structure.ts'
import { readBlob } from '../../store/blobs.ts'
import type { WholeMessage } from '../../store/list.ts'
import { StoreRefusal } from '../../store/refusal.ts'
import type { BodyView } from './properties.ts'

/** Header fields, and the bytes that their offsets are of. */
export type FieldSource = { readonly part: Part; readonly bytes: Bytes }

/** A message as its properties are made from it. */
export type EmailContent = {
  readonly structure: MimeStructure
  /** The header of the message; the fields that we put before it come first. */
  readonly fields: readonly FieldSource[]
  readonly body: Body
  readonly bytes: Bytes
}

/** A blob of this size is read at once. */
const WHOLE_BYTES = 4 * 2 ** 20
/** Ranges of a larger one that are nearer to each other are read together. */
const NEAR_BYTES = 65_536
/** Texts are decoded in pieces of this size; what is read ends with one. */
const SLICE_BYTES = 65_536
/** How many bytes of a quoted-printable or base64 text may stand for one, and for one of its charset. */
const MAX_EXPANSION = 3 * 4

/** A message that was never stored, as it is. */
export const contentOf = (bytes: Buffer): EmailContent => {
  const structure = parseMessage(bytes)
  return { structure, fields: [{ part: structure.root, bytes }], body: readBody(structure, bytes), bytes }
}

/**
 * Reads what a view needs of a message. Of a damaged one, what is known without its bytes is given: other messages are
 * not affected.
 */
export const readContent = async (
  { blobs, log }: { blobs: Blobs; log: Log },
  message: WholeMessage,
  view: ContentView,
  take: TakeRoom = () => undefined,
): Promise<EmailContent> => {
  const kept = view.isPartsOnly ? keptContent(message) : null
  if (kept) return kept
  const read = readParts({ blobs, log }, message, view.body, take)
  const { structure, bytes } = await read.catch((error: unknown) => {
    if (!(error instanceof StoreRefusal) || error.kind !== 'no_such_blob') throw error
    return { structure: message.structure ?? parseMessage(Buffer.alloc(0)), bytes: bytesOfPieces([]) }
  })
  const prefix = { part: parseMessage(message.prefix).root, bytes: message.prefix }
  return {
    structure,
    fields: [...(message.prefix.length > 0 ? [prefix] : []), { part: structure.root, bytes }],
    body: readBody(structure, bytes),
    bytes,
  }
}

export type ContentView = {
  readonly body: BodyView
  /** Nothing is wanted but what the parts are. */
  readonly isPartsOnly: boolean
}

/** The database keeps what parts are told apart by, of all but strange messages. */
const keptContent = ({ structure, headers }: WholeMessage): EmailContent | null => {
  const bytes = structure && headers && keptBytes(structure, headers)
  if (!structure || !bytes) return null
  return { structure, fields: [{ part: structure.root, bytes }], body: readBody(structure, bytes), bytes }
}

/** Says how many bytes of text are about to be read; throws when that is too much. */
export type TakeRoom = (bytes: number) => void

/** The parts whose texts are wanted, each once. */
export const textParts = (body: Body, { values }: BodyView): BodyPart[] => {
  const wanted = new Set([
    ...(values.text ? body.textBody : []),
    ...(values.html ? body.htmlBody : []),
    ...(values.all ? leavesOf(body.bodyStructure) : []),
  ])
  return [...wanted].filter(({ type }) => type.startsWith('text/'))
}

/** How many bytes their texts have. */
export const textSize = (body: Body, view: BodyView): number =>
  textParts(body, view).reduce((sum, { size }) => sum + (view.maxBytes === 0 ? size : Math.min(size, view.maxBytes)), 0)

const leavesOf = (part: BodyPart): BodyPart[] => (part.subParts ? part.subParts.flatMap(leavesOf) : [part])

const readParts = async (
  { blobs, log }: { blobs: Blobs; log: Log },
  message: WholeMessage,
  view: BodyView,
  take: TakeRoom,
) => {
  const known = message.structure
  if (!known || known.size <= WHOLE_BYTES) {
    const bytes = await readBlob(blobs, message, { log })
    const structure = known ?? parseMessage(bytes)
    take(textSize(readBody(structure, bytes), view))
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
  take(textSize(body, view))
  const texts = await read(textParts(body, view).map(({ part }) => textRange(part, view.maxBytes)))
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
