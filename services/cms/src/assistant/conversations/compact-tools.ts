import type { AssistantScreen } from '@stoa/cms-model/assistant.ts'
import type { Tool } from '../tools/tools.ts'

const ENTRY = [
  'propose_entry_update',
  'propose_entry_create',
  'propose_entry_status',
  'propose_entry_delete',
  'propose_entry_terms',
  'propose_entry_untrash',
  'propose_revision_restore',
]
const SOCIAL = ['propose_social_app', 'propose_social_post']
const MENUS = ['propose_menu_update', 'propose_menu_create', 'propose_menu_delete']
const TYPES = ['propose_type_update', 'propose_type_create']

/** What is proposed on each screen. */
const PROPOSED_ON: Readonly<Partial<Record<AssistantScreen, readonly string[]>>> = {
  types: TYPES,
  type: TYPES,
  media: ['propose_media_update'],
  taxonomies: ['propose_taxonomy_create', 'propose_term_create', 'propose_entry_terms'],
  menus: MENUS,
  website: ['propose_settings_update', 'propose_menu_update', 'propose_design_change'],
  settings: ['propose_settings_update'],
  design: ['propose_design_change'],
  people: ['propose_person_role'],
  keys: ['propose_delivery_key'],
  webhooks: ['propose_webhook_create', 'propose_webhook_update'],
  plugins: ['propose_plugin_state', 'propose_plugin_settings'],
  social: SOCIAL,
  social_posts: SOCIAL,
  social_settings: SOCIAL,
}

/** For models that read little at once: all that reads, and of what proposes only what the open screen is about. */
export const compactTools = (tools: readonly Tool[], screen: string): Tool[] => {
  const proposed = new Map<string, readonly string[]>(Object.entries(PROPOSED_ON)).get(screen) ?? ENTRY
  return tools.filter(({ kind, name }) => kind !== 'propose' || proposed.includes(name))
}
