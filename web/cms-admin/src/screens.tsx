import type { Me } from '@stoa/cms-model/accounts.ts'
import type { ContentType } from '@stoa/cms-model/content-types.ts'
import type { Permission } from '@stoa/cms-model/permissions.ts'
import type { NavGroup } from '@stoa/ui/navigation.ts'
import {
  Activity,
  BookOpen,
  House,
  Image,
  KeyRound,
  ListTree,
  Plus,
  Settings,
  Shapes,
  Tags,
  Trash2,
  UserPlus,
  UserRound,
  UsersRound,
  Webhook,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { may } from './allowed.tsx'
import { contentPath } from './content-path.ts'
import { inSentence, TypeIcon } from './type-icon.tsx'

/** An act that begins on a screen: with its own address, or by opening the screen's dialog. */
type ScreenAction = { id: string; label: string; icon: ReactNode; keywords?: readonly string[]; to?: string }

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
  /** What its own address or `?new=1` begins. */
  create?: ScreenAction
}

const screens: readonly Screen[] = [
  { to: '/', label: 'Dashboard', group: '', icon: <House aria-hidden />, shortcut: 'g d' },
  {
    to: '/media',
    label: 'Media',
    group: 'Content',
    icon: <Image aria-hidden />,
    permission: 'content.read',
    keywords: ['images', 'files', 'uploads', 'library'],
    shortcut: 'g m',
  },
  {
    to: '/menus',
    label: 'Menus',
    group: 'Content',
    icon: <ListTree aria-hidden />,
    permission: 'menus.manage',
    keywords: ['navigation', 'links'],
    shortcut: 'g n',
    create: { id: 'new-menu', label: 'New menu', icon: <Plus aria-hidden /> },
  },
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
    to: '/trash',
    label: 'Trash',
    group: 'Content',
    icon: <Trash2 aria-hidden />,
    permission: 'content.write',
    keywords: ['deleted', 'restore'],
  },
  {
    to: '/types',
    label: 'Content types',
    group: 'Site',
    icon: <Shapes aria-hidden />,
    permission: 'types.manage',
    keywords: ['fields', 'model', 'schema'],
    shortcut: 'g y',
    create: { id: 'new-type', label: 'New content type', icon: <Plus aria-hidden />, keywords: ['model', 'schema'] },
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

/** What the navigation knows of a content type. */
export type TypeHead = Pick<ContentType, 'name' | 'label' | 'labelPlural' | 'icon' | 'kind'>

/** The screens that this person may use; those of the content types come first in their group. */
export const screensFor = (me: Pick<Me, 'permissions'>, types: readonly TypeHead[]): readonly Screen[] => {
  const shown = screens.filter(({ permission }) => permission === undefined || may(me, permission))
  if (!may(me, 'content.read')) return shown
  const [first, ...rest] = shown
  const content = types.map((type) => contentScreen(type, may(me, 'content.write')))
  return first ? [first, ...content, ...rest] : content
}

const contentScreen = (type: TypeHead, writes: boolean): Screen => ({
  to: contentPath(type.name),
  label: type.kind === 'single' ? type.label : type.labelPlural,
  group: 'Content',
  icon: <TypeIcon type={type} />,
  keywords: ['content', type.name, type.label],
  ...(writes && type.kind === 'collection'
    ? {
        create: {
          id: `new-${type.name}`,
          label: `New ${inSentence(type.label)}`,
          icon: <Plus aria-hidden />,
          keywords: ['write', 'create', 'add', type.labelPlural],
          to: `${contentPath(type.name)}/new`,
        },
      }
    : {}),
})

/** The navigation in the order above, a group where its first screen is. */
export const navigationOf = (shown: readonly Screen[]): readonly NavGroup[] =>
  [...new Set(shown.map(({ group }) => group))].map((group) => ({
    ...(group === '' ? {} : { label: group }),
    items: shown
      .filter((screen) => screen.group === group)
      .map(({ to, label, icon, external }) => ({ to, label, icon, external: external === true })),
  }))
