import type { Permission } from '@stoa/cms-model/permissions.ts'
import type { PluginScreens } from '@stoa/cms-model/plugins.ts'
import { lazyPart } from '@stoa/ui/shell/lazy-part.tsx'
import { type LucideIcon, Puzzle, SquareKanban } from 'lucide-react'
import type { EntryPanel, EntryPanelProps } from '../registry/entry-panels.ts'
import type { NavigationItem } from '../registry/navigation.ts'
import { fromQuery } from '../registry/registered.ts'
import { typeIcons } from '../type-icon.tsx'
import { pluginScreenPath } from './paths.ts'
import { pluginScreensQuery } from './queries.ts'

/** The screens of plugins, after the admin's own of the group. */
export const pluginNavigation = fromQuery(pluginScreensQuery, {
  items: ({ items }: PluginScreens) => items.flatMap(navigationOf),
})

export const pluginPanels = fromQuery(pluginScreensQuery, {
  items: ({ items }: PluginScreens) => items.flatMap(panelsOf),
})

/** The icons of content types, and those that only screens use. */
const icons: ReadonlyMap<string, LucideIcon> = new Map([...typeIcons, ['kanban', SquareKanban]])

type OnePlugin = PluginScreens['items'][number]

const navigationOf = ({ plugin, label, screens }: OnePlugin): NavigationItem[] =>
  screens.map(({ id, label: screenLabel, icon, permission }) => {
    const Icon = icons.get(icon ?? '') ?? Puzzle
    return {
      id: `plugin:${plugin}:${id}`,
      to: pluginScreenPath(plugin, id),
      label: screenLabel,
      group: 'content',
      order: 200,
      icon: <Icon aria-hidden />,
      needs: permission as Permission,
      keywords: ['plugin', label],
    }
  })

const Panel = lazyPart(() => import('./entry-panel.tsx'), 'PluginPanel')

const panelsOf = (one: OnePlugin): EntryPanel[] =>
  one.panels.map((panel, at) => ({
    id: `plugin:${one.plugin}:${at}`,
    label: panel.label,
    order: 100,
    ...(panel.permission === null ? {} : { needs: panel.permission as Permission }),
    applies: ({ name }) => panel.types.includes('*') || panel.types.includes(name),
    Component: (props: EntryPanelProps) => <Panel {...props} plugin={one} panel={panel} />,
  }))
