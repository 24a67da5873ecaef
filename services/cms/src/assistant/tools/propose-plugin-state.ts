import { z } from 'zod'
import { fail } from '../../errors.ts'
import { agreedOf, asksOf, readPlugin } from './proposed-records.ts'
import { baseVersion, changeOf, proposed, realChanges, reason } from './proposing.ts'
import { tool } from './tool.ts'

const ROUTE = '/api/plugins/:name/state'

export const proposePluginState = tool({
  name: 'propose_plugin_state',
  kind: 'propose',
  permission: 'plugins.manage',
  description: 'Switch a plugin on or off.',
  input: z.strictObject({ plugin: z.string(), enabled: z.boolean(), reason }),
  label: ({ plugin }) => `Looking at the plugin ${plugin}`,
  // Not rehearsed: switching on runs the plugin's code, which nobody has agreed to yet.
  run: async (reach, { plugin: name, enabled, reason: why }) => {
    const before = await readPlugin(reach, name)
    if (enabled && before.error !== null)
      fail('INVALID_STATE', { message: `The plugin can't run: ${before.error}`, details: { error: before.error } })
    const state = changeOf({ path: 'enabled', label: 'Enabled', before: before.enabled, after: enabled })
    const [change] = realChanges([state])
    const isMore = enabled && asksOf(before).some((asked) => !agreedOf(before).includes(asked))
    const version = baseVersion(reach, 'plugin', name, before.recordVersion ?? 0)
    return proposed({
      title: `Turn ${enabled ? 'on' : 'off'} the plugin “${before.label}”`,
      reason: why,
      risk: 'live',
      verb: enabled ? 'Turn on' : 'Turn off',
      permission: 'plugins.manage',
      target: { kind: 'plugin', id: name, label: before.label, screen: 'plugins' },
      changes: [
        ...(change ? [change] : []),
        ...(isMore
          ? [
              changeOf({
                path: 'approve',
                label: 'Asks for',
                before: agreedOf(before),
                after: asksOf(before),
                view: 'list',
              }),
            ]
          : []),
      ],
      requests: [
        {
          method: 'PUT',
          route: ROUTE,
          params: { name },
          body: { enabled },
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
