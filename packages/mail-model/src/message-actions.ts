import { z } from 'zod'
import { messageFilterInput } from './message-filter.ts'
import { flag, reference } from './objects.ts'
import { moment } from './text.ts'

/** Messages that one request waits for; actions on a search that finds more become jobs. */
export const MAX_MESSAGES_AT_ONCE = 500

/** Marks that every message has or has not. */
export const messageMarks = ['seen', 'flagged', 'answered', 'forwarded', 'junk'] as const
export type MessageMark = (typeof messageMarks)[number]

/** Words that mean something else to mail programs, or are not for readers to set. */
const RESERVED = new Set(['draft', 'deleted', 'recent', 'unseen', 'unread'])
const LABEL = /^[a-z0-9_-]{1,64}$/
const MAX_MARKS = 50

/** One of the marks, or any label of one's own. */
const mark = z
  .string({ error: 'must be text' })
  .regex(LABEL, { error: 'must be seen, flagged, answered, forwarded, junk, or a label of a-z, 0-9, _ and -' })
  .refine((text) => !RESERVED.has(text), { error: "can't be set" })
const marks = z
  .array(mark, { error: 'must be a list' })
  .max(MAX_MARKS, { error: `must have at most ${MAX_MARKS} flags and labels` })

/** Messages by their ids, or all that a search finds: exactly one of the two. */
const target = {
  message_ids: z
    .array(reference, { error: 'must be a list of IDs' })
    .min(1, { error: 'must not be empty' })
    .max(MAX_MESSAGES_AT_ONCE, { error: `must have at most ${MAX_MESSAGES_AT_ONCE} IDs` })
    .optional(),
  query: messageFilterInput.optional(),
}
export type MessageTarget = {
  message_ids?: string[] | undefined
  query?: z.output<typeof messageFilterInput> | undefined
}

export const flagsInput = z.object({ ...target, add: marks.optional(), remove: marks.optional() })
export const moveInput = z.object({ ...target, folder_id: reference })
export const messageDeleteInput = z.object({ ...target, permanent: flag.optional() })
export const snoozeInput = z.object({
  ...target,
  /** Null brings them back now. */
  until: z.iso.datetime({ offset: true, error: 'must be a time like 2026-03-01T09:00:00Z, or null' }).nullable(),
})
export const messageUpdate = z.object({
  object: z.literal('message_update'),
  updated: z.int(),
  not_found: z.array(z.string()),
})
export type MessageUpdate = z.infer<typeof messageUpdate>

/** An action that goes on after the answer. */
export const bulkJob = z.object({
  object: z.literal('bulk_job'),
  id: z.uuid(),
  action: z.enum(['flags', 'move', 'delete', 'snooze']),
  status: z.enum(['running', 'completed', 'failed']),
  total: z.int(),
  /** Messages that it is done with. */
  done: z.int(),
  /** Selected messages that were deleted before the job reached them. */
  not_found: z.int(),
  /** Why it failed. */
  error: z.string().nullable(),
  created_at: moment,
  finished_at: moment.nullable(),
})
export type BulkJob = z.infer<typeof bulkJob>

export const messageActionResult = z.union([messageUpdate, bulkJob])
