import type { HeaderForm } from '../../../formats/mime/mime.ts'
import { failMethod } from '../method.ts'
import { type HeaderProperty, parseHeaderProperty } from './header-property.ts'

/** Header fields that have a property of their own (RFC 8621 §4.1.3), in the form that it stands for. */
export const CONVENIENCE = {
  messageId: { name: 'Message-ID', form: 'messageIds' },
  inReplyTo: { name: 'In-Reply-To', form: 'messageIds' },
  references: { name: 'References', form: 'messageIds' },
  sender: { name: 'Sender', form: 'addresses' },
  from: { name: 'From', form: 'addresses' },
  to: { name: 'To', form: 'addresses' },
  cc: { name: 'Cc', form: 'addresses' },
  bcc: { name: 'Bcc', form: 'addresses' },
  replyTo: { name: 'Reply-To', form: 'addresses' },
  subject: { name: 'Subject', form: 'text' },
  sentAt: { name: 'Date', form: 'date' },
} as const satisfies Record<string, { name: string; form: HeaderForm }>

export type ConvenienceProperty = keyof typeof CONVENIENCE

/** Properties that the mailbox keeps about a message, beside its content. */
export const METADATA = ['id', 'blobId', 'threadId', 'mailboxIds', 'keywords', 'size', 'receivedAt'] as const
const SUMMARY = ['hasAttachment', 'preview'] as const
const PARTS = ['textBody', 'htmlBody', 'attachments'] as const
const CONTENT = ['headers', 'bodyStructure', 'bodyValues', ...PARTS] as const

export type MetadataProperty = (typeof METADATA)[number]
/** Properties that the database knows: no message is read for them. */
export type ListedProperty = MetadataProperty | ConvenienceProperty | (typeof SUMMARY)[number]
export type ContentProperty = (typeof CONTENT)[number]
export type EmailProperty = ListedProperty | ContentProperty

export const isConvenience = (name: string): name is ConvenienceProperty => Object.hasOwn(CONVENIENCE, name)
const CONVENIENCE_NAMES = Object.keys(CONVENIENCE).filter(isConvenience)

const ALL: ReadonlySet<string> = new Set([...METADATA, ...CONVENIENCE_NAMES, ...SUMMARY, ...CONTENT])
export const isEmailProperty = (name: string): name is EmailProperty => ALL.has(name)

/** RFC 8621 §4.9: what Email/parse returns by default. */
export const PARSED_PROPERTIES: readonly string[] = [...CONVENIENCE_NAMES, ...SUMMARY, 'bodyValues', ...PARTS]
/** RFC 8621 §4.2: the same for Email/get. */
export const DEFAULT_PROPERTIES: readonly string[] = [...METADATA, ...PARSED_PROPERTIES]

const DEFAULT_BODY_PROPERTIES = [
  'partId',
  'blobId',
  'size',
  'name',
  'type',
  'charset',
  'disposition',
  'cid',
  'language',
  'location',
] as const
const BODY_PROPERTIES = [...DEFAULT_BODY_PROPERTIES, 'headers', 'subParts'] as const
export type BodyProperty = (typeof BODY_PROPERTIES)[number]

const isBodyProperty = (name: string): name is BodyProperty => BODY_PROPERTIES.some((each) => each === name)

/** The properties of a message that a client requested. */
export type EmailView = {
  readonly properties: readonly EmailProperty[]
  readonly headers: readonly HeaderProperty[]
  readonly body: BodyView
}

/** The requested properties of body parts, and which texts to include. */
export type BodyView = {
  readonly properties: readonly BodyProperty[]
  readonly headers: readonly HeaderProperty[]
  /** Parts inside of a multipart, though nobody asked for them by name. */
  readonly isTree: boolean
  readonly values: { readonly text: boolean; readonly html: boolean; readonly all: boolean }
  /** The limit per text; 0: no limit. */
  readonly maxBytes: number
}

/** All that parts have, with their texts. */
export const WHOLE_BODY: BodyView = {
  properties: BODY_PROPERTIES,
  headers: [],
  isTree: false,
  values: { text: true, html: true, all: true },
  maxBytes: 0,
}

/** Header fields that are asked for by name: every message, and every part, is searched for each of them. */
const MAX_HEADERS = 50
const MAX_PART_HEADERS = 20

/** The properties by name; unknown ones and forbidden forms are invalidArguments. */
export const readEmailProperties = (names: readonly string[]): Pick<EmailView, 'properties' | 'headers'> => {
  const properties = new Set<EmailProperty>()
  const headers = new Map<string, HeaderProperty>()
  for (const name of names) {
    const header = parseHeaderProperty(name)
    if (header) headers.set(name, header)
    else if (isEmailProperty(name)) properties.add(name)
    else return refuseProperty('properties', name)
  }
  if (headers.size > MAX_HEADERS) return refuseHeaders(MAX_HEADERS)
  return { properties: [...properties], headers: [...headers.values()] }
}

/** Reads requested properties of body parts; null is the default of RFC 8621 §4.2. */
export const readBodyProperties = (
  names: readonly string[] | null,
): Pick<BodyView, 'properties' | 'headers' | 'isTree'> => {
  const properties = new Set<BodyProperty>()
  const headers = new Map<string, HeaderProperty>()
  for (const name of names ?? DEFAULT_BODY_PROPERTIES) {
    const header = parseHeaderProperty(name)
    if (header) headers.set(name, header)
    else if (isBodyProperty(name)) properties.add(name)
    else return refuseProperty('bodyProperties', name)
  }
  if (headers.size > MAX_PART_HEADERS) return refuseHeaders(MAX_PART_HEADERS)
  return { properties: [...properties], headers: [...headers.values()], isTree: names === null }
}

/** True when the bytes of the message have to be read. */
export const needsContent = ({ properties, headers, body }: EmailView): boolean => {
  const { text, html, all } = body.values
  const wantsValues = text || html || all
  return (
    headers.length > 0 || properties.some((name) => isContentProperty(name) && (name !== 'bodyValues' || wantsValues))
  )
}

/** True when the parts are shown, and neither their texts nor header fields by name. */
export const isPartsOnly = ({ properties, headers, body }: EmailView): boolean => {
  const { text, html, all } = body.values
  const hasHeaders = properties.includes('headers') || body.properties.includes('headers')
  return !hasHeaders && headers.length === 0 && body.headers.length === 0 && !text && !html && !all
}

export const isContentProperty = (name: string): name is ContentProperty => CONTENT.some((each) => each === name)

const refuseHeaders = (max: number): never =>
  failMethod('requestTooLarge', `At most ${max} header fields can be requested by name. Use "headers" instead.`)

const refuseProperty = (argument: string, name: string): never =>
  failMethod('invalidArguments', `'${name.slice(0, 300)}' is not a known property.`, {
    arguments: [argument],
  })
