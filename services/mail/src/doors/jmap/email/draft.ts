import { newId } from '@stoa/kit/ids.ts'
import type { Args, JmapCall } from '../method.ts'
import { failProperties } from '../set-error.ts'
import { type Field, readFields, writeValue } from './draft-fields.ts'
import { createPartReader, type DraftPart, readBodyValues } from './draft-parts.ts'
import { type Filing, readFiling } from './filing.ts'
import { CONVENIENCE, type ConvenienceProperty } from './properties.ts'

/** A message that is to be written, and where it goes. */
export type Draft = Filing & {
  /** The header fields of the message, without those of its outermost part. */
  readonly fields: readonly Field[]
  readonly body: DraftPart
}

const BODY = ['bodyStructure', 'textBody', 'htmlBody', 'attachments', 'bodyValues']
const FILING = ['mailboxIds', 'keywords', 'receivedAt']
const KNOWN: ReadonlySet<string> = new Set([...BODY, ...FILING, ...Object.keys(CONVENIENCE)])

/** An Email object that is to be created, checked by the rules of RFC 8621 §4.6. */
export const readDraft = (
  call: Pick<JmapCall, 'createdIds'>,
  object: Args,
  { domain, now }: { domain: string; now: Date },
): Draft => {
  const unknown = Object.keys(object).filter((name) => !KNOWN.has(name) && !name.startsWith('header:'))
  if (unknown.length > 0) failProperties(unknown, 'This property cannot be set on a new message.')
  const filing = readFiling(call, object, now)
  const fields = readMessageFields(object)
  const body = readBody(object)
  const names = new Set(fields.map(({ name }) => name.toLowerCase()))
  const twice = body.fields.find(({ name }) => names.has(name.toLowerCase()))
  if (twice) failProperties(['bodyStructure', `header:${twice.name}`], 'This header field is set twice.')
  for (const { name } of body.fields) names.add(name.toLowerCase())
  return { ...filing, fields: [...fields, ...missingFields(names, domain, now)], body }
}

const readMessageFields = (object: Args): Field[] => {
  const { fields, given } = readFields(object, '')
  const content = [...given.keys()].find((field) => field.startsWith('content-'))
  if (content !== undefined) failProperties([`header:${content}`], 'This header field can only be set on parts.')
  const convenient = CONVENIENT.flatMap((property): Field[] => {
    const value = object[property]
    if (value === undefined || value === null) return []
    const { name, form } = CONVENIENCE[property]
    if (given.has(name.toLowerCase())) failProperties([property, `header:${name}`], 'This header field is set twice.')
    // A list without anybody is no header field.
    if (form === 'addresses' && Array.isArray(value) && value.length === 0) return []
    return [{ name, value: writeValue(form, value, property) }]
  })
  return [...convenient, ...fields]
}

/** In the order in which mailers write them. */
const CONVENIENT: readonly ConvenienceProperty[] = [
  'sentAt',
  'from',
  'sender',
  'replyTo',
  'to',
  'cc',
  'bcc',
  'subject',
  'messageId',
  'inReplyTo',
  'references',
]

/** RFC 8621 §4.6: what a client leaves out is ours to say. */
const missingFields = (names: ReadonlySet<string>, domain: string, now: Date): Field[] => {
  const generated: Field[] = [
    { name: 'Date', value: writeValue('date', now.toISOString(), 'sentAt') },
    { name: 'Message-ID', value: ` <${newId()}@${domain}>` },
    { name: 'MIME-Version', value: ' 1.0' },
  ]
  return generated.filter(({ name }) => !names.has(name.toLowerCase()))
}

const readBody = (object: Args): DraftPart => {
  const { bodyStructure = null, textBody = null, htmlBody = null, attachments = null } = object
  const read = createPartReader(readBodyValues(object.bodyValues))
  if (bodyStructure !== null) {
    const others = ['textBody', 'htmlBody', 'attachments'].filter((name) => (object[name] ?? null) !== null)
    if (others.length > 0) failProperties(['bodyStructure', ...others], 'The body is set twice.')
    return read(bodyStructure, 'bodyStructure')
  }
  const only = (value: unknown, property: string, type: string): DraftPart | null => {
    if (value === null) return null
    const [first, ...more] = Array.isArray(value) ? value : []
    if (first === undefined || more.length > 0) return failProperties([property], 'Must be a list of exactly one part.')
    const part = read(first, `${property}/0`, { type })
    return part.type === type ? part : failProperties([`${property}/0/type`], `This part must be ${type}.`)
  }
  const text = only(textBody, 'textBody', 'text/plain')
  const html = only(htmlBody, 'htmlBody', 'text/html')
  if (attachments !== null && !Array.isArray(attachments))
    return failProperties(['attachments'], 'Must be a list of parts.')
  const files = (attachments ?? []).map((value: unknown, index) => {
    const disposition = ({ cid }: { cid: unknown }) => (cid === undefined ? 'attachment' : 'inline')
    const part = read(value, `attachments/${index}`, { disposition })
    return part.content.kind === 'parts' ? failProperties([`attachments/${index}`], 'Invalid attachment.') : part
  })
  return assemble(text, html, files)
}

/** The usual structure: pictures beside the HTML that shows them, HTML beside its plain text, files beside all. */
const assemble = (text: DraftPart | null, html: DraftPart | null, files: readonly DraftPart[]): DraftPart => {
  const isShown = (part: DraftPart): boolean =>
    html !== null && part.disposition?.value === 'inline' && part.fields.some(({ name }) => name === 'Content-ID')
  const related = html && multipart('related', [html, ...files.filter(isShown)])
  const body = multipart(
    'alternative',
    [text, related].filter((part) => part !== null),
  )
  const all = [body, ...files.filter((part) => !isShown(part))].filter((part) => part !== null)
  return multipart('mixed', all) ?? EMPTY
}

const multipart = (subtype: string, parts: readonly DraftPart[]): DraftPart | null => {
  const [first, ...more] = parts
  if (!first || more.length === 0) return first ?? null
  return {
    type: `multipart/${subtype}`,
    parameters: {},
    disposition: null,
    fields: [],
    content: { kind: 'parts', parts },
  }
}

const EMPTY: DraftPart = {
  type: 'text/plain',
  parameters: { charset: 'utf-8' },
  disposition: null,
  fields: [],
  content: { kind: 'text', text: '' },
}
