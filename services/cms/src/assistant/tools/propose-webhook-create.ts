import type { Webhook } from '@stoa/cms-model/webhooks.ts'
import { z } from 'zod'
import { changeOf, proposed, reason, rehearse } from './proposing.ts'
import { tool } from './tool.ts'

const ROUTE = '/api/webhooks'

export const proposeWebhookCreate = tool({
  name: 'propose_webhook_create',
  kind: 'propose',
  permission: 'webhooks.manage',
  description: 'Create a webhook; secret shown once to the user.',
  input: z.strictObject({ url: z.string(), events: z.array(z.string()).min(1), reason }),
  label: () => 'Preparing a webhook',
  run: async (reach, { url, events, reason: why }) => {
    const after = await rehearse<Webhook>(reach, { method: 'POST', path: ROUTE, body: { url, events } })
    const { hostname } = new URL(after.url)
    return proposed({
      title: `Create a webhook to ${hostname}`,
      reason: why,
      risk: 'live',
      verb: 'Create webhook',
      permission: 'webhooks.manage',
      target: { kind: 'webhook', id: null, label: after.url, screen: 'webhooks' },
      changes: [
        changeOf({ path: 'url', label: 'URL', after: after.url }),
        changeOf({ path: 'events', label: 'Events', after: after.events, view: 'list' }),
      ],
      requests: [
        {
          method: 'POST',
          route: ROUTE,
          params: {},
          body: { url: after.url, events: after.events },
          version: null,
          record: null,
        },
      ],
      base: { kind: 'webhook', id: null, version: null },
      anchors: [hostname],
    })
  },
})
