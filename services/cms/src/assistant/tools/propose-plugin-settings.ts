import type { Plugin } from '@stoa/cms-model/plugins.ts'
import { z } from 'zod'
import { failFields } from '../../errors.ts'
import { readPlugin } from './proposed-records.ts'
import {
  asJson,
  asMembers,
  baseVersion,
  changeOf,
  openObject,
  proposed,
  realChanges,
  reason,
  rehearse,
} from './proposing.ts'
import { tool } from './tool.ts'

const ROUTE = '/api/plugins/:name/settings'

export const proposePluginSettings = tool({
  name: 'propose_plugin_settings',
  kind: 'propose',
  permission: 'plugins.manage',
  description: 'Configure declared, non-secret keys.',
  input: z.strictObject({ plugin: z.string(), settings: openObject('declared key: value'), reason }),
  label: ({ plugin }) => `Preparing settings of the plugin ${plugin}`,
  run: async (reach, { plugin: name, settings, reason: why }) => {
    const before = await readPlugin(reach, name)
    refuseSecrets(before, Object.keys(settings))
    const params = { name }
    const after = await rehearse<Plugin>(reach, {
      method: 'PUT',
      path: ROUTE,
      params,
      body: { settings: asMembers(settings) },
    })
    const labelOf = (key: string) => before.settingKeys.find((known) => known.key === key)?.label ?? key
    const changes = realChanges(
      Object.keys(settings).map((key) =>
        changeOf({
          path: `settings.${key}`,
          label: labelOf(key),
          before: before.settings[key],
          after: after.settings[key],
        }),
      ),
    )
    const sent = changes.map(({ path }) => path.slice('settings.'.length)).map((key) => [key, asJson(settings[key])])
    const version = baseVersion(reach, 'plugin', name, before.recordVersion ?? 0)
    return proposed({
      title: `Change settings of the plugin “${before.label}”`,
      reason: why,
      risk: 'edit',
      verb: 'Apply',
      permission: 'plugins.manage',
      target: { kind: 'plugin', id: name, label: before.label, screen: 'plugins' },
      changes,
      requests: [
        {
          method: 'PUT',
          route: ROUTE,
          params,
          body: { settings: Object.fromEntries(sent) },
          version,
          record: { kind: 'plugin', id: name },
          isBehind: version !== (before.recordVersion ?? 0),
        },
      ],
      base: { kind: 'plugin', id: name, version },
      anchors: null,
    })
  },
})

/** Secrets must not be part of a conversation. */
const refuseSecrets = ({ settingKeys }: Plugin, keys: readonly string[]): void => {
  const secrets = keys.filter((key) => settingKeys.some((known) => known.key === key && known.secret))
  if (secrets.length > 0)
    failFields(
      secrets.map((key) => ({
        key: `settings.${key}`,
        message: 'is a secret: the user types it on the Plugins screen',
      })),
    )
}
