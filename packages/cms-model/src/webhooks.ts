import { z } from 'zod'
import { webhookEventNames } from './webhook-events.ts'

/** In the place of event names: all of them, also those that come later. */
const ALL_EVENTS = '*'

const MAX_NAME_LENGTH = 200
/** The longest URL that servers accept. */
const MAX_URL_LENGTH = 2048
/** More types than a site has; keeps the question to the database small. */
const MAX_TYPES = 500

const known: ReadonlySet<string> = new Set([...webhookEventNames, ALL_EVENTS])

const name = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(MAX_NAME_LENGTH, `must have at most ${MAX_NAME_LENGTH} characters`)
  .regex(/^\P{Cc}*$/u, 'must be on one line')

const url = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(MAX_URL_LENGTH, `must have at most ${MAX_URL_LENGTH} characters`)

const events = z
  .array(z.string().meta({ enum: [...known] }))
  .min(1, 'must have at least one event')
  // One message for the whole list, which is one input on the screen.
  .superRefine((names, context) => {
    const unknown = names.find((event) => !known.has(event))
    if (unknown !== undefined)
      context.addIssue({ code: 'custom', message: `must be known events; '${unknown.slice(0, 80)}' is unknown` })
  })
  .transform((names) => [...new Set(names)])

const types = z
  .array(z.string().max(MAX_NAME_LENGTH))
  .max(MAX_TYPES, `must have at most ${MAX_TYPES} types`)
  .transform((names) => [...new Set(names)])

export const createWebhookInput = z.strictObject({
  /** The host of the address if absent. */
  name: name.optional(),
  url,
  events,
  /** Entries of these content types only; of all if absent or empty. */
  types: types.optional(),
  enabled: z.boolean().optional(),
})
export type CreateWebhookInput = z.infer<typeof createWebhookInput>

/** Only the members sent change. */
export const updateWebhookInput = z.strictObject({
  name: name.optional(),
  url: url.optional(),
  events: events.optional(),
  types: types.optional(),
  enabled: z.boolean().optional(),
  version: z.int().min(1).optional(),
})
export type UpdateWebhookInput = z.infer<typeof updateWebhookInput>

const moment = z.iso.datetime({ precision: 3 })

/** `pending` waits for its next attempt, `attempting` is under way. */
export const deliveryStatus = z.enum(['pending', 'attempting', 'success', 'failed'])

/** Only for a target that responded: other durations would reveal the network behind it. */
const durationMs = z.int().nullable()

export const webhook = z.object({
  id: z.uuid(),
  name: z.string(),
  url: z.string(),
  events: z.array(z.string()),
  types: z.array(z.string()),
  enabled: z.boolean(),
  /** `owner`: someone switched it off. `gone`: it answered 410. `failing`: too many events failed in a row. */
  disabledReason: z.enum(['owner', 'gone', 'failing']).nullable(),
  secretLast4: z.string(),
  version: z.int(),
  createdAt: moment,
  updatedAt: moment,
  lastDelivery: z
    .object({
      at: moment,
      event: z.string(),
      status: deliveryStatus,
      responseStatus: z.int().nullable(),
      durationMs,
      error: z.string().nullable(),
      attempt: z.int(),
    })
    .nullable(),
})
export type Webhook = z.infer<typeof webhook>

/** The secret is returned when it is created, and never again. */
export const webhookWithSecret = webhook.extend({ secret: z.string() })
export type WebhookWithSecret = z.infer<typeof webhookWithSecret>

/** One event for one webhook. */
export const delivery = z.object({
  /** The `webhook-id` header of each attempt. */
  id: z.uuid(),
  event: z.string(),
  status: deliveryStatus,
  test: z.boolean(),
  attempts: z.int(),
  responseStatus: z.int().nullable(),
  error: z.string().nullable(),
  durationMs,
  createdAt: moment,
  lastAttemptAt: moment.nullable(),
  nextAttemptAt: moment.nullable(),
})
export type Delivery = z.infer<typeof delivery>

export const deliveryDetail = delivery.extend({
  payload: z.record(z.string(), z.unknown()),
  /** The beginning of the last answer. */
  responseBody: z.string().nullable(),
  attemptLog: z.array(
    z.object({
      attempt: z.int(),
      at: moment,
      responseStatus: z.int().nullable(),
      responseBody: z.string().nullable(),
      error: z.string().nullable(),
      durationMs,
    }),
  ),
})
export type DeliveryDetail = z.infer<typeof deliveryDetail>

/** How a test went. A refused or silent target is a result, too. */
export const webhookTest = z.object({
  deliveryId: z.uuid(),
  delivered: z.boolean(),
  /** The response's status; null if there was no response. */
  status: z.int().nullable(),
  durationMs: z.int(),
  responseBody: z.string().nullable(),
  error: z.string().nullable(),
})
export type WebhookTest = z.infer<typeof webhookTest>
