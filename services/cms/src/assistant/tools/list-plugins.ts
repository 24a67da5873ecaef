import type { Plugin } from '@stoa/cms-model/plugins.ts'
import { nothing } from './inputs.ts'
import { counted, read, result } from './reading.ts'
import { tool } from './tool.ts'

/** In place of a secret that is set. */
const MASK = '••••'

export const listPlugins = tool({
  name: 'list_plugins',
  kind: 'read',
  permission: 'plugins.manage',
  description: 'Plugins: installed, on, configuration (secrets masked).',
  input: nothing,
  label: () => 'Reading plugins',
  async run(reach) {
    const { items } = await read<{ items: Plugin[] }>(reach, '/api/plugins')
    const plugins = items.map((plugin) => {
      const { name, label, version, installed, enabled, recordVersion } = plugin
      reach.wasRead('plugin', name, recordVersion ?? 0)
      return { name, label, version, installed, enabled, settings: settingsOf(plugin) }
    })
    return result({ plugins }, counted(plugins.length, 'plugin'))
  },
})

const settingsOf = ({ settingKeys, settings }: Plugin) =>
  settingKeys.map(({ key, type, label, secret }) => {
    const value = settings[key] ?? null
    const isHidden = secret || (typeof value === 'object' && value !== null)
    return { key, type, label, value: isHidden && value !== null ? MASK : value }
  })
