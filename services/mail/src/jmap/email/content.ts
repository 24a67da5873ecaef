import type { Blobs } from '@stoa/kit/blobs/blobs.ts'
import type { Log } from '@stoa/kit/log.ts'
import { type Body, type BodyPart, readBody } from '../../mime/body.ts'
import { keptBytes } from '../../mime/kept-fields.ts'
import { parseMessage } from '../../mime/parse.ts'
import { type Bytes, bytesOfPieces, type MimeStructure, type Part } from '../../mime/structure.ts'
import { readTexts } from '../../store/content.ts'
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
  const read = readTexts({ blobs, log }, message, {
    textsOf: (body) => textParts(body, view.body),
    maxBytes: view.body.maxBytes,
    before: (body) => take(textSize(body, view.body)),
  })
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
