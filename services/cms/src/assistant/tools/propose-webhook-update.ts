import type { Webhook } from '@stoa/cms-model/webhooks.ts'
import { z } from 'zod'
import { readWebhook } from './proposed-records.ts'
import { baseVersion, changeOf, given, proposed, realChanges, reason, rehearse } from './proposing.ts'
import { tool } from './tool.ts'

const ROUTE = '/api/webhooks/:id'

const LABELS = { url: 'URL', events: 'Events', enabled: 'Enabled' } as const
type Member = keyof typeof LABELS

export const proposeWebhookUpdate = tool({
  name: 'propose_webhook_update',
  kind: 'propose',
  permission: 'webhooks.manage',
  description: 'Repoint, change events, or switch off.',
  input: z.strictObject({
    webhookId: z.string(),
    url: z.string().optional(),
    events: z.array(z.string()).optional(),
    enabled: z.boolean().optional(),
    reason,
  }),
  label: () => 'Preparing a webhook',
  run: async (reach, { webhookId: id, reason: why, ...members }) => {
    const before = await readWebhook(reach, id)
    const params = { id }
    const after = await rehearse<Webhook>(reach, { method: 'PUT', path: ROUTE, params, body: given(members) })
    const changes = realChanges(
      (Object.keys(LABELS) as Member[])
        .filter((member) => members[member] !== undefined)
        .map((member) =>
          changeOf({
            path: member,
            label: LABELS[member],
            before: before[member],
            after: after[member],
            view: member === 'events' ? 'list' : 'text',
          }),
        ),
    )
    const body = Object.fromEntries(changes.map(({ path }) => [path, after[path as Member]]))
    const version = baseVersion(reach, 'webhook', id, before.version)
    return proposed({
      title: `Update the webhook “${before.name}”`,
      reason: why,
      risk: 'live',
      verb: 'Update webhook',
      permission: 'webhooks.manage',
      target: { kind: 'webhook', id, label: before.name, screen: 'webhooks' },
      changes,
      requests: [
        {
          method: 'PUT',
          route: ROUTE,
          params,
          body,
          version,
          record: { kind: 'webhook', id },
          isBehind: version !== before.version,
        },
      ],
      base: { kind: 'webhook', id, version },
      anchors: Object.hasOwn(body, 'url') ? [new URL(after.url).hostname] : null,
    })
  },
})
