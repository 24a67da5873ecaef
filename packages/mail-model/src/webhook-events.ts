import { z } from 'zod'
import { address } from './addresses.ts'
import { domainStatuses, recordStatuses } from './dns.ts'
import { suppression } from './suppressions.ts'
import { moment } from './text.ts'
import { transfer } from './transfers.ts'

const tags = z.record(z.string(), z.string())
const headers = z.array(z.object({ name: z.string(), value: z.string() }))

/** What every event about a sent mail tells. */
const emailEventData = z.object({
  email_id: z.uuid(),
  message_id: z.string(),
  created_at: moment,
  from: z.string(),
  to: z.array(z.string()),
  subject: z.string(),
  tags: tags.optional(),
  headers: headers.optional(),
})
export type EmailEventData = z.infer<typeof emailEventData>

const bounceTypes = ['Undetermined', 'Transient', 'Permanent'] as const
const bounceSubTypes = [
  'Undetermined',
  'General',
  'NoEmail',
  'MailboxFull',
  'MessageTooLarge',
  'ContentRejected',
  'AttachmentRejected',
] as const

const bounce = z.object({
  type: z.enum(bounceTypes),
  subType: z.enum(bounceSubTypes),
  message: z.string(),
  /** What the receiving server said, each answer by itself. */
  diagnosticCode: z.array(z.string()),
})
const click = z.object({ ipAddress: z.string(), link: z.string(), timestamp: moment, userAgent: z.string() })
const suppressed = z.object({
  type: z.enum(['Suppressed', 'OnAccountSuppressionList']),
  /** `manual` where somebody put the address on the list. */
  reason: z.enum(['previous_bounce', 'previous_complaint', 'manual']),
  message: z.string(),
  diagnosticCode: z.array(z.string()),
})

const receivedEmailData = z.object({
  email_id: z.uuid(),
  created_at: moment,
  from: z.string(),
  to: z.array(z.string()),
  cc: z.array(z.string()),
  bcc: z.array(z.string()),
  /** The addresses here that it was delivered to. */
  received_for: z.array(z.string()),
  message_id: z.string(),
  subject: z.string(),
  attachments: z.array(
    z.object({
      /** The section of the part, such as `2` or `1.2`. */
      id: z.string(),
      filename: z.string().nullable(),
      content_type: z.string(),
      content_disposition: z.string().nullable(),
      content_id: z.string().nullable(),
    }),
  ),
})
export type ReceivedEmailData = z.infer<typeof receivedEmailData>

const domainEventData = z.object({
  id: z.uuid(),
  name: z.string(),
  status: z.enum(domainStatuses),
  created_at: moment,
  /** Always the same word: there is one place, this one. */
  region: z.literal('self-hosted'),
  records: z.array(
    z.object({
      record: z.string(),
      name: z.string(),
      type: z.string(),
      ttl: z.string(),
      status: z.enum(recordStatuses),
      value: z.string(),
      priority: z.int().optional(),
    }),
  ),
})
export type DomainEventData = z.infer<typeof domainEventData>

const testData = z.object({ webhook_id: z.uuid(), message: z.string() })

/** What `data` holds for each event: the one list of events. */
export const webhookEventData = {
  'email.scheduled': emailEventData,
  'email.sent': emailEventData,
  'email.delivered': emailEventData,
  'email.delivery_delayed': emailEventData,
  'email.bounced': emailEventData.extend({ bounce }),
  'email.complained': emailEventData,
  'email.failed': emailEventData.extend({ failed: z.object({ reason: z.string() }) }),
  'email.suppressed': emailEventData.extend({ suppressed }),
  'email.opened': emailEventData,
  'email.clicked': emailEventData.extend({ click }),
  'email.received': receivedEmailData,
  'domain.created': domainEventData,
  'domain.updated': domainEventData,
  'domain.deleted': domainEventData,
  'suppression.added': suppression,
  'suppression.removed': suppression,
  'address.created': address,
  'address.updated': address,
  'address.deleted': address,
  'transfer.completed': transfer,
  'transfer.failed': transfer,
  'webhook.test': testData,
} as const

export type WebhookEventType = keyof typeof webhookEventData

/** Something that happened, as it is told to the endpoints that listen for it. */
export type WebhookEvent = {
  [Type in WebhookEventType]: { type: Type; data: z.infer<(typeof webhookEventData)[Type]> }
}[WebhookEventType]
