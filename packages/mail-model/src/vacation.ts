import { z } from 'zod'
import { flag } from './objects.ts'
import { line, moment } from './text.ts'

const MAX_BODY = 100_000

const when = z.iso
  .datetime({ offset: true, error: 'must be a time like 2026-03-01T09:00:00Z, or null' })
  .nullish()
  .transform((text) => (text ? new Date(text) : null))
const body = z
  .string({ error: 'must be text' })
  .max(MAX_BODY, { error: `must have at most ${MAX_BODY} characters` })
  .refine((text) => !text.includes('\u0000') && text.isWellFormed(), { error: 'must be text' })
  .nullish()
  .transform((text) => text || null)

/** What a mailbox answers while its owner is away. */
export const vacation = z.object({
  object: z.literal('vacation'),
  enabled: z.boolean(),
  /** Null: at once, and without an end. */
  from_date: moment.nullable(),
  to_date: moment.nullable(),
  /** Null: the service finds words. */
  subject: z.string().nullable(),
  text: z.string().nullable(),
  html: z.string().nullable(),
})
export type Vacation = z.infer<typeof vacation>

/** Replaces all settings: members that are left out are cleared. */
export const vacationInput = z.object({
  enabled: flag,
  from_date: when,
  to_date: when,
  subject: line({ max: 998 })
    .nullish()
    .transform((text) => text || null),
  text: body,
  html: body,
})
export type VacationInput = z.output<typeof vacationInput>
