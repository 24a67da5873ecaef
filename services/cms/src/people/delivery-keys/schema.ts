import type { DeliveryKey } from '@stoa/cms-model/keys.ts'
import { listQuery } from '@stoa/cms-model/lists.ts'
import { z } from 'zod'
import { prefixes } from '../../credentials.ts'
import type { DeliveryKeyRecord } from './queries.ts'

export const idParams = z.object({ id: z.uuid() })
export const deliveryKeysQuery = listQuery({})

export const deliveryKeyJson = (record: DeliveryKeyRecord): DeliveryKey => ({
  id: record.id,
  name: record.name,
  prefix: prefixes.delivery,
  last4: record.last4,
  types: record.types,
  createdAt: record.createdAt.toISOString(),
  lastUsedAt: record.lastUsedAt?.toISOString() ?? null,
  revokedAt: record.revokedAt?.toISOString() ?? null,
  version: record.version,
})
