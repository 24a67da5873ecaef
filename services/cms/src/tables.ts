import type { Role } from '@stoa/cms-model/permissions.ts'
import type { AcmeTables } from '@stoa/kit/acme/tables.ts'
import type { HealthTables } from '@stoa/kit/health/tables.ts'
import type { OAuthTables } from '@stoa/kit/oauth/tables.ts'
import type { WebhookTables } from '@stoa/kit/webhooks/tables.ts'
import type { ColumnType, Generated } from 'kysely'
import type { AssistantTables } from './tables-assistant.ts'
import type { EntrySideTables } from './tables-entry-sides.ts'
import type { PluginTables } from './tables-plugins.ts'
import type { SocialTables } from './tables-social.ts'

/** One interface per table, as the migrations leave it. */
export type Tables = {
  account: AccountTable
  invitation: InvitationTable
  password_reset: PasswordResetTable
  session: SessionTable
  login_limit: LoginLimitTable
  two_factor: TwoFactorTable
  recovery_code: RecoveryCodeTable
  content_type: ContentTypeTable
  entry: EntryTable
  revision: RevisionTable
  taxonomy: TaxonomyTable
  term: TermTable
  entry_term: EntryTermTable
  site_settings: SiteSettingsTable
  menu: MenuTable
  media: MediaTable
  media_address: MediaAddressTable
  rendition: RenditionTable
  delivery_key: DeliveryKeyTable
  agent_key: AgentKeyTable
  activity: ActivityTable
  host_definition: HostDefinitionTable
  design_surface: DesignSurfaceTable
  design_override: DesignOverrideTable
  preview: PreviewTable
  realtime_ticket: RealtimeTicketTable
  presence: PresenceTable
} & EntrySideTables &
  AssistantTables &
  SocialTables &
  PluginTables &
  WebhookTables &
  OAuthTables &
  AcmeTables &
  HealthTables

type AccountTable = {
  id: string
  email: string
  name: string
  role: Role
  password_hash: string
  version: Generated<number>
  created_at: Date
  updated_at: Date
  updated_by: string | null
  deactivated_at: Date | null
  has_totp: Generated<boolean>
  avatar_id: ColumnType<string | null, string | null | undefined>
}

type InvitationTable = {
  id: string
  email: string
  name: string | null
  role: Role
  token_hash: Buffer
  expires_at: Date
  is_sent: boolean
  version: Generated<number>
  created_at: Date
  created_by: string
  updated_at: Date
  updated_by: string
}

type PasswordResetTable = {
  token_hash: Buffer
  account_id: string
  email: string
  password_digest: Buffer
  expires_at: Date
}

type SessionTable = {
  id: string
  account_id: string
  token_hash: Buffer
  ip: string
  user_agent: string | null
  created_at: Date
  last_seen_at: Date
  expires_at: Date
  revoked_at: Date | null
}

type LoginLimitTable = {
  bucket: Buffer
  failures: number
  pending: number
  ends_at: Date
}

type TwoFactorTable = {
  account_id: string
  secret_sealed: string
  started_at: Date
  last_step: number | null
}

type RecoveryCodeTable = {
  account_id: string
  code_hash: Buffer
}

type ContentTypeTable = {
  name: string
  label: string
  label_plural: string
  description: string
  icon: string
  kind: 'collection' | 'single'
  preview_url: string | null
  fields: ColumnType<unknown, string, string>
  version: Generated<number>
  created_at: Date
  updated_at: Date
  updated_by: string | null
  search_version: Generated<number>
  search_synced: Generated<number>
  templates_synced: Generated<number>
  misfits: Generated<string[]>
  renames: ColumnType<unknown, string | undefined, string>
}

type EntryTable = {
  id: string
  type: string
  slug: string
  title: string
  data: ColumnType<unknown, string, string>
  status: 'draft' | 'published'
  locale: string
  translation_of: string | null
  author_id: string | null
  pending: ColumnType<unknown, string | null, string | null>
  version: Generated<number>
  live_version: number | null
  live_updated_at: Date | null
  published_at: Date | null
  publish_at: Date | null
  unpublish_at: Date | null
  deleted_at: Date | null
  deleted_by: string | null
  status_before_delete: 'draft' | 'published' | null
  created_at: Date
  updated_at: Date
  updated_by: string | null
}

type RevisionTable = {
  id: string
  entry_id: string
  version: number
  title: string
  slug: string
  data: ColumnType<unknown, string, string>
  status: 'draft' | 'published'
  terms: ColumnType<unknown, string, string>
  author_id: string | null
  reason: 'save' | 'publish' | 'restore' | 'assistant' | 'schedule'
  is_autosave: boolean
  changed: string[]
  created_at: Date
}

type TaxonomyTable = {
  id: string
  name: string
  label: string
  hierarchical: boolean
  types: string[]
  version: Generated<number>
  created_at: Date
  updated_at: Date
  updated_by: string | null
}

type TermTable = {
  id: string
  taxonomy_id: string
  slug: string
  name: string
  description: string
  parent_id: string | null
  position: number
  version: Generated<number>
  created_at: Date
  updated_at: Date
  updated_by: string | null
}

type EntryTermTable = {
  entry_id: string
  term_id: string
}

type SiteSettingsTable = {
  is_only: Generated<boolean>
  settings: ColumnType<unknown, string, string>
  version: Generated<number>
  updated_at: Date
  updated_by: string | null
}

type MenuTable = {
  name: string
  label: string
  items: ColumnType<unknown, string, string>
  version: Generated<number>
  created_at: Date
  updated_at: Date
  updated_by: string | null
}

type MediaTable = {
  id: string
  filename: string
  blob_key: string
  mime_type: string
  size: number
  width: number | null
  height: number | null
  hash: string
  alt: string
  is_decorative: boolean
  caption: string
  folder: string
  focal_x: number
  focal_y: number
  words: string
  version: Generated<number>
  created_at: Date
  created_by: string | null
  updated_at: Date
  updated_by: string | null
}

type MediaAddressTable = {
  media_id: string
  hash: string
  filename: string
}

type RenditionTable = {
  media_id: string
  variant: string
  blob_key: string
  mime_type: string
  size: number
  created_at: Date
}

type DeliveryKeyTable = {
  id: string
  name: string
  key_hash: Buffer
  last4: string
  types: string[]
  version: Generated<number>
  created_at: Date
  created_by: string | null
  last_used_at: Date | null
  revoked_at: Date | null
  updated_at: Generated<Date>
  updated_by: string | null
}

type AgentKeyTable = {
  id: string
  account_id: string
  name: string
  key_hash: Buffer
  last4: string
  grants: string[]
  version: Generated<number>
  created_at: Date
  expires_at: Date
  last_used_at: Date | null
  revoked_at: Date | null
}

type ActivityTable = {
  id: string
  at: Date
  actor_kind: 'user' | 'agent' | 'system'
  actor_id: string | null
  actor_name: string
  via: 'session' | 'agent' | 'system' | 'assistant' | 'plugin'
  action: string
  target_kind: string
  target_id: string | null
  target_label: string
  changed: string[]
}

type HostDefinitionTable = {
  kind: 'visual' | 'website' | 'design'
  definition: ColumnType<unknown, string, string>
  stored_at: Date
}

type DesignSurfaceTable = {
  id: string
  version: Generated<number>
  updated_at: Date
  updated_by: string | null
}

type DesignOverrideTable = {
  surface_id: string
  key: string
  value: ColumnType<unknown, string, string>
  media_id: string | null
}

type PreviewTable = {
  token_hash: Buffer
  entry_id: string
  snapshot: ColumnType<unknown, string | null, string | null>
  bytes: number
  boot_id: string | null
  created_by: string | null
  created_at: Date
  last_used_at: Date
  expires_at: Date
}

type RealtimeTicketTable = {
  token_hash: Buffer
  kind: 'session' | 'delivery'
  session_id: string | null
  delivery_key_id: string | null
  expires_at: Date
}

type PresenceTable = {
  entry_id: string
  connection_id: string
  account_id: string
  since: Date
  expires_at: Date
  field: ColumnType<string | null, string | null | undefined>
  field_at: ColumnType<Date | null, Date | null | undefined>
}
