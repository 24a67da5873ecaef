import { z } from 'zod'
import { invitation } from './invitations.ts'
import { listOf, listQuery } from './list.ts'
import { messageFilterQuery } from './message-filter.ts'
import { moment } from './text.ts'

export const correspondent = z.object({ name: z.string().nullable(), email: z.string() })
export type Correspondent = z.infer<typeof correspondent>

const listed = {
  object: z.literal('message'),
  id: z.uuid(),
  thread_id: z.uuid(),
  /** The folder that was asked for, or the first that it is in. */
  folder_id: z.uuid(),
  folder_ids: z.array(z.uuid()),
  keywords: z.array(z.string()),
  subject: z.string().nullable(),
  from: correspondent.nullable(),
  to: z.array(correspondent),
  cc: z.array(correspondent),
  /** When it was written, if it says so. */
  date: moment.nullable(),
  received_at: moment,
  preview: z.string(),
  size_bytes: z.int(),
  flags: z.object({
    seen: z.boolean(),
    flagged: z.boolean(),
    answered: z.boolean(),
    draft: z.boolean(),
    forwarded: z.boolean(),
  }),
  has_attachments: z.boolean(),
  snoozed_until: moment.nullable(),
}

/** A message as lists show it. */
export const messageItem = z.object({
  ...listed,
  /**
   * With `collapse_threads`: messages of its conversation in all folders, and how many of them are unread; in the list of
   * a folder, unread there.
   */
  thread_count: z.int().optional(),
  thread_unread: z.int().optional(),
})
export type MessageItem = z.infer<typeof messageItem>

export const messageList = listOf(messageItem)
export const messageListQuery = listQuery({
  sort: ['received_at', 'date', 'from', 'subject', 'size_bytes'],
  direction: 'desc',
}).extend(messageFilterQuery.shape)
export type MessageListRequest = z.output<typeof messageListQuery>

/** A conversation, oldest message first. */
export const thread = z.object({ object: z.literal('thread'), id: z.uuid(), messages: z.array(messageItem) })
export type Thread = z.infer<typeof thread>

export const attachment = z.object({
  object: z.literal('attachment'),
  /** Where it is in the message, as in IMAP: `1.2`. */
  section: z.string(),
  filename: z.string(),
  content_type: z.string(),
  size_bytes: z.int(),
  content_id: z.string().nullable(),
  /** The text shows it. */
  inline: z.boolean(),
})
export type Attachment = z.infer<typeof attachment>

/** A reason to look twice at a message: what is shown or meant to be believed, and what it really is. */
export const warning = z.object({
  code: z.enum([
    'name_shows_address',
    'name_shows_domain',
    'known_name',
    'lookalike_domain',
    'deceptive_domain',
    'misleading_link',
  ]),
  shown: z.string(),
  actual: z.string(),
})
export type MessageWarning = z.infer<typeof warning>

/** What the service found out about the sender when the message came. */
const authentication = z.object({
  /** `pass`: the sender's domain vouches for the message; `fail`: it says that the message is not from there. */
  result: z.enum(['pass', 'fail', 'none']),
  domain: z.string().nullable(),
  /** The host that checked it. */
  checked_by: z.string().nullable(),
})

/** How to leave the list that a message came from. */
const unsubscribe = z.object({
  /** `one_click`: `POST …/unsubscribe` does it; `mail`: by a message to `target`; `page`: by hand, on the page `target`. */
  method: z.enum(['one_click', 'mail', 'page']),
  /** The host that is asked, a `mailto:` URL, or the URL of a page. */
  target: z.string(),
  /** The mailbox has unsubscribed before. */
  done: z.boolean(),
})
export type Unsubscribe = z.infer<typeof unsubscribe>

/** A message as it is read. */
export const message = z.object({
  ...listed,
  bcc: z.array(correspondent),
  reply_to: z.array(correspondent),
  message_id: z.string().nullable(),
  in_reply_to: z.string().nullable(),
  references: z.array(z.string()),
  headers: z.array(z.object({ name: z.string(), value: z.string() })),
  /** Safe to show; pictures of other servers are in it only if they were asked for, and come through our proxy. */
  html: z.string().nullable(),
  text: z.string().nullable(),
  /** Images of other servers were left out. */
  remote_content_blocked: z.boolean(),
  attachments: z.array(attachment),
  authentication,
  warnings: z.array(warning),
  unsubscribe: unsubscribe.nullable(),
  /** The event that it is about. */
  invitation: invitation.nullable(),
})
export type Message = z.infer<typeof message>

const images = z
  .enum(['0', '1'], { error: 'must be 0 or 1' })
  .prefault('0')
  .transform((value) => value === '1')

/** Whether pictures of other servers are shown. */
export const messageQuery = z.object({ images })

/** The picture that a signed address is of. */
export const proxyQuery = z.object({ url: z.string({ error: 'must be sent only once' }).max(8192) })

export const unsubscribed = z.object({
  object: z.literal('unsubscribe'),
  message_id: z.uuid(),
  unsubscribed: z.literal(true),
})
export type Unsubscribed = z.infer<typeof unsubscribed>
