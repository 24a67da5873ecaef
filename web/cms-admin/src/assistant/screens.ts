import type { AssistantContext } from '@stoa/cms-model/assistant.ts'
import { contentPath } from '../content-path.ts'
import { PLUGINS_PATH, pluginPath } from '../plugins/paths.ts'
import { APPS_PATH, appPath, POSTS_PATH, postPath, SOCIAL_PATH } from '../social/paths.ts'
import { pagePath, SITE_PATH } from '../visual/pages.ts'

export const AI_PATH = '/settings/ai'

type Screen = {
  /** "Opened Media" */
  label: string
  to: (id: string | undefined) => string | undefined
}

const at = (path: string) => () => path
const withId = (path: (id: string) => string) => (id: string | undefined) =>
  id === undefined || id === '' ? undefined : path(encodeURIComponent(id))

/** The paths of the screens that the assistant can open. */
const table: Readonly<Record<string, Screen>> = {
  dashboard: { label: 'Dashboard', to: at('/') },
  entries: { label: 'Entries', to: (type) => (type ? contentPath(type) : undefined) },
  entry: { label: 'Entry', to: withId((id) => `/entries/${id}`) },
  entry_new: { label: 'New entry', to: (type) => (type ? `${contentPath(type)}/new` : undefined) },
  visual: { label: 'Page editor', to: withId(pagePath) },
  website: { label: 'Website', to: at(SITE_PATH) },
  types: { label: 'Content types', to: at('/types') },
  type: { label: 'Content type', to: withId((name) => `/types/${name}`) },
  media: { label: 'Media', to: at('/media') },
  taxonomies: { label: 'Taxonomies', to: (name) => (name ? `/taxonomies/${encodeURIComponent(name)}` : '/taxonomies') },
  menus: { label: 'Menus', to: at('/menus') },
  settings: { label: 'Settings', to: at('/settings') },
  design: { label: 'Design', to: at(SITE_PATH) },
  people: { label: 'People', to: at('/people') },
  keys: { label: 'Delivery keys', to: at('/keys') },
  webhooks: { label: 'Webhooks', to: (id) => (id ? `/webhooks/${encodeURIComponent(id)}` : '/webhooks') },
  plugins: { label: 'Plugins', to: (name) => (name ? pluginPath(name) : PLUGINS_PATH) },
  social: { label: 'Social', to: at(SOCIAL_PATH) },
  social_posts: { label: 'Social posts', to: (id) => (id ? postPath(id) : POSTS_PATH) },
  social_settings: { label: 'Social settings', to: (network) => (network ? appPath(network) : APPS_PATH) },
  ai: { label: 'AI settings', to: at(AI_PATH) },
  trash: { label: 'Trash', to: at('/trash') },
  activity: { label: 'Activity', to: at('/activity') },
}

export type Destination = { label: string; to: string }

/** The screen of that name; undefined when there is none, or it needs an id that was not given. */
export const destinationOf = (screen: string, id?: string | null): Destination | undefined => {
  const known = Object.hasOwn(table, screen) ? table[screen] : undefined
  const to = known?.to(id ?? undefined)
  return known && to !== undefined ? { label: known.label, to } : undefined
}

const isInPageEditor = (path: string): boolean => path.startsWith('/edit/')

/** The page editor is a document of its own: going there, or back, ends what is on this page. */
export const leavesDocument = (from: string, to: string): boolean => isInPageEditor(from) !== isInPageEditor(to)

type Shown = Pick<AssistantContext, 'screen' | 'entryId' | 'type'>

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** What the address says about the screen that is open. */
export const shownAt = (path: string): Shown => {
  const [root = '', first, second] = path.split('/').filter(Boolean).map(decode)
  if (root === 'content' && first !== undefined) {
    if (second === undefined) return { screen: 'entries', type: first }
    if (second === 'new') return { screen: 'entry_new', type: first }
    return UUID.test(second) ? { screen: 'entry', type: first, entryId: second } : { screen: 'entries', type: first }
  }
  if (root === 'edit' && first !== undefined)
    return UUID.test(first) ? { screen: 'visual', entryId: first } : { screen: 'website' }
  if (root === 'types' && first !== undefined) return { screen: 'type', type: first }
  if (root === 'settings' && first === 'ai') return { screen: 'ai' }
  if (root === 'social')
    return { screen: first === 'posts' ? 'social_posts' : first === 'settings' ? 'social_settings' : 'social' }
  return { screen: root === '' ? 'dashboard' : root.slice(0, 100) }
}

const decode = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
