import { subKey } from '@stoa/kit/crypto/seal.ts'
import type { Attachment } from '@stoa/mail-model/messages.ts'
import type { SharedParts } from '../../../context.ts'
import {
  escapeText,
  type ImageSource,
  MAX_HTML_LENGTH,
  sanitizeHtmlAsync,
  tagText,
  textToHtml,
} from '../../../formats/html/html.ts'
import {
  type Body,
  type BodyPart,
  type Bytes,
  bodyValue,
  type Part,
  parseMessage,
  readForm,
  safeFileName,
} from '../../../formats/mime/mime.ts'
import { readTexts, type WholeMessage } from '../../../store/store.ts'
import { readFairly, type Turn, turns } from '../../fairness/fairness.ts'
import { calendarPart, type Findings, leavesOf, readFindings } from './findings.ts'
import { isShownType } from './part-types.ts'
import { createReadingCache, type ReadingCache } from './reading-cache.ts'

/** A message as it is shown, made from its bytes. */
export type MessageContent = {
  /** For the reading frame: of a message without HTML, its text. */
  readonly html: string
  readonly hasHtml: boolean
  readonly text: string | null
  /** The HTML refers to content of another server. */
  readonly hasRemote: boolean
  readonly headers: readonly { name: string; value: string }[]
  readonly attachments: readonly Attachment[]
  readonly findings: Findings
}

/** Memory for messages that were read lately, per process. */
const CACHE_BYTES = 32 * 2 ** 20
/** Limit of all text of a message, and of its HTML; the rest of longer ones is in the raw message. */
const MAX_TEXT_BYTES = MAX_HTML_LENGTH
/** The most text or HTML parts that are shown of a message. */
const MAX_SHOWN_PARTS = 50
const MAX_ATTACHMENTS = 1_000
const MAX_HEADERS = 500
const PROXY_PATH = '/api/mail/proxy'

const caches = new WeakMap<SharedParts, ReadingCache<MessageContent>>()

const cacheOf = (parts: SharedParts): ReadingCache<MessageContent> => {
  const known = caches.get(parts) ?? createReadingCache(CACHE_BYTES)
  caches.set(parts, known)
  return known
}

/** What a mailbox's pictures are signed with. */
export const imageKey = ({ config }: Pick<SharedParts, 'config'>): Buffer => subKey(config.secret, 'mail/image-proxy')

const partPath = (messageId: string, section: string): string => `/api/mail/messages/${messageId}/part/${section}`

/** Reads and cleans a message of this mailbox, or takes what was made of it before. */
export const readMessageContent = async (
  parts: SharedParts,
  message: WholeMessage,
  { addressId, withImages }: { addressId: string; withImages: boolean },
): Promise<MessageContent> => {
  const cache = cacheOf(parts)
  const key = `${message.id} ${withImages}`
  const known = cache.get(key)
  if (known) return known
  const made = await readFairly(addressId, message.size, () => makeContent(parts, message, { addressId, withImages }))
  const rest = JSON.stringify([made.headers, made.findings]).length
  cache.set(key, made, 2 * (made.html.length + (made.text?.length ?? 0)) + rest)
  return made
}

const makeContent = async (
  parts: SharedParts,
  message: WholeMessage,
  { addressId, withImages }: { addressId: string; withImages: boolean },
): Promise<MessageContent> => {
  const { structure, body, bytes } = await readTexts(parts, message, { textsOf: shownTexts, maxBytes: MAX_TEXT_BYTES })
  const proxy = withImages ? { path: PROXY_PATH, key: imageKey(parts), owner: addressId } : null
  const images = { parts: picturesOf(message.id, body), proxy }
  const shown = await showBody(message.id, { body, bytes, images, turn: turns.begin(addressId) })
  return {
    html: shown.html,
    hasHtml: body.htmlBody.some(({ type }) => type === 'text/html'),
    text: plainText(body, bytes),
    hasRemote: shown.hasRemote,
    headers: headersOf(message, structure.root, bytes),
    attachments: attachmentsOf(body, shown.cids),
    findings: readFindings({
      prefix: message.prefix,
      root: structure.root,
      body,
      bytes,
      html: shown.html,
      config: parts.config,
    }),
  }
}

const shownTexts = (body: Body): BodyPart[] =>
  [...new Set([...body.textBody, ...body.htmlBody])]
    .filter(({ type }) => type.startsWith('text/'))
    .slice(0, MAX_SHOWN_PARTS)
    .concat(calendarPart(body) ?? [])

/** The message's own pictures by their Content-ID; of two with the same, the first one. */
const picturesOf = (messageId: string, body: Body): Map<string, string> => {
  const found = new Map<string, string>()
  for (const { cid, partId, type } of leavesOf(body.bodyStructure))
    if (cid !== null && partId !== null && isShownType(type) && !found.has(cid))
      found.set(cid, partPath(messageId, partId))
  return found
}

type Shown = { html: string; hasRemote: boolean; cids: Set<string> }

/** Everything that is shown of a body, one part below the other (RFC 8621 §4.1.4, htmlBody). */
const showBody = async (
  messageId: string,
  { body, bytes, images, turn }: { body: Body; bytes: Bytes; images: ImageSource; turn: Turn },
): Promise<Shown> => {
  const shown: Shown = { html: '', hasRemote: false, cids: new Set() }
  const textOf = readBounded(bytes, MAX_TEXT_BYTES)
  for (const part of body.htmlBody.slice(0, MAX_SHOWN_PARTS)) {
    if (turn.isOver()) await turn.next()
    if (part.type === 'text/html') {
      const clean = await sanitizeHtmlAsync(textOf(part), images)
      shown.html += clean.html
      shown.hasRemote ||= clean.remoteImages > 0 || clean.hasOtherRemote
      for (const cid of clean.cids) shown.cids.add(cid)
    } else if (part.type.startsWith('text/')) shown.html += textToHtml(textOf(part))
    else if (isShownType(part.type) && part.partId !== null && !isIn(shown.cids, part))
      shown.html += picture(messageId, part, part.partId)
  }
  return shown
}

/** Texts of parts, all together at most so many bytes. */
const readBounded = (bytes: Bytes, maxBytes: number): ((part: BodyPart) => string) => {
  let left = maxBytes
  return (part) => {
    if (left <= 0) return ''
    const { value } = bodyValue(part, bytes, left)
    left -= value.length
    return value
  }
}

const isIn = (cids: ReadonlySet<string>, { cid }: BodyPart): boolean => cid !== null && cids.has(cid)

const picture = (messageId: string, { name, type }: BodyPart, section: string): string => {
  const alt = safeFileName(name, type)
  const image = tagText('img', [
    ['src', partPath(messageId, section)],
    ['alt', alt],
  ])
  return `<figure>${image}<figcaption>${escapeText(alt)}</figcaption></figure>`
}

const plainText = (body: Body, bytes: Bytes): string | null => {
  const texts = body.textBody.filter(({ type }) => type === 'text/plain').slice(0, MAX_SHOWN_PARTS)
  if (texts.length === 0) return null
  const textOf = readBounded(bytes, MAX_TEXT_BYTES)
  return texts.map((part) => textOf(part).toWellFormed()).join('\n')
}

/** Fields that we put before the message come first. */
const headersOf = (message: WholeMessage, root: Part, bytes: Bytes): { name: string; value: string }[] => {
  const own = fieldsOf(parseMessage(message.prefix).root, message.prefix)
  return [...own, ...fieldsOf(root, bytes)].slice(0, MAX_HEADERS)
}

const fieldsOf = (part: Part, bytes: Bytes): { name: string; value: string }[] =>
  part.fields.slice(0, MAX_HEADERS).map((field) => ({
    name: bytes.subarray(field.start, field.start + field.name.length).toString('latin1'),
    value: readForm(bytes, field, 'text').toWellFormed(),
  }))

/** What is attached, and the pictures that are shown with the text. */
const attachmentsOf = (body: Body, cids: ReadonlySet<string>): Attachment[] => {
  const shown = new Set(body.htmlBody.filter(({ type }) => !type.startsWith('text/')))
  return [...new Set([...body.attachments, ...shown])].slice(0, MAX_ATTACHMENTS).flatMap((part) => {
    const { partId, name, type, size, cid } = part
    if (partId === null) return []
    // Only images are shown inline, whatever the text refers to
    const isInline = isShownType(type) && (shown.has(part) || isIn(cids, part))
    return {
      object: 'attachment' as const,
      section: partId,
      filename: safeFileName(name, type),
      content_type: type,
      size_bytes: size,
      content_id: cid,
      inline: isInline,
    }
  })
}
