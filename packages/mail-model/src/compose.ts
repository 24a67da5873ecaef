import { z } from 'zod'
import { listOf, listQuery } from './list.ts'
import { undoSeconds } from './mailbox-settings.ts'
import { reference } from './objects.ts'
import { line, moment } from './text.ts'

/** Per header field; a message has at most 100 recipients in total. */
const MAX_ADDRESSES = 100
/** A draft may hold more than can be sent, so that nothing somebody typed is lost. */
const MAX_DRAFT_ADDRESSES = 1_000
const MAX_ATTACHMENTS = 100
const MAX_REFERENCES = 200
/** RFC 5322 §2.1.1. */
const MAX_SUBJECT = 998

/** An address as somebody wrote it; whether mail can go there is asked when it is sent. */
export type ComposedAddress = { name: string | null; email: string }

/** Longest name or address; RFC 5321 allows 254 characters for an address. */
const MAX_PART = 320
const EMAIL = /^[^<>\p{Cc}\u2028\u2029]+$/u
const NAME = /^[^\p{Cc}\u2028\u2029]*$/u

const toAddress = (name: string, email: string): ComposedAddress | null => {
  const [shown, plain] = [name.trim(), email.trim()]
  if (shown.length > MAX_PART || plain.length > MAX_PART || !EMAIL.test(plain) || !NAME.test(shown)) return null
  return { name: shown.toWellFormed() || null, email: plain.toWellFormed() }
}

/** `Ada <ada@example.org>`, its name in quotes or not, or the address alone. */
const readAddress = (text: string): ComposedAddress | null => {
  const given = text.trim()
  const start = given.lastIndexOf('<')
  if (start === -1 || !given.endsWith('>')) return toAddress('', given)
  if (given.length > 3 * MAX_PART) return null
  const name = given.slice(0, start).trim()
  const isQuoted = name.length > 1 && name.startsWith('"') && name.endsWith('"')
  return toAddress(isQuoted ? name.slice(1, -1).replace(/\\(.)/g, '$1') : name, given.slice(start + 1, -1))
}

const addressProblem = { code: 'custom', message: 'must be an email address, or {name, email}' } as const

/** `ada@example.org`, `Ada <ada@example.org>` or `{name, email}`. */
const address = z
  .union([z.string(), z.object({ name: z.string().nullish(), email: z.string() })], { error: addressProblem.message })
  .transform((given, context): ComposedAddress => {
    const read = typeof given === 'string' ? readAddress(given) : toAddress(given.name ?? '', given.email)
    if (read) return read
    context.addIssue(addressProblem)
    return z.NEVER
  })
const addressesUpTo = (max: number) =>
  z.array(address, { error: 'must be a list of addresses' }).max(max, { error: `must have at most ${max} addresses` })
const addresses = addressesUpTo(MAX_ADDRESSES)
const draftAddresses = addressesUpTo(MAX_DRAFT_ADDRESSES)

const text = z
  .string({ error: 'must be text' })
  .refine((value) => !value.includes('\u0000'), { error: 'must be text' })
  .transform((value) => value.toWellFormed())

/** With or without its angle brackets. */
const messageId = z
  .string({ error: 'must be text' })
  .transform((value) => value.trim().replace(/^<(.*)>$/, '$1'))
  .refine((value) => /^[^\s<>\p{Cc}]{1,900}$/u.test(value), { error: 'must be a Message-ID' })

const attachment = z
  .object({
    filename: line({ min: 1, max: 255 }).optional(),
    /** Base64. */
    content: z.string({ error: 'must be text in base64' }).optional(),
    /** The ID of an upload, a message or a part of a message. */
    blob_id: z.string({ error: 'must be the ID of a blob' }).max(500, { error: 'must be the ID of a blob' }).optional(),
    /** The section of an attachment that the saved or sent draft already has. */
    section: z
      .string({ error: 'must be a section like 1.2' })
      .regex(/^[1-9]\d{0,4}(?:\.[1-9]\d{0,4}){0,49}$/, { error: 'must be a section like 1.2' })
      .optional(),
    content_type: z
      .string({ error: 'must be a media type' })
      .regex(/^(?!multipart\/)[a-z0-9!#$&^_.+-]{1,127}\/[a-z0-9!#$&^_.+-]{1,127}$/i, { error: 'must be a media type' })
      .optional(),
    /** The HTML shows it as `cid:` and this. */
    content_id: z
      .string({ error: 'must be text' })
      .regex(/^[^\s<>\p{Cc}]{1,200}$/u, { error: 'must be one word' })
      .nullish(),
  })
  .superRefine((given, context) => {
    const sources = [given.content, given.blob_id, given.section].filter((source) => source !== undefined)
    if (sources.length !== 1)
      context.addIssue({ code: 'custom', message: 'must have exactly one of content, blob_id and section' })
    if (given.content !== undefined && given.filename === undefined)
      context.addIssue({ code: 'custom', path: ['filename'], message: 'is required' })
  })
export type ComposedAttachment = z.output<typeof attachment>

const members = {
  subject: line({ max: MAX_SUBJECT }).optional(),
  text: text.optional(),
  /** Without `text` the words of this are sent beside it. */
  html: text.optional(),
  reply_to: z.union([addresses, address.transform((one) => [one])], { error: addressProblem.message }).optional(),
  attachments: z
    .array(attachment, { error: 'must be a list' })
    .max(MAX_ATTACHMENTS, { error: `must have at most ${MAX_ATTACHMENTS} attachments` })
    .optional(),
  in_reply_to: messageId.nullish(),
  references: z
    .array(messageId, { error: 'must be a list' })
    .max(MAX_REFERENCES, { error: `must have at most ${MAX_REFERENCES} IDs` })
    .nullish(),
  /** In place of that of the identity. */
  from_name: line({ max: 200 }).nullish(),
  /** The identity to send as; omitted: the default identity. */
  identity_id: reference.nullish(),
}

export const draftInput = z.object({
  /** The draft that this one takes the place of. */
  id: reference.optional(),
  to: draftAddresses.optional(),
  cc: draftAddresses.optional(),
  bcc: draftAddresses.optional(),
  ...members,
})
export type DraftInput = z.output<typeof draftInput>

export const sendInput = z.object({
  to: addresses,
  cc: addresses.optional(),
  bcc: addresses.optional(),
  ...members,
  /** The draft that this is: it goes when the message is sent. */
  draft_id: reference.nullish(),
  send_at: z.iso.datetime({ offset: true, error: 'must be a time like 2026-03-01T09:00:00Z' }).nullish(),
  /** For so long it can be taken back. */
  undo_seconds: undoSeconds.optional(),
})
export type SendInput = z.output<typeof sendInput>

/** Mail that somebody sent, and its status. */
export const submission = z.object({
  object: z.literal('submission'),
  id: z.uuid(),
  /** The message in the mailbox; it may have been deleted. */
  message_id: z.uuid(),
  status: z.enum(['pending', 'sent', 'cancelled']),
  send_at: moment,
  recipients: z.array(
    z.object({
      email: z.string(),
      /** `unknown`: another host took it, and says nothing more. */
      delivered: z.enum(['queued', 'yes', 'no', 'unknown']),
      /** The last reply of the receiving host. */
      reply: z.string(),
    }),
  ),
})
export type Submission = z.infer<typeof submission>

export const submissionList = listOf(submission)
export const submissionListQuery = listQuery({ sort: ['send_at'], direction: 'desc' }).extend({
  status: z.enum(['pending', 'sent', 'cancelled'], { error: 'must be pending, sent or cancelled' }).optional(),
})
export type SubmissionListRequest = z.output<typeof submissionListQuery>

export const sentMessage = z.object({
  object: z.literal('message'),
  /** In the folder of sent mail. */
  id: z.uuid(),
  message_id: z.string(),
  submission,
})
export type SentMessage = z.infer<typeof sentMessage>
