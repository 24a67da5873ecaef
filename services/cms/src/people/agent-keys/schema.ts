import type { AgentKey } from '@stoa/cms-model/keys.ts'
import { listQuery } from '@stoa/cms-model/lists.ts'
import { z } from 'zod'
import { prefixes } from '../../credentials.ts'
import type { AgentKeyRecord } from './queries.ts'

export const idParams = z.object({ id: z.uuid() })
export const agentKeysQuery = listQuery({
  account: z.union([z.literal('all'), z.uuid()], 'must be "all" or an ID').optional(),
})

export const agentKeyJson = (record: AgentKeyRecord): AgentKey => ({
  id: record.id,
  name: record.name,
  prefix: prefixes.agent,
  last4: record.last4,
  grants: record.grants,
  account: record.account,
  createdAt: record.createdAt.toISOString(),
  expiresAt: record.expiresAt.toISOString(),
  lastUsedAt: record.lastUsedAt?.toISOString() ?? null,
  revokedAt: record.revokedAt?.toISOString() ?? null,
  version: record.version,
})
