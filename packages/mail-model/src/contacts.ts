import { z } from 'zod'
import { listOf, listQuery } from './list.ts'
import { deletedOf } from './objects.ts'
import { moment } from './text.ts'

/** Somebody whom the mailbox has written to. */
export const contact = z.object({
  object: z.literal('contact'),
  id: z.uuid(),
  email: z.string(),
  name: z.string().nullable(),
  /** How often. */
  uses: z.int(),
  last_used_at: moment,
  created_at: moment,
})
export type Contact = z.infer<typeof contact>

export const contactList = listOf(contact)
export const contactListQuery = listQuery({ sort: ['uses', 'last_used_at', 'email', 'name'], direction: 'desc' })
export type ContactListRequest = z.output<typeof contactListQuery>
export const contactDeleted = deletedOf('contact')
