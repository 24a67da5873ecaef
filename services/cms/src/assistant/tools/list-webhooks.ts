import type { Webhook } from '@stoa/cms-model/webhooks.ts'
import { nothing } from './inputs.ts'
import { counted, readAll, result } from './reading.ts'
import { tool } from './tool.ts'

export const listWebhooks = tool({
  name: 'list_webhooks',
  kind: 'read',
  permission: 'webhooks.manage',
  description: 'Targets and outcome of last delivery.',
  input: nothing,
  label: () => 'Reading webhooks',
  async run(reach) {
    const webhooks = (await readAll<Webhook>(reach, '/api/webhooks')).map((webhook) => {
      const { id, url, events, enabled, version, lastDelivery: last } = webhook
      reach.wasRead('webhook', id, version)
      const outcome = last && {
        at: last.at,
        status: last.responseStatus,
        ok: last.status === 'success',
        error: last.error,
      }
      return { id, url, events, enabled, version, last: outcome }
    })
    return result({ webhooks }, counted(webhooks.length, 'webhook'))
  },
})
