import type { Blobs } from '@stoa/kit/blobs/blobs.ts'
import type { Log } from '@stoa/kit/log.ts'
import {
  type Body,
  type BodyPart,
  type Bytes,
  bytesOfPieces,
  decodeStructure,
  keptBytes,
  type MimeStructure,
  type Part,
  parseMessage,
  readBody,
} from '../../../formats/mime/mime.ts'
import {
  parseMessageAsync,
  type ReadTexts,
  readTexts,
  StoreRefusal,
  WHOLE_BYTES,
  type WholeMessage,
} from '../../../store/store.ts'
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

/** A message that was never stored, as it is. */
export const contentOf = async (bytes: Buffer): Promise<EmailContent> => {
  const structure = await parseMessageAsync(bytes)
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
  before: (body: Body) => Promise<void> = async () => undefined,
): Promise<EmailContent> => {
  const kept = view.isPartsOnly ? keptContent(message) : null
  if (kept) return kept
  const read = readTexts({ blobs, log }, message, {
    textsOf: (body) => textParts(body, view.body),
    maxBytes: view.body.maxBytes,
    before,
  })
  const { structure, body, bytes } = await read.catch((error: unknown) => {
    if (!(error instanceof StoreRefusal) || error.kind !== 'no_such_blob') throw error
    return damagedContent(message)
  })
  const prefix = { part: parseMessage(message.prefix).root, bytes: message.prefix }
  return {
    structure,
    fields: [...(message.prefix.length > 0 ? [prefix] : []), { part: structure.root, bytes }],
    body,
    bytes,
  }
}

const damagedContent = (message: WholeMessage): ReadTexts => {
  const structure = decodeStructure(message.structure) ?? parseMessage(Buffer.alloc(0))
  const bytes = bytesOfPieces()
  return { structure, body: readBody(structure, bytes), bytes }
}

/** The work to read a message without parsing its parts: its structure is decoded, and its bytes are compared. */
export const readingWork = ({ size, structure }: Pick<WholeMessage, 'size' | 'structure'>): number =>
  structure.length * 25 + Math.min(size, WHOLE_BYTES) / 4

export type ContentView = {
  readonly body: BodyView
  /** Only properties of the parts are requested, no content. */
  readonly isPartsOnly: boolean
}

/** The database keeps what distinguishes parts, of all but strange messages. */
const keptContent = ({ structure: stored, headers }: WholeMessage): EmailContent | null => {
  const structure = headers && decodeStructure(stored)
  const bytes = structure && headers && keptBytes(structure, headers)
  if (!structure || !bytes) return null
  return { structure, fields: [{ part: structure.root, bytes }], body: readBody(structure, bytes), bytes }
}

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
  textParts(body, view).reduce((sum, part) => sum + shownSize(part, view), 0)

/** The bytes of a text that are requested. */
export const shownSize = ({ size }: BodyPart, { maxBytes }: BodyView): number =>
  maxBytes === 0 ? size : Math.min(size, maxBytes)

const leavesOf = (part: BodyPart): BodyPart[] => (part.subParts ? part.subParts.flatMap(leavesOf) : [part])
