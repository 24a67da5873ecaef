import { z } from 'zod'
import { email } from './email.ts'
import { listOf, listQuery } from './list.ts'
import { deletedOf } from './objects.ts'
import { label, moment } from './text.ts'

export const suppressionOrigins = ['bounce', 'complaint', 'manual'] as const
export type SuppressionOrigin = (typeof suppressionOrigins)[number]

/** An address whose mail is withheld. */
export const suppression = z.object({
  object: z.literal('suppression'),
  id: z.uuid(),
  /** Lower case, the domain in ASCII. */
  email: z.string(),
  origin: z.enum(suppressionOrigins),
  reason: z.string().nullable(),
  /** The sent email whose bounce or complaint it comes from. */
  source_id: z.uuid().nullable(),
  /** From then on mail goes through again. */
  expires_at: moment.nullable(),
  created_at: moment,
})
export type Suppression = z.infer<typeof suppression>

export const suppressionList = listOf(suppression)
export const suppressionListQuery = listQuery({ sort: ['created_at', 'email', 'origin'], direction: 'desc' }).extend({
  origin: z.enum(suppressionOrigins, { error: `must be one of ${suppressionOrigins.join(', ')}` }).optional(),
})
export type SuppressionListRequest = z.output<typeof suppressionListQuery>

const MAX_REASON = 500

const reason = label({ max: MAX_REASON }).optional()
const expiresAt = z.iso
  .datetime({ offset: true, error: 'must be a time like 2026-03-01T09:00:00Z' })
  .nullable()
  .optional()

export const suppressionInput = z.object({ email, reason, expires_at: expiresAt })
export type SuppressionInput = z.output<typeof suppressionInput>

export const suppressionUpdate = z.object({ reason, expires_at: expiresAt })
export type SuppressionUpdate = z.output<typeof suppressionUpdate>

export const suppressionDeleted = deletedOf('suppression')

/** Addresses per import. */
export const MAX_IMPORTED = 10_000

/** Texts that are no addresses are counted in the answer; they do not fail the others. */
export const suppressionImportInput = z.object({
  emails: z
    .array(z.string({ error: 'must be text' }), { error: 'must be a list' })
    .min(1, { error: 'must not be empty' })
    .max(MAX_IMPORTED, { error: `must have at most ${MAX_IMPORTED} items` }),
})

export const suppressionImport = z.object({
  object: z.literal('suppression_import'),
  added: z.int(),
  existing: z.int(),
  /** Entries that are not email addresses, as given. */
  invalid: z.array(z.string()),
})
export type SuppressionImport = z.infer<typeof suppressionImport>
