import { envelopeOf, envelopeValue, formatImap, imapBodyOf, imapBodyValue } from '../../../formats/mime/mime.ts'
import type { FolderEntry, MessageDetails } from '../../../store/store.ts'
import { formatFlags } from '../flags.ts'
import { formatDateTime } from '../parse/dates.ts'
import { type BinarySizeItem, type FetchItem, isSection, type PlainKind, type SectionItem } from './fetch-items.ts'
import type { MessageReader } from './message-reader.ts'
import { binaryContent, partialContent, type SectionContent, sectionContent } from './section-content.ts'
import { type Begun, begin, decodePieces, partOfPieces, piecesWithoutNul, withoutNul } from './transforms.ts'

/** A message that is answered for. */
export type FetchedMessage = {
  readonly sequence: number
  readonly entry: FolderEntry
  readonly isRecent: boolean
  /** Only if one of the items needs it. */
  readonly details: MessageDetails | null
  readonly reader: MessageReader | null
}

/** What an answer is made of, in order: text, bytes, and what is too large to hold. */
export type AnswerPart = string | Buffer | AnswerStream
export type AnswerStream = Begun & { readonly size: number; readonly isBinary: boolean }

/** RFC 9051 §7.1: nobody knows how to decode that part. */
export class UnknownEncoding extends Error {
  override readonly name = 'UnknownEncoding'
}

/** Answers items that need only database rows. It is synchronous because lists are long. */
export const answerPlainly = (
  message: FetchedMessage,
  items: readonly FetchItem[],
  { utf8 }: { utf8: boolean },
): string => {
  const texts = items.map((item) => {
    const simple = 'label' in item ? null : (SIMPLE[item.kind] ?? null)
    return `${item.kind} ${need(simple)(message, { utf8, mayBuffer: true })}`
  })
  return `* ${message.sequence} FETCH (${texts.join(' ')})\r\n`
}

/** Bytes of one answer that are in memory together; what comes after them is sent piece by piece. */
const HELD_BYTES = 524_288

/** Everything that a FETCH answers for a message. Nothing has been sent yet: what cannot be read is thrown. */
export const answerMessage = async (
  message: FetchedMessage,
  items: readonly FetchItem[],
  options: { utf8: boolean },
): Promise<AnswerPart[]> => {
  const parts: AnswerPart[] = [`* ${message.sequence} FETCH (`]
  let held = 0
  try {
    for (const [index, item] of items.entries()) {
      if (index > 0) parts.push(' ')
      for (const part of await answerItem(message, item, { ...options, mayBuffer: held < HELD_BYTES })) {
        parts.push(part)
        if (Buffer.isBuffer(part)) held += part.length
      }
    }
    parts.push(')\r\n')
    return parts
  } catch (error) {
    for (const part of parts) if (isStream(part)) await part.close()
    throw error
  }
}

export const isStream = (part: AnswerPart): part is AnswerStream => typeof part !== 'string' && !Buffer.isBuffer(part)

type Options = { readonly utf8: boolean; readonly mayBuffer: boolean }

const answerItem = async (message: FetchedMessage, item: FetchItem, options: Options): Promise<AnswerPart[]> => {
  if (isSection(item)) return answerSection(need(message.reader), item, options)
  if (item.kind === 'binarySize') return [await answerSize(need(message.reader), item)]
  const simple = SIMPLE[item.kind]
  return [`${item.kind} ${simple ? simple(message, options) : await answerStructure(message, item.kind, options)}`]
}

const need = <T>(value: T | null): T => {
  if (value === null) throw new Error('what this item is made of was not read')
  return value
}

/** Items that can be answered from database rows. */
const SIMPLE: Readonly<Partial<Record<PlainKind, (message: FetchedMessage, options: Options) => string>>> = {
  UID: ({ entry }) => String(entry.uid),
  FLAGS: ({ entry, isRecent }) => formatFlags(entry, isRecent),
  INTERNALDATE: ({ entry }) => `"${formatDateTime(entry.receivedAt, entry.receivedZone)}"`,
  'RFC822.SIZE': ({ entry }) => String(entry.size),
  MODSEQ: ({ entry }) => `(${entry.modseq})`,
  EMAILID: ({ entry }) => `(${entry.messageId})`,
  THREADID: ({ entry }) => `(${entry.threadId})`,
  SAVEDATE: ({ details }) => `"${formatDateTime(need(details).addedAt)}"`,
  PREVIEW: ({ details }, options) => formatImap(need(details).preview, options),
}

const answerStructure = async ({ reader }: FetchedMessage, kind: PlainKind, { utf8 }: Options): Promise<string> => {
  const { root } = await need(reader).structure()
  const bytes = await need(reader).headers()
  const value =
    kind === 'ENVELOPE'
      ? envelopeValue(envelopeOf(root, bytes))
      : imapBodyValue(imapBodyOf(root, bytes), kind === 'BODYSTRUCTURE')
  return formatImap(value, { utf8 })
}

const contentOf = async (
  reader: MessageReader,
  { section, isBinary }: Pick<SectionItem, 'section' | 'isBinary'>,
): Promise<SectionContent | null> => {
  const shape = { structure: await reader.structure(), prefix: reader.source.prefix }
  const content = isBinary ? binaryContent(shape, section) : sectionContent(shape, section)
  if (content === 'unknown') throw new UnknownEncoding('Unknown encoding of this part')
  return content
}

const answerSize = async (reader: MessageReader, { label, section }: BinarySizeItem): Promise<string> =>
  `${label} ${(await contentOf(reader, { section, isBinary: true }))?.size ?? 0}`

const answerSection = async (
  reader: MessageReader,
  item: SectionItem,
  { mayBuffer }: Options,
): Promise<AnswerPart[]> => {
  const { label, partial, isBinary } = item
  const whole = await contentOf(reader, item)
  if (!whole) return [`${label} NIL`]
  const isEncoded = whole.encoding !== null
  const content = partial && !isEncoded ? partialContent(whole, partial) : whole
  const range = partial && isEncoded ? { origin: partial.origin, count: partial.count } : null
  const size = range ? Math.max(0, Math.min(range.count, content.size - range.origin)) : content.size
  if (size === 0) return [`${label} ""`]
  const bytes = mayBuffer ? await reader.bytes(content) : null
  if (bytes) return literal(label, range ? bytes.subarray(range.origin, range.origin + range.count) : bytes, isBinary)
  const raw = reader.stream(content)
  const decoded = content.encoding === null ? raw : decodePieces(raw, content.encoding)
  const part = range ? partOfPieces(decoded, range) : decoded
  const begun = await begin(isBinary ? part : piecesWithoutNul(part))
  return [`${label} `, { ...begun, size, isBinary }]
}

const literal = (label: string, bytes: Buffer, isBinary: boolean): AnswerPart[] => {
  const isLiteral8 = isBinary && bytes.includes(0)
  return [`${label} ${isLiteral8 ? '~' : ''}{${bytes.length}}\r\n`, isBinary ? bytes : withoutNul(bytes)]
}
