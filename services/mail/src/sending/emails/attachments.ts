import { createEgress, type Egress } from '@stoa/kit/egress/egress.ts'
import { EgressFailed, EgressRefused } from '@stoa/kit/egress/errors.ts'
import { type EmailAttachmentInput, MAX_EMAIL_BYTES } from '@stoa/mail-model/emails.ts'
import type { Config } from '../../config.ts'
import { fail } from '../../errors.ts'
import { detectMimeType, type NewAttachment } from '../../formats/compose/compose.ts'

const FETCH_TIMEOUT_MS = 15_000
/** The limit of all attachments of a mail, before base64 makes them a third longer. */
const MAX_BYTES = Math.floor((MAX_EMAIL_BYTES * 3) / 4)

/** Fetches what mails name by its address: https, public hosts, no redirects. */
export const createAttachmentFetch = (config: Pick<Config, 'attachmentAllowPrivate' | 'dnsResolvers'>): Egress =>
  createEgress({
    ports: [443, 8443],
    allowPrivate: config.attachmentAllowPrivate,
    totalTimeoutMs: FETCH_TIMEOUT_MS,
    maxBodyBytes: MAX_BYTES,
    ...(config.dnsResolvers.length > 0 && { resolvers: config.dnsResolvers }),
  })

/** The attachments of a mail with their bytes; refuses those that there are not. */
export const readAttachments = async (
  egress: Egress,
  given: readonly EmailAttachmentInput[],
): Promise<NewAttachment[]> => {
  const attachments: NewAttachment[] = []
  let room = MAX_BYTES
  for (const [at, one] of given.entries()) {
    const content = await contentOf(egress, one, { at, room })
    room -= content.length
    if (room < 0) refuseSize()
    const filename = nameOf(one, at)
    attachments.push({
      filename,
      content,
      contentType: typeOf(one, filename, at),
      ...(one.content_id ? { contentId: one.content_id } : {}),
    })
  }
  return attachments
}

export const refuseSize = (limit = MAX_EMAIL_BYTES): never =>
  fail('quota_exceeded', {
    message: `The email is too large. The limit is ${limit} bytes, including attachments in base64.`,
  })

const refuse = (at: number, problem: string): never =>
  fail('invalid_attachment', { message: `Invalid \`attachments.${at}\` field: ${problem}.` })

const contentOf = async (
  egress: Egress,
  one: EmailAttachmentInput,
  { at, room }: { at: number; room: number },
): Promise<Buffer> => {
  const hasContent = one.content !== undefined && one.content !== null
  const path = one.path || null
  if (hasContent && path !== null) return refuse(at, 'must have either `content` or `path`')
  if (path !== null) return fetchContent(egress, path, { at, room })
  if (!hasContent) return refuse(at, 'must have `content` or `path`')
  const bytes = typeof one.content === 'string' ? decodeBase64(one.content) : bytesOf(one.content)
  return bytes ?? refuse(at, '`content` must be base64')
}

/** With or without line breaks and padding, and in either alphabet; anything else is not what somebody meant. */
const decodeBase64 = (text: string): Buffer | null => {
  const plain = /\s/.test(text) ? text.replace(/\s+/g, '') : text
  return /^[A-Za-z0-9+/_-]*={0,2}$/.test(plain) ? Buffer.from(plain, 'base64') : null
}

/** `{type: "Buffer", data: […]}`: how Node writes bytes into JSON. */
const bytesOf = (content: unknown): Buffer | null => {
  if (typeof content !== 'object' || content === null || !('data' in content)) return null
  const { data } = content
  if (!Array.isArray(data)) return null
  const bytes = Buffer.allocUnsafe(data.length)
  for (let at = 0; at < data.length; at += 1) {
    const value: unknown = data[at]
    if (typeof value !== 'number' || (value & 255) !== value) return null
    bytes[at] = value
  }
  return bytes
}

const fetchContent = async (
  egress: Egress,
  url: string,
  { at, room }: { at: number; room: number },
): Promise<Buffer> => {
  try {
    const { status, body, truncated } = await egress.request({ url, method: 'GET', maxBytes: Math.max(room, 1) })
    if (truncated) return refuseSize()
    if (status !== 200) return refuse(at, `its URL returned status ${status}`)
    return body
  } catch (error) {
    if (error instanceof EgressRefused || error instanceof EgressFailed) return refuse(at, error.publicMessage)
    throw error
  }
}

/** The last piece of a path, without what could mean something else where it is stored. */
const nameOf = ({ filename, path }: EmailAttachmentInput, at: number): string => {
  const given = filename || (path ? decoded(URL.parse(path)?.pathname ?? '') : '')
  const name = (given.split(/[\\/]/).at(-1) ?? '')
    .replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim()
  return name.slice(0, 255) || `attachment-${at + 1}`
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const MEDIA_TYPE =
  /^[a-z0-9!#$&^_.+-]{1,127}\/[a-z0-9!#$&^_.+-]{1,127}(?:\s*;\s*[a-z0-9-]+=(?:"[^"\\]*"|[a-z0-9!#$&^_.+-]+)){0,5}$/i

/** Nested parts are left to the message builder, so these are sent as what they are: files. */
const typeOf = ({ content_type: given }: EmailAttachmentInput, filename: string, at: number): string => {
  if (given && !MEDIA_TYPE.test(given)) return refuse(at, '`content_type` must be a media type')
  const type = given || String(detectMimeType(filename))
  return /^(?:multipart|message)\//i.test(type) ? 'application/octet-stream' : type
}
