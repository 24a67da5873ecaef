import { createHash } from 'node:crypto'
import {
  type Body,
  type Bytes,
  baseSubject,
  firstText,
  keepFields,
  lastForm,
  type Mailbox,
  type MimeStructure,
  type Part,
  parseDate,
  parseMessage,
  previewOf,
  readBody,
  wireGrowth,
} from '../../formats/mime/mime.ts'
import type { MessageEnvelope } from '../../tables/store.ts'
import { type Searched, searchedOf } from '../search/searched.ts'
import { foldText, storable } from '../search/text-forms.ts'

/** What the header of a message says. */
export type ReadHeader = {
  readonly structure: MimeStructure
  readonly envelope: MessageEnvelope
  readonly subject: string | null
}

/** All that is stored of a message, from its bytes. */
export type ReadMessage = ReadHeader & {
  /** Header values that lists show; null when there are too many. */
  readonly headers: Buffer | null
  /** See formats/mime/wire.ts. */
  readonly wireGrowth: number
  readonly body: Body
  readonly sentAt: Date | null
  readonly preview: string
  readonly hasAttachment: boolean
  readonly fromSort: string
  readonly toSort: string
  readonly subjectSort: string
  /** Hashes of the ids that it has or refers to; one in common, with the same subject, makes a thread. */
  readonly threadIds: readonly Buffer[]
  readonly subjectHash: Buffer
  readonly searched: Searched
}

/** A thread is found by the ids nearest to the message and by the one that began it; the rest of a long chain adds none. */
const MAX_THREAD_IDS = 40
const MAX_SUBJECT_LENGTH = 8_000
/** Longer sort keys would not change the order of lists. */
const SORT_LENGTH = 200
const HASH_BYTES = 16

/** Reads only what sending a message needs: parsing its texts would be a good part of the work. */
export const readHeader = (bytes: Buffer): ReadHeader => {
  const structure = parseMessage(bytes)
  const { root } = structure
  const subject = lastForm(root, bytes, 'subject', 'text')
  return { structure, envelope: readEnvelope(root, bytes), subject: subject === null ? null : shortSubject(subject) }
}

const shortSubject = (subject: string): string => storable(subject.slice(0, MAX_SUBJECT_LENGTH))

/** Reads a message once for everything that is needed of it. Never fails, whatever the bytes are. */
export const readMessage = (bytes: Buffer): ReadMessage => {
  const structure = parseMessage(bytes)
  const { root } = structure
  const body = readBody(structure, bytes)
  const envelope = readEnvelope(root, bytes)
  const subject = lastForm(root, bytes, 'subject', 'text')
  const base = foldText(baseSubject(subject ?? ''))
  return {
    structure,
    headers: keepFields(structure, bytes),
    wireGrowth: wireGrowth(bytes),
    body,
    envelope,
    subject: subject === null ? null : shortSubject(subject),
    sentAt: sentAtOf(root, bytes),
    preview: storable(previewOf(body, bytes)),
    hasAttachment: body.hasAttachment,
    fromSort: sortTextOf(envelope.from),
    toSort: sortTextOf(envelope.to),
    subjectSort: base.slice(0, SORT_LENGTH).toWellFormed(),
    threadIds: threadIdsOf(envelope).map(hashId),
    subjectHash: hashId(base.replaceAll(' ', '')),
    searched: searchedOf({ structure, body, envelope, subject }, bytes),
  }
}

const readEnvelope = (root: Part, bytes: Bytes): MessageEnvelope => {
  const addresses = (name: string): Mailbox[] =>
    (lastForm(root, bytes, name, 'addresses') ?? []).map((mailbox) => ({
      name: mailbox.name === null ? null : storable(mailbox.name),
      email: storable(mailbox.email),
    }))
  const ids = (name: string): string[] => (lastForm(root, bytes, name, 'messageIds') ?? []).map(storable)
  const sentOffset = parseDate(firstText(root, bytes, 'date') ?? '')?.offsetMinutes
  const groups = (['from', 'to', 'cc'] as const).flatMap((name) => {
    if (!lastForm(root, bytes, name, 'raw')?.includes(':')) return []
    const group = lastForm(root, bytes, name, 'groupedAddresses')?.[0]?.name ?? null
    return group === null ? [] : [[name, storable(group)] as const]
  })
  return {
    from: addresses('from'),
    sender: addresses('sender'),
    replyTo: addresses('reply-to'),
    to: addresses('to'),
    cc: addresses('cc'),
    bcc: addresses('bcc'),
    messageId: ids('message-id'),
    inReplyTo: ids('in-reply-to'),
    references: ids('references'),
    ...(sentOffset ? { sentOffset } : {}),
    ...(groups.length > 0 ? { groups: Object.fromEntries(groups) } : {}),
  }
}

const sentAtOf = (root: Part, bytes: Bytes): Date | null => {
  const date = parseDate(firstText(root, bytes, 'date') ?? '')
  return date && new Date(date.time)
}

/** RFC 8621 §4.4.2: the name of the first address, or the address. */
const sortTextOf = (addresses: readonly Mailbox[]): string => {
  const [first] = addresses
  return foldText(first?.name || first?.email || '')
    .slice(0, SORT_LENGTH)
    .toWellFormed()
}

const threadIdsOf = ({ messageId, inReplyTo, references }: MessageEnvelope): string[] => {
  const near = [...messageId.slice(0, 2), ...inReplyTo.slice(0, 8), ...references.slice(0, 1)]
  return [...new Set([...near, ...references.toReversed()])].slice(0, MAX_THREAD_IDS)
}

/** Messages are found by the hash of their own id, and of ids that they refer to. */
export const hashId = (text: string): Buffer => createHash('sha256').update(text).digest().subarray(0, HASH_BYTES)
