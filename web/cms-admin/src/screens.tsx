import type { Me } from '@stoa/cms-model/accounts.ts'
import type { Permission } from '@stoa/cms-model/permissions.ts'
import type { NavGroup } from '@stoa/ui/navigation.ts'
import {
  Activity,
  BookOpen,
  House,
  KeyRound,
  Plus,
  Settings,
  Tags,
  UserPlus,
  UserRound,
  UsersRound,
  Webhook,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { may } from './allowed.tsx'

/** An act that begins on a screen; `search` opens its dialog. */
type ScreenAction = { id: string; label: string; icon: ReactNode; keywords?: readonly string[] }

export type Screen = {
  to: string
  label: string
  group: string
  icon: ReactNode
  /** Without it everybody may go there. */
  permission?: Permission
  keywords?: readonly string[]
  shortcut?: string
  external?: boolean
  /** What its `?new=1` begins. */
  create?: ScreenAction
}

const screens: readonly Screen[] = [
  { to: '/', label: 'Dashboard', group: '', icon: <House aria-hidden />, shortcut: 'g d' },
  {
    to: '/taxonomies',
    label: 'Taxonomies',
    group: 'Content',
    icon: <Tags aria-hidden />,
    permission: 'taxonomy.manage',
    keywords: ['terms', 'categories', 'tags'],
    shortcut: 'g t',
    create: { id: 'new-taxonomy', label: 'New taxonomy', icon: <Plus aria-hidden /> },
  },
  {
    to: '/people',
    label: 'People',
    group: 'Site',
    icon: <UsersRound aria-hidden />,
    permission: 'users.manage',
    keywords: ['users', 'roles', 'team'],
    shortcut: 'g p',
    create: { id: 'new-person', label: 'Add a person', icon: <UserPlus aria-hidden />, keywords: ['invite', 'user'] },
  },
  {
    to: '/activity',
    label: 'Activity',
    group: 'Site',
    icon: <Activity aria-hidden />,
    permission: 'content.read',
    keywords: ['log', 'audit', 'history'],
    shortcut: 'g v',
  },
  {
    to: '/settings',
    label: 'Settings',
    group: 'Site',
    icon: <Settings aria-hidden />,
    permission: 'settings.manage',
    keywords: ['title', 'languages', 'images', 'trash', 'revisions'],
    shortcut: 'g s',
  },
  {
    to: '/keys',
    label: 'Delivery keys',
    group: 'Developers',
    icon: <KeyRound aria-hidden />,
    permission: 'keys.manage',
    keywords: ['api', 'token'],
    shortcut: 'g k',
    create: { id: 'new-key', label: 'New delivery key', icon: <Plus aria-hidden />, keywords: ['api', 'token'] },
  },
  {
    to: '/webhooks',
    label: 'Webhooks',
    group: 'Developers',
    icon: <Webhook aria-hidden />,
    permission: 'webhooks.manage',
    keywords: ['events', 'deliveries'],
    shortcut: 'g w',
    create: { id: 'new-webhook', label: 'New webhook', icon: <Plus aria-hidden /> },
  },
  {
    to: '/reference',
    label: 'API reference',
    group: 'Developers',
    icon: <BookOpen aria-hidden />,
    keywords: ['openapi', 'documentation'],
    external: true,
  },
  {
    to: '/account',
    label: 'Account',
    group: 'You',
    icon: <UserRound aria-hidden />,
    keywords: ['password', 'sessions', 'profile', 'two-factor', 'agent keys'],
    shortcut: 'g a',
  },
]

/** The screens that this person may use. */
export const screensFor = (me: Pick<Me, 'permissions'>): readonly Screen[] =>
  screens.filter(({ permission }) => permission === undefined || may(me, permission))

/** The navigation in the order above, a group where its first screen is. */
export const navigationOf = (shown: readonly Screen[]): readonly NavGroup[] =>
  [...new Set(shown.map(({ group }) => group))].map((group) => ({
    ...(group === '' ? {} : { label: group }),
    items: shown
      .filter((screen) => screen.group === group)
      .map(({ to, label, icon, external }) => ({ to, label, icon, external: external === true })),
  }))
