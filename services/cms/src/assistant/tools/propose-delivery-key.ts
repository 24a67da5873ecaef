import { z } from 'zod'
import { changeOf, proposed, reason } from './proposing.ts'
import { tool } from './tool.ts'

const ROUTE = '/api/delivery-keys'

export const proposeDeliveryKey = tool({
  name: 'propose_delivery_key',
  kind: 'propose',
  permission: 'keys.manage',
  description: 'Mint a delivery key; the user sees it once on apply.',
  input: z.strictObject({
    name: z.string(),
    types: z.array(z.string().describe('type name, or * for all')).min(1),
    reason,
  }),
  label: () => 'Preparing a delivery key',
  run: async (reach, { name, types, reason: why }) => {
    const body = { name: name.trim(), types: [...new Set(types)] }
    // The key of a rehearsal was never one, and is not looked at.
    await reach.rehearse({ method: 'POST', path: ROUTE, body })
    return proposed({
      title: `Create the delivery key “${body.name}”`,
      reason: why,
      risk: 'live',
      verb: 'Create key',
      permission: 'keys.manage',
      target: { kind: 'deliveryKey', id: null, label: body.name, screen: 'keys' },
      changes: [
        changeOf({ path: 'name', label: 'Name', after: body.name }),
        changeOf({ path: 'types', label: 'Content types', after: body.types, view: 'list' }),
      ],
      requests: [{ method: 'POST', route: ROUTE, params: {}, body, version: null, record: null }],
      base: { kind: 'deliveryKey', id: null, version: null },
      anchors: [body.name],
    })
  },
})
