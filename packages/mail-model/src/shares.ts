import { z } from 'zod'
import { listOf, listQuery } from './list.ts'
import { deletedOf, reference } from './objects.ts'
import { moment } from './text.ts'

const shareAccess = ['read', 'write', 'full'] as const

/** That another address of the same customer may use a mailbox too. */
export const share = z.object({
  object: z.literal('share'),
  id: z.uuid(),
  address_id: z.uuid(),
  with_address_id: z.uuid(),
  with_email: z.string(),
  access: z.enum(shareAccess),
  created_at: moment,
})
export type Share = z.infer<typeof share>

export const shareList = listOf(share)
export const shareListQuery = listQuery({ sort: ['created_at', 'with_email', 'access'], direction: 'desc' })
export type ShareListRequest = z.output<typeof shareListQuery>

export const shareInput = z.object({
  address_id: reference,
  access: z.enum(shareAccess, { error: `must be one of ${shareAccess.join(', ')}` }),
})
export type ShareInput = z.output<typeof shareInput>

export const shareDeleted = deletedOf('share')
