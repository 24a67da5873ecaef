import { z } from 'zod'
import { email } from './email.ts'
import { listOf, listQuery } from './list.ts'
import { deletedOf } from './objects.ts'
import { line, moment } from './text.ts'

const MAX_NAME = 200
const MAX_NOTE = 2_000

/** Somebody whom the mailbox has written to, or whom its owner wrote down. */
export const contact = z.object({
  object: z.literal('contact'),
  id: z.uuid(),
  email: z.string(),
  name: z.string().nullable(),
  note: z.string().nullable(),
  /** The owner added or changed it: it stays until they delete it. */
  saved: z.boolean(),
  /** How often the mailbox has written to them. */
  uses: z.int(),
  last_used_at: moment.nullable(),
  created_at: moment,
})
export type Contact = z.infer<typeof contact>

export const contactList = listOf(contact)
export const contactListQuery = listQuery({ sort: ['uses', 'last_used_at', 'email', 'name'], direction: 'desc' })
export type ContactListRequest = z.output<typeof contactListQuery>
export const contactDeleted = deletedOf('contact')

/** Blank is none. */
const name = line({ max: MAX_NAME }).transform((text) => text || null)
const note = z
  .string({ error: 'must be text' })
  .trim()
  .max(MAX_NOTE, { error: `must have at most ${MAX_NOTE} characters` })
  .refine((text) => !text.includes('\u0000') && text.isWellFormed(), { error: 'must be text' })
  .transform((text) => text || null)

export const contactInput = z.object({ email, name: name.nullish(), note: note.nullish() })
export type ContactInput = z.output<typeof contactInput>
export const contactUpdate = z.object({
  email: email.optional(),
  name: name.nullable().optional(),
  note: note.nullable().optional(),
})
export type ContactUpdate = z.output<typeof contactUpdate>

/** Somebody who is offered while recipients are typed: a contact, or somebody who wrote to the mailbox. */
export const suggestion = z.object({
  object: z.literal('suggestion'),
  email: z.string(),
  name: z.string().nullable(),
  contact_id: z.uuid().nullable(),
})
export type Suggestion = z.infer<typeof suggestion>

export const suggestionList = listOf(suggestion)
export const suggestionListQuery = listQuery({ sort: ['rank'], direction: 'desc' })
export type SuggestionListRequest = z.output<typeof suggestionListQuery>
