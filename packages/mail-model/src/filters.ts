import { z } from 'zod'
import { listOf, listQuery } from './list.ts'
import { deletedOf, flag, reference } from './objects.ts'
import { line, moment } from './text.ts'

export const filter = z.object({
  object: z.literal('filter'),
  id: z.uuid(),
  name: z.string(),
  /** Null: all addresses of the account. */
  address_id: z.uuid().nullable(),
  script: z.string(),
  enabled: z.boolean(),
  /** From 0; those of all addresses run before those of one. */
  position: z.int(),
  extensions: z.array(z.string()),
  created_at: moment,
  updated_at: moment,
})
export type Filter = z.infer<typeof filter>

export const filterList = listOf(filter)
export const filterListQuery = listQuery({ sort: ['position', 'name', 'created_at', 'updated_at'], direction: 'asc' })
export type FilterListRequest = z.output<typeof filterListQuery>

const script = z.string({ error: 'must be text' })
const name = line({ min: 1, max: 200 })
const position = z
  .int({ error: 'must be a whole number' })
  .min(0, { error: 'must not be negative' })
  .max(1_000_000, { error: 'is too large' })

export const filterInput = z.object({
  name,
  script,
  address_id: reference.nullish(),
  enabled: flag.optional(),
  position: position.optional(),
})
export type FilterInput = z.output<typeof filterInput>

export const filterUpdate = z.object({
  name: name.optional(),
  script: script.optional(),
  address_id: reference.nullable().optional(),
  enabled: flag.optional(),
  position: position.optional(),
})
export type FilterUpdate = z.output<typeof filterUpdate>

export const filterDeleted = deletedOf('filter')

export const filterValidationInput = z.object({ script })
export const filterValidation = z.object({
  object: z.literal('filter_validation'),
  valid: z.boolean(),
  errors: z.array(z.object({ line: z.int(), column: z.int(), message: z.string() })),
  extensions: z.array(z.string()),
})
export type FilterValidation = z.infer<typeof filterValidation>
