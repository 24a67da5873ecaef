import type { Permission } from '@stoa/cms-model/permissions.ts'
import type { NavGroup, NavItem } from '@stoa/ui/navigation/navigation.ts'
import type { ReactNode } from 'react'
import type { Item } from './arrange.ts'

/** The groups of the navigation, in their order; the first has no heading. */
export const navigationGroups = {
  start: undefined,
  content: 'Content',
  site: 'Site',
  developers: 'Developers',
  you: 'You',
} as const satisfies Record<string, string | undefined>

export type NavigationGroup = keyof typeof navigationGroups

/** An action of a screen that can be begun from anywhere: at its own address, or in the dialog that `?new=1` opens. */
export type ScreenAction = {
  id: string
  label: string
  icon: ReactNode
  keywords?: readonly string[]
  to?: string
  needs?: Permission
}

/** A screen in the sidebar, in the menu of a phone and in the command menu. */
export type NavigationItem = Item & {
  to: string
  label: string
  group: NavigationGroup
  icon: ReactNode
  /** A number beside the label: how many wait there. */
  badge?: number
  keywords?: readonly string[]
  shortcut?: string
  external?: boolean
  /** Further actions for the command menu. */
  actions?: readonly ScreenAction[]
}

const groupIds = Object.keys(navigationGroups)

/** Group after group, as the navigation shows them. */
export const inGroups = (items: readonly NavigationItem[]): readonly NavigationItem[] =>
  groupIds.flatMap((id) => items.filter(({ group }) => group === id))

/** The groups that have items, with them. */
export const groupsOf = (items: readonly NavigationItem[]): readonly NavGroup[] =>
  Object.entries(navigationGroups).flatMap(([id, label]) => {
    const own = items.filter(({ group }) => group === id).map(linkOf)
    return own.length === 0 ? [] : [{ ...(label === undefined ? {} : { label }), items: own }]
  })

const linkOf = ({ to, label, icon, badge, external }: NavigationItem): NavItem => ({
  to,
  label,
  icon,
  count: badge,
  external: external === true,
})
