import { z } from 'zod'

const MAX_TEXT = 200

const text = z
  .string({ error: 'must be text' })
  .trim()
  .max(MAX_TEXT, { error: `must have at most ${MAX_TEXT} characters` })
  .refine((value) => !value.includes('\u0000') && value.isWellFormed(), { error: 'must be text' })

/** A day, or a moment with its zone. */
const when = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], { error: 'must be a date like 2026-03-01' })
  .transform((value) => new Date(value))

/** In a query, where everything is text. */
const switched = z
  .enum(['0', '1', 'false', 'true'], { error: 'must be 1 or 0' })
  .transform((value) => value === '1' || value === 'true')
const flag = z.boolean({ error: 'must be true or false' })

const filterOf = <F extends typeof switched | typeof flag>(bool: F) => ({
  folder_id: z.uuid({ error: 'must be an ID' }).optional(),
  /** Words, and operators such as `from:ann has:attachment -is:read before:2026-03-01`. */
  search: text.optional(),
  unread: bool.optional(),
  flagged: bool.optional(),
  has_attachments: bool.optional(),
  from: text.optional(),
  /** Any recipient. */
  to: text.optional(),
  /** Received at or after. */
  since: when.optional(),
  /** Received before. */
  before: when.optional(),
})

/** What a list of messages can be filtered by, as members of a query. */
export const messageFilterQuery = z.object({ ...filterOf(switched), collapse_threads: switched.optional() })

/**
 * The same as a member of a JSON body: the messages that an action is about. A member that is misspelt, or none at all,
 * must not mean every message there is.
 */
export const messageFilterInput = z
  .strictObject(filterOf(flag))
  .refine((given) => Object.values(given).some((value) => value !== undefined && value !== ''), {
    error: 'must select messages by at least one condition',
  })
export type MessageFilter = z.output<typeof messageFilterInput>
