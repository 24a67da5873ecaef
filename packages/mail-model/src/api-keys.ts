import { z } from 'zod'
import { listOf, listQuery } from './list.ts'
import { deletedOf, reference } from './objects.ts'
import { line, moment } from './text.ts'

/** `sending_access` sends; `full_access` also reads, reschedules and cancels. */
export const apiKeyPermissions = ['full_access', 'sending_access'] as const
export type ApiKeyPermission = (typeof apiKeyPermissions)[number]

export const apiKey = z.object({
  object: z.literal('api_key'),
  id: z.uuid(),
  name: z.string(),
  permission: z.enum(apiKeyPermissions),
  /** The only domain it sends for. */
  domain_id: z.uuid().nullable(),
  token_prefix: z.string(),
  created_at: moment,
  last_used_at: moment.nullable(),
})
export type ApiKey = z.infer<typeof apiKey>

/** The token is in the answer to its creation and nowhere else. */
export const createdApiKey = apiKey.extend({ token: z.string() })
export type CreatedApiKey = z.infer<typeof createdApiKey>

export const apiKeyList = listOf(apiKey)
export const apiKeyListQuery = listQuery({ sort: ['created_at', 'name', 'last_used_at'], direction: 'desc' })
export type ApiKeyListRequest = z.output<typeof apiKeyListQuery>

export const apiKeyInput = z
  .object({
    name: line({ min: 1, max: 50 }),
    permission: z
      .enum(apiKeyPermissions, { error: `must be one of ${apiKeyPermissions.join(', ')}` })
      .default('full_access'),
    domain_id: reference.nullish(),
  })
  .refine(({ permission, domain_id: domainId }) => !domainId || permission === 'sending_access', {
    path: ['domain_id'],
    error: 'needs the permission sending_access',
  })
export type ApiKeyInput = z.output<typeof apiKeyInput>

export const apiKeyDeleted = deletedOf('api_key')
