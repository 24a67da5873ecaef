import { z } from 'zod'
import { listOf } from './list.ts'
import { type NamedAddress, parseNamedAddress } from './named-address.ts'
import { moment } from './text.ts'

/** In our words. */
export const emailStatuses = [
  'queued',
  'scheduled',
  'sending',
  'sent',
  'delivered',
  'delayed',
  'bounced',
  'complained',
  'failed',
  'suppressed',
  'cancelled',
] as const
export type EmailStatus = (typeof emailStatuses)[number]

/** In the words of the third-party API whose clients work here. */
export const emailEventTypes = [
  'queued',
  'scheduled',
  'sent',
  'delivered',
  'delivery_delayed',
  'bounced',
  'complained',
  'failed',
  'suppressed',
  'canceled',
  'opened',
  'clicked',
] as const
export type EmailEventType = (typeof emailEventTypes)[number]

const MAX_RECIPIENTS_PER_LIST = 50
const MAX_BATCH = 100
const MAX_SUBJECT = 998
const MAX_HEADERS = 50
const MAX_ATTACHMENTS = 20
const MAX_TAGS = 75
/** The complete message as sent, with attachments in base64. */
export const MAX_EMAIL_BYTES = 41_943_040
const MAX_HEADER_VALUE = 4096
/** Sentences about time are short; longer texts only take long to understand. */
const MAX_TIME_TEXT = 100

const text = z.string({ error: 'must be text' })
const oneLine = (max: number) =>
  text
    .max(max, { error: `must have at most ${max} characters` })
    .refine((value) => !/[\p{Cc}\u2028\u2029]/u.test(value) && value.isWellFormed(), {
      error: 'must be one line of text',
    })

const WRONG_ADDRESS = 'must be an address like ada@example.org or Ada <ada@example.org>'

const addresses = z
  .union([text, z.array(text, { error: 'must be a list of addresses' })], {
    error: 'must be an address or a list of them',
  })
  .transform((given, context): NamedAddress[] => {
    const list = typeof given === 'string' ? [given] : given
    const refuse = (path: number[], message: string) => context.addIssue({ code: 'custom', path, message })
    if (list.length > MAX_RECIPIENTS_PER_LIST) refuse([], `must have at most ${MAX_RECIPIENTS_PER_LIST} addresses`)
    return list.slice(0, MAX_RECIPIENTS_PER_LIST).flatMap((one, at) => {
      const parsed = parseNamedAddress(one)
      if (!parsed) refuse(typeof given === 'string' ? [] : [at], WRONG_ADDRESS)
      return parsed ?? []
    })
  })
const someAddresses = addresses.refine((list) => list.length > 0, { error: 'must have at least one address' })

const REFUSED_HEADERS =
  /^(?:from|to|cc|bcc|subject|date|message-id|dkim-signature|return-path|received|content-.*|mime-version|sender|resent-.*|arc-.*|authentication-results|delivered-to|x-sieve-.*)$/i

const headers = z
  .record(z.string(), oneLine(MAX_HEADER_VALUE), { error: 'must be an object with text values' })
  .superRefine((given, context) => {
    const names = Object.keys(given)
    const refuse = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message })
    if (names.length > MAX_HEADERS) refuse([], `must have at most ${MAX_HEADERS} members`)
    if (new Set(names.map((name) => name.toLowerCase())).size < names.length)
      refuse([], 'must have each name only once')
    for (const name of names) {
      if (!/^[!-9;-~]{1,76}$/.test(name)) refuse([], 'has an invalid header name')
      else if (REFUSED_HEADERS.test(name)) refuse([name], "can't be set")
    }
  })

const word = text.regex(/^[A-Za-z0-9_-]{1,256}$/, { error: 'must have 1 to 256 letters, digits, _ or -' })
const tag = z.object({ name: word, value: word }, { error: 'must be {name, value}' })
export type EmailTag = z.infer<typeof tag>
const tags = z
  .array(tag, { error: 'must be a list' })
  .max(MAX_TAGS, { error: `must have at most ${MAX_TAGS} tags` })
  .refine((list) => new Set(list.map(({ name }) => name)).size === list.length, {
    error: 'must have each name only once',
  })

const attachmentInput = z.object(
  {
    /** Base64, or bytes as Node's `Buffer` writes itself into JSON. */
    content: z.unknown().optional(),
    /** The URL to fetch the attachment from, in place of `content`. */
    path: text.max(2048, { error: 'must have at most 2048 characters' }).nullish(),
    filename: z.union([oneLine(255), z.literal(false)], { error: 'must be one line of text' }).nullish(),
    content_type: oneLine(255).nullish(),
    /** Shown in the HTML as `cid:` and this. */
    content_id: text.regex(/^[^\s<>\p{Cc}]{1,128}$/u, { error: 'must be one word' }).nullish(),
  },
  { error: 'must be an object' },
)
export type EmailAttachmentInput = z.output<typeof attachmentInput>

/** A mail to send. What `from` is worth is said with an error of its own. */
export const emailInput = z.object({
  from: text,
  to: someAddresses,
  cc: addresses.nullish(),
  bcc: addresses.nullish(),
  reply_to: addresses.nullish(),
  subject: oneLine(MAX_SUBJECT),
  html: text.nullish(),
  /** Without it the words of `html` are sent beside it; an empty text means that there shall be none. */
  text: text.nullish(),
  headers: headers.nullish(),
  /** ISO 8601, or words such as `in 1 hour`. */
  scheduled_at: text.max(MAX_TIME_TEXT, { error: 'must be a time' }).nullish(),
  attachments: z
    .array(attachmentInput, { error: 'must be a list' })
    .max(MAX_ATTACHMENTS, { error: `must have at most ${MAX_ATTACHMENTS} attachments` })
    .nullish(),
  tags: tags.nullish(),
  topic_id: oneLine(256).nullish(),
  template: z
    .unknown()
    .refine((given) => given === undefined || given === null, {
      error: 'is not supported here: send html or text',
      params: { unsupported: true },
    })
    .optional(),
})
export type EmailInput = z.output<typeof emailInput>

const batchError = `The body must be a JSON array of 1 to ${MAX_BATCH} mails.`
export const emailBatchInput = z
  .array(emailInput, { error: batchError })
  .min(1, { error: batchError })
  .max(MAX_BATCH, { error: batchError })

export const emailRescheduleInput = z.object({ scheduled_at: text.max(MAX_TIME_TEXT, { error: 'must be a time' }) })

const emailReference = z.object({ object: z.literal('email'), id: z.uuid() })
export const sentEmail = emailReference
export type SentEmail = z.infer<typeof sentEmail>
export const sentEmails = z.object({ object: z.literal('list'), data: z.array(emailReference) })
export type SentEmails = z.infer<typeof sentEmails>
export const rescheduledEmail = emailReference.extend({
  scheduled_at: moment.nullable(),
  status: z.enum(emailStatuses),
})
export type RescheduledEmail = z.infer<typeof rescheduledEmail>
export const cancelledEmail = emailReference.extend({ status: z.literal('cancelled') })
export type CancelledEmail = z.infer<typeof cancelledEmail>

export const emailAttachment = z.object({
  object: z.literal('attachment'),
  filename: z.string(),
  content_type: z.string(),
  size_bytes: z.int(),
  content_id: z.string().nullable(),
})
export type EmailAttachment = z.infer<typeof emailAttachment>

export const emailEvent = z.object({
  type: z.enum(emailEventTypes),
  /** Null: of the mail as a whole. */
  recipient: z.string().nullable(),
  created_at: moment,
  /** What the receiving server said, or the link that was opened. */
  detail: z.string().nullable(),
})
export type EmailEvent = z.infer<typeof emailEvent>

export const emailItem = z.object({
  object: z.literal('email'),
  id: z.uuid(),
  /** The Message-ID header field. */
  message_id: z.string(),
  from: z.string(),
  to: z.array(z.string()),
  cc: z.array(z.string()).nullable(),
  bcc: z.array(z.string()).nullable(),
  reply_to: z.array(z.string()).nullable(),
  subject: z.string(),
  tags: z.array(tag),
  topic_id: z.string().nullable(),
  status: z.enum(emailStatuses),
  last_event: z.enum(emailEventTypes),
  scheduled_at: moment.nullable(),
  api_key_id: z.uuid(),
  domain_id: z.uuid(),
  created_at: moment,
  /** When the first attempt to deliver it began. */
  sent_at: moment.nullable(),
})
export type EmailItem = z.infer<typeof emailItem>

/** Bodies are kept for 30 days, and null afterwards. */
export const email = emailItem.extend({
  html: z.string().nullable(),
  text: z.string().nullable(),
  headers: z.record(z.string(), z.string()),
  attachments: z.array(emailAttachment),
  events: z.array(emailEvent),
})
export type Email = z.infer<typeof email>

export const emailList = listOf(emailItem).extend({ has_more: z.boolean() })
export type EmailList = z.infer<typeof emailList>

const cursor = z.uuid({ error: 'must be the ID of an email' })

export const emailListQuery = z
  .object({
    limit: z
      .string({ error: 'must be sent only once' })
      .regex(/^(?:[1-9]\d?|100)$/, { error: 'must be a number from 1 to 100' })
      .transform(Number)
      .prefault('20'),
    /** Older ones than this. */
    after: cursor.optional(),
    /** Newer ones than this. */
    before: cursor.optional(),
    status: z.enum(emailStatuses, { error: `must be one of ${emailStatuses.join(', ')}` }).optional(),
    search: z
      .string({ error: 'must be sent only once' })
      .trim()
      .max(200, { error: 'must have at most 200 characters' })
      .refine((value) => !value.includes('\u0000') && value.isWellFormed(), { error: 'must be text' })
      .optional(),
    domain_id: z.uuid({ error: 'must be the ID of a domain' }).optional(),
    /** `name` or `name:value`. */
    tag: z
      .string({ error: 'must be sent only once' })
      .regex(/^[A-Za-z0-9_-]{1,256}(?::[A-Za-z0-9_-]{1,256})?$/, { error: 'must be name or name:value' })
      .optional(),
  })
  .refine(({ after, before }) => after === undefined || before === undefined, {
    path: ['before'],
    error: "can't be combined with `after`",
  })
export type EmailListRequest = z.output<typeof emailListQuery>
