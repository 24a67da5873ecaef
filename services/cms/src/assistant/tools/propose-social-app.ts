import type { SocialApp } from '@stoa/cms-model/social-apps.ts'
import { z } from 'zod'
import { readApp } from './proposed-records.ts'
import { baseVersion, changeOf, given, proposed, realChanges, reason, rehearse } from './proposing.ts'
import { tool } from './tool.ts'

const ROUTE = '/api/social/settings/:network'

export const proposeSocialApp = tool({
  name: 'propose_social_app',
  kind: 'propose',
  permission: 'social.manage',
  description: 'Save a network client id. The user pastes the secret on screen; never ask for it.',
  input: z.strictObject({ network: z.string(), clientId: z.string(), enabled: z.boolean().optional(), reason }),
  label: ({ network }) => `Preparing the ${network} app`,
  run: async (reach, { network, clientId, enabled, reason: why }) => {
    const before = await readApp(reach, network)
    const params = { network }
    const after = await rehearse<SocialApp>(reach, {
      method: 'PUT',
      path: ROUTE,
      params,
      body: given({ clientId, enabled }),
    })
    const changes = realChanges([
      changeOf({ path: 'clientId', label: 'Client ID', before: before.clientId, after: after.clientId }),
      ...(enabled === undefined
        ? []
        : [changeOf({ path: 'enabled', label: 'Enabled', before: before.enabled, after: after.enabled })]),
    ])
    const version = baseVersion(reach, 'app', network, before.version ?? 0)
    return proposed({
      title: `Save the ${before.label} app`,
      reason: why,
      risk: 'live',
      verb: 'Save app',
      permission: 'social.manage',
      target: { kind: 'app', id: network, label: before.label, screen: 'social_settings' },
      changes,
      requests: [
        {
          method: 'PUT',
          route: ROUTE,
          params,
          body: given({ clientId: after.clientId ?? clientId, enabled }),
          version,
          record: { kind: 'app', id: network },
          isBehind: version !== (before.version ?? 0),
        },
      ],
      base: { kind: 'app', id: network, version },
      anchors: [before.label, network],
    })
  },
})
