import { z } from 'zod'
import { listOf, listQuery } from './list.ts'
import { deletedOf } from './objects.ts'
import { label, line, moment } from './text.ts'
import { webhookEventTypes } from './webhook-events.ts'

const webhookStatuses = ['enabled', 'disabled'] as const
const webhookEventStatuses = ['pending', 'attempting', 'success', 'failed'] as const

const eventType = z.enum(webhookEventTypes, { error: 'must be the name of an event' })

export const webhook = z.object({
  object: z.literal('webhook'),
  id: z.uuid(),
  endpoint: z.string(),
  events: z.array(z.enum(webhookEventTypes)),
  description: z.string().nullable(),
  status: z.enum(webhookStatuses),
  /** Why it is off: its owner did it, it answered 410, or it failed for five days. */
  disabled_reason: z.enum(['owner', 'gone', 'failing']).nullable(),
  signing_secret_prefix: z.string(),
  /** When the first attempt failed since the last one that did not. */
  failing_since: moment.nullable(),
  last_success_at: moment.nullable(),
  created_at: moment,
  updated_at: moment,
})
export type Webhook = z.infer<typeof webhook>

/** The response to a creation: the only one, besides that to a rotation, that includes the secret. */
export const webhookWithSecret = webhook.extend({ signing_secret: z.string() })
export type WebhookWithSecret = z.infer<typeof webhookWithSecret>

export const webhookRotated = z.object({ object: z.literal('webhook'), id: z.uuid(), signing_secret: z.string() })
export const webhookDeleted = deletedOf('webhook')

export const webhookList = listOf(webhook)
export const webhookListQuery = listQuery({ sort: ['created_at', 'endpoint', 'status'], direction: 'desc' })
export type WebhookListRequest = z.output<typeof webhookListQuery>

const MAX_URL = 2048
const MAX_DESCRIPTION = 500

const endpoint = line({ min: 1, max: MAX_URL })
const events = z
  .array(eventType, { error: 'must be a list' })
  .min(1, { error: 'must have at least one event' })
  .transform((given) => webhookEventTypes.filter((name) => given.includes(name)))
const description = label({ max: MAX_DESCRIPTION })
const status = z.enum(webhookStatuses, { error: 'must be enabled or disabled' })

export const webhookInput = z.object({ endpoint, events, description, status: status.optional() })
export type WebhookInput = z.output<typeof webhookInput>

export const webhookUpdate = z.object({
  endpoint: endpoint.optional(),
  events: events.optional(),
  description: description.optional(),
  status: status.optional(),
})
export type WebhookUpdate = z.output<typeof webhookUpdate>

/** One event for one endpoint, with how its delivery stands. */
export const webhookEvent = z.object({
  object: z.literal('webhook_event'),
  /** The `webhook-id` header of every attempt. */
  id: z.uuid(),
  webhook_id: z.uuid(),
  type: z.enum(webhookEventTypes),
  status: z.enum(webhookEventStatuses),
  attempts: z.int(),
  response_status: z.int().nullable(),
  /** Why the last attempt failed. */
  error: z.string().nullable(),
  last_attempt_at: moment.nullable(),
  next_attempt_at: moment.nullable(),
  created_at: moment,
})
export type WebhookEventItem = z.infer<typeof webhookEvent>

const webhookAttempt = z.object({
  object: z.literal('webhook_attempt'),
  id: z.uuid(),
  http_status_code: z.int().nullable(),
  /** The beginning of what was answered. */
  response: z.string().nullable(),
  error: z.string().nullable(),
  /** Null if the target didn't respond: the duration would reveal something about the network. */
  duration_ms: z.int().nullable(),
  sent_at: moment,
})

export const webhookEventDetail = webhookEvent.extend({
  payload: z.object({
    type: z.enum(webhookEventTypes),
    created_at: moment,
    data: z.record(z.string(), z.unknown()),
  }),
  response_body: z.string().nullable(),
  attempt_log: z.array(webhookAttempt),
})
export type WebhookEventDetail = z.infer<typeof webhookEventDetail>

export const webhookEventList = listOf(webhookEvent)
export const webhookEventListQuery = listQuery({ sort: ['created_at', 'type', 'status'], direction: 'desc' }).extend({
  type: eventType.optional(),
  status: z.enum(webhookEventStatuses, { error: `must be one of ${webhookEventStatuses.join(', ')}` }).optional(),
})
export type WebhookEventListRequest = z.output<typeof webhookEventListQuery>

export const webhookTestInput = z.object({ type: eventType.optional() })

export const webhookTest = z.object({
  object: z.literal('webhook_test'),
  event_id: z.uuid(),
  type: z.enum(webhookEventTypes),
  delivered: z.boolean(),
  status_code: z.int().nullable(),
  duration_ms: z.int(),
  response_body: z.string().nullable(),
  error: z.string().nullable(),
})
export type WebhookTest = z.infer<typeof webhookTest>
