import { z } from 'zod'
import { listOf, listQuery } from './list.ts'
import { deletedOf } from './objects.ts'
import { label, line, moment } from './text.ts'

export const queueStates = ['queued', 'sending', 'deferred', 'held'] as const
export type QueueState = (typeof queueStates)[number]

/** One recipient of a message that waits to be sent. What the message says is not part of it. */
export const queueItem = z.object({
  object: z.literal('queue_item'),
  id: z.uuid(),
  /** Null: the service itself. */
  account_id: z.uuid().nullable(),
  /** Null for reports, which have no sender. */
  from: z.string().nullable(),
  recipient: z.string(),
  /** The domain of the recipient, in ASCII. */
  domain: z.string(),
  state: z.enum(queueStates),
  attempts: z.int(),
  /** The last reply of the other server, or of this service. */
  last_reply: z.string().nullable(),
  /** Null while it is being sent or its domain is on hold. */
  next_attempt_at: moment.nullable(),
  expires_at: moment,
  created_at: moment,
})
export type QueueItem = z.infer<typeof queueItem>

const MAX_DOMAIN = 255

export const queueList = listOf(queueItem)
export const queueListQuery = listQuery({
  sort: ['created_at', 'next_attempt_at', 'domain', 'attempts'],
  direction: 'desc',
}).extend({
  domain: z
    .string({ error: 'must be sent only once' })
    .trim()
    .max(MAX_DOMAIN, { error: `must have at most ${MAX_DOMAIN} characters` })
    .refine((text) => !text.includes('\u0000') && text.isWellFormed(), { error: 'must be text' })
    .optional(),
  state: z.enum(queueStates, { error: `must be one of ${queueStates.join(', ')}` }).optional(),
  account_id: z.uuid({ error: 'must be an ID' }).optional(),
})
export type QueueListRequest = z.output<typeof queueListQuery>

export const queueItemDeleted = deletedOf('queue_item')

/** Mail for this domain stays in the queue. */
export const queueHold = z.object({
  object: z.literal('queue_hold'),
  id: z.uuid(),
  domain: z.string(),
  reason: z.string().nullable(),
  created_at: moment,
})
export type QueueHold = z.infer<typeof queueHold>

export const queueHoldList = listOf(queueHold)
export const queueHoldListQuery = listQuery({ sort: ['created_at', 'domain'], direction: 'desc' })
export type QueueHoldListRequest = z.output<typeof queueHoldListQuery>

export const queueHoldInput = z.object({
  domain: line({ min: 1, max: MAX_DOMAIN }),
  reason: label({ max: 500 }).optional(),
})
export type QueueHoldInput = z.output<typeof queueHoldInput>

export const queueHoldDeleted = deletedOf('queue_hold')
