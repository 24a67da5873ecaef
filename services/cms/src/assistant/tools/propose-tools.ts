import { proposeDeliveryKey } from './propose-delivery-key.ts'
import { proposeDesignChange } from './propose-design-change.ts'
import { proposeEntryCreate } from './propose-entry-create.ts'
import { proposeEntryDelete } from './propose-entry-delete.ts'
import { proposeEntryStatus } from './propose-entry-status.ts'
import { proposeEntryTerms } from './propose-entry-terms.ts'
import { proposeEntryUntrash } from './propose-entry-untrash.ts'
import { proposeEntryUpdate } from './propose-entry-update.ts'
import { proposeMediaUpdate } from './propose-media-update.ts'
import { proposeMenuCreate } from './propose-menu-create.ts'
import { proposeMenuDelete } from './propose-menu-delete.ts'
import { proposeMenuUpdate } from './propose-menu-update.ts'
import { proposePersonRole } from './propose-person-role.ts'
import { proposePluginSettings } from './propose-plugin-settings.ts'
import { proposePluginState } from './propose-plugin-state.ts'
import { proposeRevisionRestore } from './propose-revision-restore.ts'
import { proposeSettingsUpdate } from './propose-settings-update.ts'
import { proposeSocialApp } from './propose-social-app.ts'
import { proposeSocialPost } from './propose-social-post.ts'
import { proposeTaxonomyCreate } from './propose-taxonomy-create.ts'
import { proposeTermCreate } from './propose-term-create.ts'
import { proposeTypeCreate } from './propose-type-create.ts'
import { proposeTypeUpdate } from './propose-type-update.ts'
import { proposeWebhookCreate } from './propose-webhook-create.ts'
import { proposeWebhookUpdate } from './propose-webhook-update.ts'
import type { Tool } from './tool.ts'

/** Every tool that proposes a change; a person makes it, or not. */
export const proposeTools: readonly Tool[] = [
  proposeEntryUpdate,
  proposeRevisionRestore,
  proposeEntryUntrash,
  proposeEntryCreate,
  proposeEntryStatus,
  proposeEntryDelete,
  proposeEntryTerms,
  proposeTypeUpdate,
  proposeTypeCreate,
  proposeMediaUpdate,
  proposeTaxonomyCreate,
  proposeTermCreate,
  proposeSettingsUpdate,
  proposeDesignChange,
  proposeMenuUpdate,
  proposeMenuCreate,
  proposeMenuDelete,
  proposePluginState,
  proposePluginSettings,
  proposePersonRole,
  proposeDeliveryKey,
  proposeWebhookCreate,
  proposeWebhookUpdate,
  proposeSocialApp,
  proposeSocialPost,
]

/** The routes by which proposals are applied. Others reject a proposal header. */
export const proposedRoutes: ReadonlySet<string> = new Set([
  'POST /api/entries',
  'PUT /api/entries/:id',
  'DELETE /api/entries/:id',
  'PUT /api/entries/:id/terms',
  'POST /api/entries/:id/status',
  'POST /api/entries/:id/restore',
  'POST /api/entries/:id/revisions/:rid/restore',
  'POST /api/types',
  'PUT /api/types/:name',
  'PUT /api/media/:id',
  'POST /api/taxonomies',
  'POST /api/taxonomies/:name/terms',
  'PUT /api/settings',
  'PUT /api/design/:surface',
  'POST /api/menus',
  'PUT /api/menus/:name',
  'DELETE /api/menus/:name',
  'PUT /api/plugins/:name/state',
  'PUT /api/plugins/:name/settings',
  'PUT /api/users/:id',
  'POST /api/delivery-keys',
  'POST /api/webhooks',
  'PUT /api/webhooks/:id',
  'PUT /api/social/settings/:network',
  'POST /api/social/posts',
  'POST /api/social/posts/:id/schedule',
])
