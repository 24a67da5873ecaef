import type { Permission } from '@stoa/cms-model/permissions.ts'
import type { Plugin, PluginAsks, PluginRun } from '@stoa/cms-model/plugins.ts'
import type { Tone } from '@stoa/ui/display/badge.tsx'

/** What a permission lets a plugin do. It never reaches further than the person who uses the plugin. */
const permissionWords: Readonly<Partial<Record<Permission, string>>> = {
  'content.read': 'Read entries, including drafts',
  'content.write': 'Write and delete entries',
  'content.publish': 'Publish and unpublish entries',
  'media.manage': 'Edit the media library',
  'taxonomy.manage': 'Edit taxonomies and terms',
  'menus.manage': 'Edit menus',
  'social.write': 'Write social posts',
  'social.publish': 'Schedule and send social posts',
}

const permissionLabel = (name: string): string =>
  (Object.hasOwn(permissionWords, name) ? permissionWords[name as Permission] : undefined) ?? name

/** The requested permissions, in groups that a person can approve. */
export const asksOf = ({ permissions, hosts, collections }: PluginAsks): { label: string; items: string[] }[] =>
  [
    { label: 'It can', items: permissions.map(permissionLabel) },
    { label: 'It connects to', items: [...hosts] },
    { label: 'It stores', items: collections.map((name) => `A list of “${name}” in this site's database`) },
  ].filter(({ items }) => items.length > 0)

/** Whether somebody has to agree before it can be switched on. */
export const asksForMore = (plugin: PluginAsks & Pick<Plugin, 'approved'>): boolean =>
  (['permissions', 'hosts', 'collections'] as const).some((key) =>
    plugin[key].some((item) => !plugin.approved?.[key].includes(item)),
  )

type State = { tone: Tone; label: string }

/** One word for how it is. */
export const stateOf = (plugin: Pick<Plugin, 'enabled' | 'installed' | 'error' | 'health'>): State => {
  if (plugin.error !== null) return { tone: 'failed', label: 'Broken' }
  if (plugin.health.state === 'failed') return { tone: 'failed', label: plugin.enabled ? 'Failing' : 'Turned off' }
  if (plugin.enabled) return { tone: 'live', label: 'On' }
  return { tone: 'neutral', label: plugin.installed ? 'Off' : 'Not installed' }
}

export const runOutcomes: Readonly<Record<PluginRun['outcome'], State>> = {
  done: { tone: 'live', label: 'Done' },
  refused: { tone: 'draft', label: 'Refused' },
  failed: { tone: 'failed', label: 'Failed' },
}

export const runKinds: Readonly<Record<PluginRun['kind'], string>> = {
  start: 'Start',
  route: 'Request',
  event: 'Event',
  schedule: 'Schedule',
}
