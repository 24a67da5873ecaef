import { firstText } from './header-text.ts'
import { parameterValue, parseParameterised } from './parameters.ts'
import { type Bytes, findField, isMultipart, type MimeStructure, type Part } from './structure.ts'

/** EmailBodyPart of RFC 8621 §4.1.4, without the blob id, which only the store knows. */
export type BodyPart = {
  /** The IMAP section of the part, as in `1.2`; null for a multipart. */
  readonly partId: string | null
  readonly size: number
  readonly name: string | null
  readonly type: string
  readonly charset: string | null
  readonly disposition: string | null
  readonly cid: string | null
  readonly language: readonly string[] | null
  readonly location: string | null
  readonly subParts: readonly BodyPart[] | null
  readonly part: Part
}

/** The parts of a message as a reader sees them (RFC 8621 §4.1.4). */
export type Body = {
  readonly bodyStructure: BodyPart
  readonly textBody: readonly BodyPart[]
  readonly htmlBody: readonly BodyPart[]
  readonly attachments: readonly BodyPart[]
  readonly hasAttachment: boolean
}

export const readBody = (structure: MimeStructure, bytes: Bytes): Body => {
  const bodyStructure = bodyPart(structure.root, bytes, '')
  const textBody: BodyPart[] = []
  const htmlBody: BodyPart[] = []
  const attachments: BodyPart[] = []
  split([bodyStructure], 'mixed', false, { textBody, htmlBody, attachments })
  return {
    bodyStructure,
    textBody,
    htmlBody,
    attachments,
    hasAttachment: attachments.some(isFile(htmlBody.some(({ type }) => type === 'text/html'))),
  }
}

/** The media type that the header gives, with its parameters. */
export const contentTypeOf = (part: Part, bytes: Bytes) =>
  parseParameterised(firstText(part, bytes, 'content-type') ?? '')

const bodyPart = (part: Part, bytes: Bytes, path: string): BodyPart => {
  const { parameters } = contentTypeOf(part, bytes)
  const disposition = firstText(part, bytes, 'content-disposition')
  const given = disposition === null ? null : parseParameterised(disposition)
  const isContainer = isMultipart(part)
  return {
    partId: isContainer ? null : path || '1',
    size: part.decodedSize,
    name: (given && parameterValue(given.parameters, 'filename')) ?? parameterValue(parameters, 'name'),
    type: part.type,
    charset: charsetOf(part, parameterValue(parameters, 'charset')),
    disposition: given?.value.toLowerCase() || null,
    cid: firstText(part, bytes, 'content-id')?.replace(/^\s*<|>\s*$/g, '') || null,
    language: languagesOf(firstText(part, bytes, 'content-language')),
    location: firstText(part, bytes, 'content-location') || null,
    subParts: isContainer
      ? part.children.map((child, index) =>
          bodyPart(child, bytes, path === '' ? `${index + 1}` : `${path}.${index + 1}`),
        )
      : null,
    part,
  }
}

/** RFC 8621 §4.1.4: text without a charset is US-ASCII, other types have none. */
const charsetOf = (part: Part, given: string | null): string | null => {
  if (given !== null) return given
  return part.type.startsWith('text/') || !findField(part, 'content-type') ? 'us-ascii' : null
}

const languagesOf = (text: string | null): string[] | null => {
  const tags = (text ?? '')
    .replace(/\([^()]*\)/g, '')
    .split(/[\s,]+/, 50)
    .filter((tag) => /^[A-Za-z0-9-]{1,35}$/.test(tag))
  return tags.length > 0 ? tags : null
}

type Lists = { textBody: BodyPart[] | null; htmlBody: BodyPart[] | null; attachments: BodyPart[] }

const isMedia = (type: string): boolean => /^(?:image|audio|video)\//.test(type)

/** True for a part that is shown with the text: RFC 8621 §4.1.4, `isInline`. */
const isShown = (part: BodyPart, index: number, multipart: string): boolean =>
  part.disposition !== 'attachment' &&
  (part.type === 'text/plain' || part.type === 'text/html' || isMedia(part.type)) &&
  (index === 0 || (multipart !== 'related' && (isMedia(part.type) || !part.name)))

/** The algorithm of RFC 8621 §4.1.4, word for word. */
const split = (parts: readonly BodyPart[], multipart: string, inAlternative: boolean, given: Lists): void => {
  const lists = { ...given }
  const textLength = lists.textBody?.length ?? -1
  const htmlLength = lists.htmlBody?.length ?? -1
  for (const [index, part] of parts.entries()) {
    if (part.subParts) {
      const inner = part.type.slice('multipart/'.length)
      split(part.subParts, inner, inAlternative || inner === 'alternative', lists)
    } else if (!isShown(part, index, multipart)) lists.attachments.push(part)
    else if (multipart === 'alternative') addAlternative(part, lists)
    else {
      if (inAlternative && part.type === 'text/plain') lists.htmlBody = null
      if (inAlternative && part.type === 'text/html') lists.textBody = null
      lists.textBody?.push(part)
      lists.htmlBody?.push(part)
      if ((!lists.textBody || !lists.htmlBody) && isMedia(part.type)) lists.attachments.push(part)
    }
  }
  if (multipart !== 'alternative' || !lists.textBody || !lists.htmlBody) return
  const texts = lists.textBody.slice(textLength)
  const htmls = lists.htmlBody.slice(htmlLength)
  if (texts.length === 0) lists.textBody.push(...htmls)
  if (htmls.length === 0) lists.htmlBody.push(...texts)
}

const addAlternative = (part: BodyPart, lists: Lists): void => {
  if (part.type === 'text/plain') lists.textBody?.push(part)
  else if (part.type === 'text/html') lists.htmlBody?.push(part)
  else lists.attachments.push(part)
}

/** Pictures that the HTML shows, and signatures, do not count as attachments in a search. */
const isFile =
  (hasHtml: boolean) =>
  (part: BodyPart): boolean => {
    if (part.type === 'application/pgp-signature' || part.type === 'application/pkcs7-signature') return false
    return part.disposition === 'attachment' || part.cid === null || !hasHtml
  }
