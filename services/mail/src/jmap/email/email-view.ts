import type { BodyPart } from '../../mime/body.ts'
import { bodyValue } from '../../mime/body-values.ts'
import { formatDate } from '../../mime/dates.ts'
import { allForms, lastForm, rawHeaders } from '../../mime/header-forms.ts'
import type { ListedMessage } from '../../store/list.ts'
import { messageBlobId } from '../blobs.ts'
import type { Args } from '../method.ts'
import { utcDate } from '../standard/arguments.ts'
import { type EmailContent, type FieldSource, textParts } from './content.ts'
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
export const setOf = (names: readonly string[]): Record<string, true> =>
  Object.fromEntries(names.map((name) => [name, true]))

const orNull = <T>(list: readonly T[]): readonly T[] | null => (list.length > 0 ? list : null)

/** The properties that are made from the message itself. */
export const contentProperty = (
  content: EmailContent,
  name: ContentProperty,
  view: BodyView,
  blobIds: BlobIds,
): unknown => {
  const { body, bytes, fields } = content
  const shown = (part: BodyPart): Args => showPart(part, { bytes, root: fields, view, blobIds })
  switch (name) {
    case 'headers':
      return headersOf(fields)
    case 'bodyStructure':
      return shown(body.bodyStructure)
    case 'textBody':
      return body.textBody.map(shown)
    case 'htmlBody':
      return body.htmlBody.map(shown)
    case 'attachments':
      return body.attachments.map(shown)
    case 'bodyValues':
      return Object.fromEntries(
        textParts(body, view).map((part) => [part.partId, bodyValue(part, bytes, view.maxBytes)]),
      )
  }
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

type Showing = {
  bytes: EmailContent['bytes']
  /** Where the fields of the outermost part are. */
  root: readonly FieldSource[]
  view: BodyView
  blobIds: BlobIds
}

const showPart = (part: BodyPart, showing: Showing): Args => {
  const { view, bytes, root } = showing
  const isRoot = root.some((source) => source.part === part.part)
  const fields = isRoot ? root : [{ part: part.part, bytes }]
  const shown: Args = {}
  for (const name of view.properties) shown[name] = partProperty(part, name, fields, showing)
  if (view.isTree && part.subParts) shown.subParts = part.subParts.map((inner) => showPart(inner, showing))
  return Object.assign(shown, headerProperties(fields, view.headers))
}

const partProperty = (
  part: BodyPart,
  name: BodyProperty,
  fields: readonly FieldSource[],
  showing: Showing,
): unknown => {
  if (name === 'headers') return headersOf(fields)
  if (name === 'blobId') return part.partId === null ? null : showing.blobIds(part.partId)
  if (name === 'subParts') return part.subParts?.map((inner) => showPart(inner, showing)) ?? null
  return part[name]
}
