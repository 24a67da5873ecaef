import { contentTypeOf } from './body.ts'
import { firstText } from './header-text.ts'
import { type Envelope, envelopeOf, envelopeValue } from './imap-envelope.ts'
import type { ImapValue } from './imap-values.ts'
import { type Parameters, parseParameterised } from './parameters.ts'
import { type Bytes, embeddedMessage, findField, isMessageType, isMultipart, type Part } from './structure.ts'

type Extension = {
  readonly disposition: { readonly value: string; readonly parameters: Parameters } | null
  readonly language: readonly string[] | null
  readonly location: string | null
}

/** BODYSTRUCTURE of a part (RFC 9051 §7.5.2). Parameters stand as in the header, RFC 2231 pieces apart. */
export type ImapBody = Extension &
  (
    | {
        readonly kind: 'multipart'
        readonly parts: readonly ImapBody[]
        readonly subtype: string
        readonly parameters: Parameters
      }
    | {
        readonly kind: 'leaf'
        readonly type: string
        readonly subtype: string
        readonly parameters: Parameters
        readonly id: string | null
        readonly description: string | null
        readonly encoding: string
        readonly octets: number
        /** Set for text and messages. */
        readonly lines: number | null
        readonly message: { readonly envelope: Envelope; readonly body: ImapBody } | null
        readonly md5: string | null
      }
  )

export const imapBodyOf = (part: Part, bytes: Bytes): ImapBody => {
  const extension = extensionOf(part, bytes)
  const { parameters } = contentTypeOf(part, bytes)
  const [type = 'text', subtype = 'plain'] = shownType(part).split('/')
  if (isMultipart(part)) {
    const parts = part.children.map((child) => imapBodyOf(child, bytes))
    return { kind: 'multipart', parts, subtype, parameters, ...extension }
  }
  const message = embeddedMessage(part)
  return {
    kind: 'leaf',
    type,
    subtype,
    parameters: type === 'text' && !findField(part, 'content-type') ? [['charset', 'us-ascii']] : parameters,
    id: firstText(part, bytes, 'content-id'),
    description: firstText(part, bytes, 'content-description'),
    encoding: part.encoding,
    octets: part.end - part.bodyStart,
    lines: type === 'text' || message ? part.lines : null,
    message: message && { envelope: envelopeOf(message, bytes), body: imapBodyOf(message, bytes) },
    md5: firstText(part, bytes, 'content-md5'),
    ...extension,
  }
}

/** The body in IMAP's form: BODYSTRUCTURE, or BODY without the extension data. */
export const imapBodyValue = (body: ImapBody, isExtended = true): ImapValue => {
  const extension = [dispositionValue(body), listValue(body.language), body.location]
  if (body.kind === 'multipart') {
    const parts = { run: body.parts.map((part) => imapBodyValue(part, isExtended)) }
    const subtype = body.subtype.toUpperCase()
    return isExtended ? [parts, subtype, parametersValue(body.parameters), ...extension] : [parts, subtype]
  }
  const { message, lines } = body
  const fields: ImapValue[] = [
    body.type.toUpperCase(),
    body.subtype.toUpperCase(),
    parametersValue(body.parameters),
    body.id,
    body.description,
    body.encoding.toUpperCase(),
    body.octets,
  ]
  if (message) fields.push(envelopeValue(message.envelope), imapBodyValue(message.body, isExtended))
  if (lines !== null) fields.push(lines)
  return isExtended ? [...fields, body.md5, ...extension] : fields
}

/** A message that nobody can look into must not look like one: its envelope would be missing. */
const shownType = (part: Part): string =>
  isMessageType(part.type) && !embeddedMessage(part) ? 'application/octet-stream' : part.type

const extensionOf = (part: Part, bytes: Bytes): Extension => {
  const disposition = firstText(part, bytes, 'content-disposition')
  const language = (firstText(part, bytes, 'content-language') ?? '').split(/[\s,]+/, 50).filter((tag) => tag !== '')
  return {
    disposition: disposition ? parseParameterised(disposition) : null,
    language: language.length > 0 ? language : null,
    location: firstText(part, bytes, 'content-location'),
  }
}

const dispositionValue = ({ disposition }: Extension): ImapValue =>
  disposition && [disposition.value.toUpperCase(), parametersValue(disposition.parameters)]

const parametersValue = (parameters: Parameters): ImapValue =>
  parameters.length === 0 ? null : parameters.flatMap(([name, value]) => [name.toUpperCase(), value])

const listValue = (values: readonly string[] | null): ImapValue => values
