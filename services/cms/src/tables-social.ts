import type { ColumnType, Generated } from 'kysely'

/** Tables of social publishing. */
export type SocialTables = {
  social_app: SocialAppTable
  social_account: SocialAccountTable
  social_post: SocialPostTable
  social_post_media: SocialPostMediaTable
  social_target: SocialTargetTable
  social_attempt: SocialAttemptTable
  social_rendition: SocialRenditionTable
}

type SocialAppTable = {
  network: string
  client_id: string
  secret_sealed: string | null
  secret_last4: string | null
  enabled: boolean
  overrides: ColumnType<unknown, string, string>
  paused_until: Date | null
  version: Generated<number>
  created_at: Date
  updated_at: Date
  updated_by: string | null
}

type SocialAccountTable = {
  id: string
  network: string
  remote_id: string
  name: string
  handle: string | null
  avatar_url: string | null
  profile_url: string | null
  kind: 'page' | 'profile' | 'organization' | 'channel'
  endpoints: ColumnType<unknown, string, string>
  client_id: string
  access_token_sealed: string | null
  refresh_token_sealed: string | null
  access_expires_at: Date | null
  refresh_expires_at: Date | null
  tokens_at: Date
  scopes: string[]
  missing_scopes: Generated<string[]>
  capabilities: ColumnType<unknown, string, string>
  capabilities_at: Date | null
  status: 'active' | 'needs_reconnect' | 'disconnected'
  status_reason: string | null
  status_since: Date
  paused_until: Date | null
  connected_by: string | null
  connected_at: Date
  last_used_at: Date | null
  version: Generated<number>
  updated_at: Date
}

type SocialPostTable = {
  id: string
  caption: string
  captions: ColumnType<unknown, string, string>
  media: ColumnType<unknown, string, string>
  options: ColumnType<unknown, string, string>
  link: string | null
  note: string | null
  status: 'draft' | 'scheduled' | 'publishing' | 'posted' | 'partial' | 'failed'
  scheduled_at: Date | null
  author_id: string | null
  version: Generated<number>
  created_at: Date
  updated_at: Date
  updated_by: string | null
  deleted_at: Date | null
}

type SocialPostMediaTable = {
  post_id: string
  media_id: string
}

type SocialTargetTable = {
  id: string
  post_id: string
  account_id: string
  network: string
  status: 'draft' | 'scheduled' | 'publishing' | 'posted' | 'failed'
  caption: string
  options: ColumnType<unknown, string, string>
  due_at: Date | null
  step: 'prepare' | 'upload' | 'wait' | 'committing' | 'confirm' | null
  progress: ColumnType<unknown, string, string>
  attempts: Generated<number>
  next_attempt_at: Date | null
  fence: Generated<number>
  started_at: Date | null
  waiting_since: Date | null
  polls: Generated<number>
  is_unsure: Generated<boolean>
  remote_id: string | null
  url: string | null
  posted_at: Date | null
  look_again_at: Date | null
  looks: Generated<number>
  error: ColumnType<unknown, string | null, string | null>
  warnings: Generated<string[]>
  idempotency_key: string
  content_hash: Buffer
  is_urgent: Generated<boolean>
  created_at: Date
  updated_at: Date
}

type SocialAttemptTable = {
  target_id: string
  n: number
  started_at: Date
  ended_at: Date | null
  step: string | null
  outcome: string | null
  error: ColumnType<unknown, string | null, string | null>
}

type SocialRenditionTable = {
  token_hash: Buffer
  target_id: string
  blob_key: string
  mime_type: string
  size: number
  width: number
  height: number
  created_at: Date
  expires_at: Date | null
}
