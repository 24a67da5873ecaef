import { allForms, type BodyPart, bodyValue, formatDate, lastForm, rawHeaders } from '../../../formats/mime/mime.ts'
import type { ListedMessage } from '../../../store/store.ts'
import { messageBlobId } from '../blobs.ts'
import type { Budget } from '../budget.ts'
import type { Args } from '../method.ts'
import { utcDate } from '../standard/arguments.ts'
import { type EmailContent, type FieldSource, shownSize, textParts } from './content.ts'
import type { HeaderProperty } from './header-property.ts'
import type { BodyProperty, BodyView, ContentProperty, EmailView, ListedProperty } from './properties.ts'

/** The blob of a part, by its part id. */
export type BlobIds = (partId: string) => string

/** The properties that the database knows. */
export const listedProperty = (message: ListedMessage, name: ListedProperty): unknown => LISTED[name](message)

const LISTED: { readonly [Name in ListedProperty]: (message: ListedMessage) => unknown } = {
  id: ({ id }) => id,
  blobId: ({ id }) => messageBlobId(id),
  threadId: ({ threadId }) => threadId,
  mailboxIds: ({ folderIds }) => setOf(folderIds),
  keywords: ({ keywords }) => setOf(keywords),
  size: ({ size }) => size,
  receivedAt: ({ receivedAt }) => utcDate(receivedAt),
  messageId: ({ envelope }) => orNull(envelope.messageId),
  inReplyTo: ({ envelope }) => orNull(envelope.inReplyTo),
  references: ({ envelope }) => orNull(envelope.references),
  sender: ({ envelope }) => orNull(envelope.sender),
  from: ({ envelope }) => orNull(envelope.from),
  to: ({ envelope }) => orNull(envelope.to),
  cc: ({ envelope }) => orNull(envelope.cc),
  bcc: ({ envelope }) => orNull(envelope.bcc),
  replyTo: ({ envelope }) => orNull(envelope.replyTo),
  subject: ({ subject }) => subject,
  sentAt: ({ sentAt, envelope }) =>
    sentAt && formatDate({ time: sentAt.getTime(), offsetMinutes: envelope.sentOffset ?? 0 }),
  hasAttachment: ({ hasAttachment }) => hasAttachment,
  preview: ({ preview }) => preview,
}

/** A set as JMAP writes it. */
const setOf = (names: readonly string[]): Record<string, true> => Object.fromEntries(names.map((name) => [name, true]))

const orNull = <T>(list: readonly T[]): readonly T[] | null => (list.length > 0 ? list : null)

/** Everything that rendering a message needs. */
export type ShownBy = { blobIds: BlobIds; budget: Budget; made: Made }

/** The parts of a message that have been rendered so far. */
type Made = {
  /** Rendered parts are reused: most are in several lists. */
  readonly parts: Map<BodyPart, Args>
  /** About how long their headers are; they are in memory before they are written. */
  headers: number
}

export const newMade = (): Made => ({ parts: new Map(), headers: 0 })

/** The properties that are made from the message itself. */
export const contentProperty = async (
  content: EmailContent,
  name: ContentProperty,
  view: BodyView,
  by: ShownBy,
): Promise<unknown> => {
  const { body, bytes, fields } = content
  const showing = { bytes, root: fields, view, ...by }
  switch (name) {
    case 'headers':
      return headersOf(fields)
    case 'bodyStructure':
      return showPart(body.bodyStructure, showing)
    case 'bodyValues':
      return showValues(content, view, by.budget)
    default:
      return showParts(body[name], showing)
  }
}

/** A part costs about as much as so many bytes of a message that is taken apart. */
const PART_WORK = 500

const showValues = async ({ body, bytes }: EmailContent, view: BodyView, { spend, turn }: Budget): Promise<Args> => {
  const values: [string, unknown][] = []
  for (const part of textParts(body, view)) {
    spend(PART_WORK + shownSize(part, view))
    values.push([part.partId ?? '', bodyValue(part, bytes, view.maxBytes)])
    if (turn.isOver()) await turn.next()
  }
  return Object.fromEntries(values)
}

/** All that a view wants of the header fields by name. */
export const headerProperties = (fields: readonly FieldSource[], headers: EmailView['headers']): Args =>
  Object.fromEntries(headers.map((header) => [header.property, headerValue(fields, header)]))

const headerValue = (fields: readonly FieldSource[], { field, form, isAll }: HeaderProperty): unknown => {
  if (isAll) return fields.flatMap(({ part, bytes }) => allForms(part, bytes, field, form))
  const source = fields.findLast(({ part }) => part.fields.some(({ name }) => name === field))
  return source ? lastForm(source.part, source.bytes, field, form) : null
}

const headersOf = (fields: readonly FieldSource[]) => fields.flatMap(({ part, bytes }) => rawHeaders(part, bytes))

type Showing = ShownBy & {
  bytes: EmailContent['bytes']
  /** The header fields of the outermost part. */
  root: readonly FieldSource[]
  view: BodyView
}

const showParts = async (parts: readonly BodyPart[], showing: Showing): Promise<Args[]> => {
  const shown: Args[] = []
  const { turn } = showing.budget
  for (const part of parts) {
    shown.push(part.subParts ? await showPart(part, showing) : knownLeaf(part, showing))
    if (turn.isOver()) await turn.next()
  }
  return shown
}

/** With the parts inside of it, if they are wanted. */
const showPart = async (part: BodyPart, showing: Showing): Promise<Args> => {
  const { isTree, properties } = showing.view
  const shown = showLeaf(part, showing)
  if (part.subParts && (isTree || properties.includes('subParts')))
    shown.subParts = await showParts(part.subParts, showing)
  return shown
}

const knownLeaf = (part: BodyPart, showing: Showing): Args => {
  const { parts } = showing.made
  const known = parts.get(part) ?? showLeaf(part, showing)
  parts.set(part, known)
  return known
}

const showLeaf = (part: BodyPart, { bytes, root, view, blobIds, budget, made }: Showing): Args => {
  const copies = view.headers.length + (view.properties.includes('headers') ? 1 : 0)
  const headers = (part.part.bodyStart - part.part.start) * copies
  made.headers += headers
  budget.check(made.headers)
  budget.spend(PART_WORK + headers)
  const isRoot = root.some((source) => source.part === part.part)
  const fields = isRoot ? root : [{ part: part.part, bytes }]
  const shown: Args = {}
  for (const name of view.properties) shown[name] = partProperty(part, name, fields, blobIds)
  return Object.assign(shown, headerProperties(fields, view.headers))
}

const partProperty = (
  part: BodyPart,
  name: BodyProperty,
  fields: readonly FieldSource[],
  blobIds: BlobIds,
): unknown => {
  if (name === 'headers') return headersOf(fields)
  if (name === 'blobId') return part.partId === null ? null : blobIds(part.partId)
  return name === 'subParts' ? null : part[name]
}
