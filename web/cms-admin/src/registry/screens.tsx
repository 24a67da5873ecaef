import type { ContentType } from '@stoa/cms-model/content-types.ts'
import {
  Activity,
  BookOpen,
  Bot,
  HeartPulse,
  House,
  Image,
  KeyRound,
  ListTree,
  MessageCircleQuestion,
  PanelsTopLeft,
  Plus,
  Puzzle,
  Settings,
  Shapes,
  Share2,
  Tags,
  Trash2,
  UserPlus,
  UserRound,
  UsersRound,
  Webhook,
} from 'lucide-react'
import { contentPath } from '../content-path.ts'
import { HEALTH_PATH } from '../health/paths.ts'
import { PLUGINS_PATH } from '../plugins/paths.ts'
import { meQuery } from '../queries.ts'
import { NEW_POST_PATH, SOCIAL_PATH } from '../social/paths.ts'
import { inSentence, TypeIcon } from '../type-icon.tsx'
import { typesQuery } from '../types/queries.ts'
import { VISITOR_PATH } from '../visitor/paths.ts'
import { SITE_PATH, websiteQuery } from '../visual/pages.ts'
import type { NavigationItem, ScreenAction } from './navigation.ts'
import { fromQuery } from './registered.ts'

/** The screens that every site has. */
export const screens: readonly NavigationItem[] = [
  {
    id: 'dashboard',
    to: '/',
    label: 'Dashboard',
    group: 'start',
    order: 10,
    icon: <House aria-hidden />,
    shortcut: 'g d',
  },
  {
    id: 'media',
    to: '/media',
    label: 'Media',
    group: 'content',
    order: 110,
    icon: <Image aria-hidden />,
    needs: 'content.read',
    keywords: ['images', 'files', 'uploads', 'library'],
    shortcut: 'g m',
  },
  {
    id: 'social',
    to: SOCIAL_PATH,
    label: 'Social',
    group: 'content',
    order: 115,
    icon: <Share2 aria-hidden />,
    needs: 'social.write',
    keywords: ['posts', 'calendar', 'networks', 'accounts', 'schedule', 'facebook', 'instagram', 'linkedin'],
    shortcut: 'g o',
    actions: [
      {
        id: 'new-social-post',
        label: 'New social post',
        icon: <Plus aria-hidden />,
        keywords: ['share', 'publish', 'network'],
        to: NEW_POST_PATH,
      },
    ],
  },
  {
    id: 'visitor',
    to: VISITOR_PATH,
    label: 'Visitor assistant',
    group: 'content',
    order: 117,
    icon: <MessageCircleQuestion aria-hidden />,
    needs: 'content.read',
    keywords: ['questions', 'chat', 'bubble', 'ai', 'answers'],
  },
  {
    id: 'menus',
    to: '/menus',
    label: 'Menus',
    group: 'content',
    order: 120,
    icon: <ListTree aria-hidden />,
    needs: 'menus.manage',
    keywords: ['navigation', 'links'],
    shortcut: 'g n',
    actions: [{ id: 'new-menu', label: 'New menu', icon: <Plus aria-hidden /> }],
  },
  {
    id: 'taxonomies',
    to: '/taxonomies',
    label: 'Taxonomies',
    group: 'content',
    order: 130,
    icon: <Tags aria-hidden />,
    needs: 'taxonomy.manage',
    keywords: ['terms', 'categories', 'tags'],
    shortcut: 'g t',
    actions: [{ id: 'new-taxonomy', label: 'New taxonomy', icon: <Plus aria-hidden /> }],
  },
  {
    id: 'trash',
    to: '/trash',
    label: 'Trash',
    group: 'content',
    order: 140,
    icon: <Trash2 aria-hidden />,
    needs: 'content.write',
    keywords: ['deleted', 'restore'],
  },
  {
    id: 'types',
    to: '/types',
    label: 'Content types',
    group: 'site',
    order: 10,
    icon: <Shapes aria-hidden />,
    needs: 'types.manage',
    keywords: ['fields', 'model', 'schema'],
    shortcut: 'g y',
    actions: [{ id: 'new-type', label: 'New content type', icon: <Plus aria-hidden />, keywords: ['model', 'schema'] }],
  },
  {
    id: 'people',
    to: '/people',
    label: 'People',
    group: 'site',
    order: 20,
    icon: <UsersRound aria-hidden />,
    needs: 'users.manage',
    keywords: ['users', 'roles', 'team'],
    shortcut: 'g p',
    actions: [{ id: 'new-person', label: 'Add person', icon: <UserPlus aria-hidden />, keywords: ['invite', 'user'] }],
  },
  {
    id: 'activity',
    to: '/activity',
    label: 'Activity',
    group: 'site',
    order: 30,
    icon: <Activity aria-hidden />,
    needs: 'content.read',
    keywords: ['log', 'audit', 'history'],
    shortcut: 'g v',
  },
  {
    id: 'settings',
    to: '/settings',
    label: 'Settings',
    group: 'site',
    order: 40,
    icon: <Settings aria-hidden />,
    needs: 'settings.manage',
    keywords: ['title', 'languages', 'images', 'trash', 'revisions', 'ai', 'assistant', 'model'],
    shortcut: 'g s',
  },
  {
    id: 'keys',
    to: '/keys',
    label: 'Delivery keys',
    group: 'developers',
    order: 10,
    icon: <KeyRound aria-hidden />,
    needs: 'keys.manage',
    keywords: ['api', 'token'],
    shortcut: 'g k',
    actions: [{ id: 'new-key', label: 'New delivery key', icon: <Plus aria-hidden />, keywords: ['api', 'token'] }],
  },
  {
    id: 'webhooks',
    to: '/webhooks',
    label: 'Webhooks',
    group: 'developers',
    order: 20,
    icon: <Webhook aria-hidden />,
    needs: 'webhooks.manage',
    keywords: ['events', 'deliveries'],
    shortcut: 'g w',
    actions: [{ id: 'new-webhook', label: 'New webhook', icon: <Plus aria-hidden /> }],
  },
  {
    id: 'plugins',
    to: PLUGINS_PATH,
    label: 'Plugins',
    group: 'developers',
    order: 25,
    icon: <Puzzle aria-hidden />,
    needs: 'plugins.manage',
    keywords: ['extensions', 'add-ons', 'sandbox'],
    shortcut: 'g u',
  },
  {
    id: 'reference',
    to: '/reference',
    label: 'API reference',
    group: 'developers',
    order: 30,
    icon: <BookOpen aria-hidden />,
    keywords: ['openapi', 'documentation'],
    external: true,
  },
  {
    id: 'account',
    to: '/account',
    label: 'Account',
    group: 'you',
    order: 10,
    icon: <UserRound aria-hidden />,
    keywords: ['password', 'sessions', 'profile', 'two-factor', 'agent keys'],
    shortcut: 'g a',
    actions: [
      {
        id: 'new-agent-key',
        label: 'New agent key',
        icon: <Bot aria-hidden />,
        keywords: ['api', 'token', 'program'],
        to: '/account?new=agent-key',
      },
    ],
  },
]

/** What the navigation needs from a content type. */
export type TypeHead = Pick<ContentType, 'name' | 'label' | 'labelPlural' | 'icon' | 'kind'>

const NO_SCREENS: readonly NavigationItem[] = []
const WEBSITE_SCREENS: readonly NavigationItem[] = [
  {
    id: 'website',
    to: SITE_PATH,
    label: 'Website',
    group: 'content',
    order: 105,
    icon: <PanelsTopLeft aria-hidden />,
    keywords: ['header', 'footer', 'design', 'colors', 'parts'],
  },
]

const OWNER_SCREENS: readonly NavigationItem[] = [
  {
    id: 'health',
    to: HEALTH_PATH,
    label: 'Health',
    group: 'site',
    order: 50,
    icon: <HeartPulse aria-hidden />,
    keywords: ['status', 'doctor', 'server', 'certificate', 'backups', 'disk'],
  },
]

/** About the server: for owners, whatever admins may do on the site. */
export const ownerScreens = fromQuery(meQuery, {
  items: ({ role }) => (role === 'owner' ? OWNER_SCREENS : NO_SCREENS),
})

/** The lists of the content types, before everything else of their group. */
export const contentScreens = fromQuery(typesQuery, {
  needs: 'content.read',
  items: ({ items }) => items.map(contentScreen),
})

/** The page editor of what all pages share, where the website declares it. */
export const websiteScreens = fromQuery(websiteQuery, {
  needs: 'content.read',
  items: ({ previewUrl }) => (previewUrl === null ? NO_SCREENS : WEBSITE_SCREENS),
})

function contentScreen(type: TypeHead): NavigationItem {
  return {
    id: `content:${type.name}`,
    to: contentPath(type.name),
    label: type.kind === 'single' ? type.label : type.labelPlural,
    group: 'content',
    order: 0,
    icon: <TypeIcon type={type} />,
    keywords: ['content', type.name, type.label],
    actions: [...(type.kind === 'collection' ? [newEntryAction(type)] : []), editType(type)],
  }
}

/** The "new entry" action for the list of the type. */
export const newEntryAction = (type: TypeHead): ScreenAction => ({
  id: `new-${type.name}`,
  label: `New ${inSentence(type.label)}`,
  icon: <Plus aria-hidden />,
  keywords: ['write', 'create', 'add', type.labelPlural],
  to: `${contentPath(type.name)}/new`,
  needs: 'content.write',
})

const editType = (type: TypeHead): ScreenAction => ({
  id: `edit-type-${type.name}`,
  label: `Edit the fields of ${type.kind === 'single' ? type.label : type.labelPlural}`,
  icon: <Shapes aria-hidden />,
  keywords: ['content type', 'model', 'schema', type.name],
  to: `/types/${type.name}`,
  needs: 'types.manage',
})
