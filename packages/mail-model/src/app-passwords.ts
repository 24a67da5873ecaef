import { z } from 'zod'
import { listOf, listQuery } from './list.ts'
import { deletedOf } from './objects.ts'
import { line, moment } from './text.ts'

/** The protocols that an app password can be used with. */
export const appPasswordScopes = ['imap', 'pop3', 'smtp', 'managesieve', 'jmap'] as const
export type AppPasswordScope = (typeof appPasswordScopes)[number]

export const appPassword = z.object({
  object: z.literal('app_password'),
  id: z.uuid(),
  address_id: z.uuid(),
  name: z.string(),
  scopes: z.array(z.string()),
  token_prefix: z.string(),
  last_used_at: moment.nullable(),
  last_used_ip: z.string().nullable(),
  expires_at: moment.nullable(),
  created_at: moment,
})
export type AppPassword = z.infer<typeof appPassword>

/** The token is in the answer to its creation and nowhere else. */
export const createdAppPassword = appPassword.extend({ token: z.string() })
export type CreatedAppPassword = z.infer<typeof createdAppPassword>

export const appPasswordList = listOf(appPassword)
export const appPasswordListQuery = listQuery({ sort: ['created_at', 'name', 'last_used_at'], direction: 'desc' })
export type AppPasswordListRequest = z.output<typeof appPasswordListQuery>

export const appPasswordInput = z.object({
  name: line({ min: 1, max: 100 }),
  scopes: z
    .array(z.enum(appPasswordScopes, { error: `must be one of ${appPasswordScopes.join(', ')}` }), {
      error: 'must be a list',
    })
    .min(1, { error: 'must not be empty' })
    .max(20, { error: 'is too long' })
    .optional(),
  expires_at: z.iso.datetime({ offset: true, error: 'must be a time like 2026-03-01T09:00:00Z' }).nullish(),
})
export type AppPasswordInput = z.output<typeof appPasswordInput>

export const appPasswordDeleted = deletedOf('app_password')
