import type { DeliveryKey } from '@stoa/cms-model/keys.ts'
import { nothing } from './inputs.ts'
import { counted, readAll, result } from './reading.ts'
import { tool } from './tool.ts'

export const listDeliveryKeys = tool({
  name: 'list_delivery_keys',
  kind: 'read',
  permission: 'keys.manage',
  description: 'Which sites read this one and how far each reaches.',
  input: nothing,
  label: () => 'Reading delivery keys',
  async run(reach) {
    const all = await readAll<DeliveryKey>(reach, '/api/delivery-keys')
    // A revoked key stays listed for people; no site reads with it.
    const inUse = all.filter(({ revokedAt }) => revokedAt === null)
    const keys = inUse.map(({ id, name, prefix, last4, types, createdAt, lastUsedAt }) => ({
      ...{ id, name, types, createdAt, lastUsedAt },
      hint: `${prefix}…${last4}`,
    }))
    return result({ keys }, counted(keys.length, 'delivery key'))
  },
})
