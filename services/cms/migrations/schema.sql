-- What the migrations beside this file make, written by `npm run schema`. A test compares the two.

set check_function_bodies = off;

create extension if not exists pg_trgm;
create extension if not exists unaccent;

create table account (
  id uuid not null,
  email text not null,
  name text not null,
  role text not null,
  password_hash text not null,
  version integer default 1 not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  updated_by uuid,
  deactivated_at timestamp with time zone,
  has_totp boolean default false not null,
  avatar_id uuid,
  constraint account_email_check CHECK (length(email) >= 3 AND length(email) <= 254),
  constraint account_name_check CHECK (length(name) >= 1 AND length(name) <= 200),
  constraint account_pkey PRIMARY KEY (id),
  constraint account_role_check CHECK (role = ANY (ARRAY['viewer'::text, 'author'::text, 'editor'::text, 'admin'::text, 'owner'::text]))
);

create table acme_account (
  directory text not null,
  sealed_key text not null,
  url text,
  failures integer default 0 not null,
  wait_until timestamp with time zone,
  lease_id uuid,
  leased_until timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint acme_account_pkey PRIMARY KEY (directory)
);

create table acme_challenge (
  token text not null,
  answer text not null,
  expires_at timestamp with time zone not null,
  constraint acme_challenge_pkey PRIMARY KEY (token)
);

create table activity (
  id uuid not null,
  at timestamp with time zone not null,
  actor_kind text not null,
  actor_id uuid,
  actor_name text not null,
  via text not null,
  action text not null,
  target_kind text not null,
  target_id text,
  target_label text not null,
  changed text[] not null,
  constraint activity_actor_kind_check CHECK (actor_kind = ANY (ARRAY['user'::text, 'agent'::text, 'system'::text])),
  constraint activity_pkey PRIMARY KEY (id),
  constraint activity_via_check CHECK (via = ANY (ARRAY['session'::text, 'agent'::text, 'system'::text, 'assistant'::text, 'plugin'::text]))
);

create table agent_key (
  id uuid not null,
  account_id uuid not null,
  name text not null,
  key_hash bytea not null,
  last4 text not null,
  grants text[] not null,
  version integer default 1 not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  revoked_at timestamp with time zone,
  constraint agent_key_key_hash_key UNIQUE (key_hash),
  constraint agent_key_pkey PRIMARY KEY (id)
);

create table ai_provider (
  id smallint default 1 not null,
  kind text,
  model text,
  base_url text,
  credential_from text,
  sealed text,
  last4 text,
  last_test jsonb,
  site_tokens_per_day bigint not null,
  user_tokens_per_day bigint not null,
  visitor_tokens_per_day bigint not null,
  context_tokens integer not null,
  compact_tools boolean default false not null,
  retention_days integer not null,
  version integer default 1 not null,
  updated_at timestamp with time zone not null,
  updated_by uuid,
  constraint ai_provider_credential_from_check CHECK (credential_from = ANY (ARRAY['key'::text, 'oauth'::text])),
  constraint ai_provider_id_check CHECK (id = 1),
  constraint ai_provider_kind_check CHECK (kind = ANY (ARRAY['a'::text, 'b'::text, 'local'::text, 'cloud'::text])),
  constraint ai_provider_pkey PRIMARY KEY (id)
);

create table ai_usage (
  day date not null,
  account_id uuid,
  feature text not null,
  tokens_in bigint default 0 not null,
  tokens_out bigint default 0 not null,
  calls bigint default 0 not null,
  constraint ai_usage_day_feature_account_id_key UNIQUE NULLS NOT DISTINCT (day, feature, account_id),
  constraint ai_usage_feature_check CHECK (feature = ANY (ARRAY['assistant'::text, 'field'::text, 'visitor'::text, 'test'::text]))
);

create table assistant_conversation (
  id uuid not null,
  account_id uuid not null,
  title text not null,
  turn_message_id uuid,
  turn_boot_id uuid,
  turn_lease_until timestamp with time zone,
  turn_stop_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint assistant_conversation_pkey PRIMARY KEY (id)
);

create table assistant_message (
  id uuid not null,
  conversation_id uuid not null,
  seq integer not null,
  role text not null,
  text text not null,
  parts jsonb default '[]'::jsonb not null,
  steps jsonb default '[]'::jsonb not null,
  kind text,
  model text,
  status text not null,
  stop text,
  error jsonb,
  tokens_in integer default 0 not null,
  tokens_out integer default 0 not null,
  client_id uuid,
  context jsonb,
  is_masked boolean default false not null,
  created_at timestamp with time zone not null,
  constraint assistant_message_conversation_id_client_id_key UNIQUE (conversation_id, client_id),
  constraint assistant_message_conversation_id_seq_key UNIQUE (conversation_id, seq),
  constraint assistant_message_pkey PRIMARY KEY (id),
  constraint assistant_message_role_check CHECK (role = ANY (ARRAY['user'::text, 'assistant'::text])),
  constraint assistant_message_status_check CHECK (status = ANY (ARRAY['streaming'::text, 'complete'::text, 'failed'::text, 'stopped'::text]))
);

create table assistant_proposal (
  id uuid not null,
  conversation_id uuid not null,
  message_id uuid not null,
  call_id text not null,
  account_id uuid not null,
  tool text not null,
  args jsonb not null,
  title text not null,
  reason text not null,
  permission text not null,
  risk text not null,
  verb text not null,
  warning text,
  target jsonb not null,
  requests jsonb not null,
  base jsonb not null,
  changes jsonb not null,
  status text not null,
  is_edited boolean default false not null,
  error jsonb,
  created_at timestamp with time zone not null,
  applied_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  constraint assistant_proposal_pkey PRIMARY KEY (id),
  constraint assistant_proposal_risk_check CHECK (risk = ANY (ARRAY['edit'::text, 'live'::text, 'irreversible'::text])),
  constraint assistant_proposal_status_check CHECK (status = ANY (ARRAY['proposed'::text, 'applied'::text, 'dismissed'::text, 'superseded'::text, 'failed'::text]))
);

create table backup_run (
  id text not null,
  destination text not null,
  started_at timestamp with time zone not null,
  lease_until timestamp with time zone not null,
  finished_at timestamp with time zone,
  error text,
  summary jsonb,
  constraint backup_run_pkey PRIMARY KEY (id)
);

create table certificate (
  name text not null,
  directory text not null,
  chain text,
  sealed_key text,
  not_before timestamp with time zone,
  not_after timestamp with time zone,
  next_attempt_at timestamp with time zone not null,
  attempted_at timestamp with time zone,
  failures integer default 0 not null,
  last_error text,
  created_at timestamp with time zone not null,
  constraint certificate_check CHECK (num_nulls(chain, sealed_key, not_before, not_after) = ANY (ARRAY[0, 4])),
  constraint certificate_pkey PRIMARY KEY (name)
);

create table content_type (
  name text not null,
  label text not null,
  label_plural text not null,
  description text not null,
  icon text not null,
  kind text not null,
  preview_url text,
  fields jsonb not null,
  version integer default 1 not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  updated_by uuid,
  search_version integer default 0 not null,
  search_synced integer default 0 not null,
  misfits text[] default '{}'::text[] not null,
  renames jsonb default '[]'::jsonb not null,
  templates_synced integer default 0 not null,
  constraint content_type_kind_check CHECK (kind = ANY (ARRAY['collection'::text, 'single'::text])),
  constraint content_type_pkey PRIMARY KEY (name)
);

create table delivery_key (
  id uuid not null,
  name text not null,
  key_hash bytea not null,
  last4 text not null,
  types text[] not null,
  version integer default 1 not null,
  created_at timestamp with time zone not null,
  created_by uuid,
  last_used_at timestamp with time zone,
  revoked_at timestamp with time zone,
  updated_at timestamp with time zone default now() not null,
  updated_by uuid,
  constraint delivery_key_key_hash_key UNIQUE (key_hash),
  constraint delivery_key_pkey PRIMARY KEY (id)
);

create table design_override (
  surface_id text not null,
  key text not null,
  value jsonb not null,
  media_id uuid,
  constraint design_override_pkey PRIMARY KEY (surface_id, key)
);

create table design_surface (
  id text not null,
  version integer default 1 not null,
  updated_at timestamp with time zone not null,
  updated_by uuid,
  constraint design_surface_pkey PRIMARY KEY (id)
);

create table entry (
  id uuid not null,
  type text not null,
  slug text not null,
  title text not null,
  data jsonb not null,
  status text not null,
  locale text not null,
  translation_of uuid,
  author_id uuid,
  pending jsonb,
  version integer default 1 not null,
  live_version integer,
  live_updated_at timestamp with time zone,
  published_at timestamp with time zone,
  publish_at timestamp with time zone,
  unpublish_at timestamp with time zone,
  deleted_at timestamp with time zone,
  deleted_by uuid,
  status_before_delete text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  updated_by uuid,
  constraint entry_pending_is_of_published CHECK (pending IS NULL OR status = 'published'::text),
  constraint entry_pkey PRIMARY KEY (id),
  constraint entry_status_check CHECK (status = ANY (ARRAY['draft'::text, 'published'::text]))
) with (toast_tuple_target=8160);

create table entry_count (
  type text not null,
  locale text not null,
  published integer not null,
  constraint entry_count_pkey PRIMARY KEY (type, locale)
);

create table entry_link (
  entry_id uuid not null,
  is_live boolean not null,
  kind text not null,
  target_id uuid not null,
  constraint entry_link_kind_check CHECK (kind = ANY (ARRAY['media'::text, 'entry'::text])),
  constraint entry_link_pkey PRIMARY KEY (entry_id, is_live, kind, target_id)
);

create table entry_old_slug (
  type text not null,
  slug text not null,
  entry_id uuid not null,
  left_at timestamp with time zone not null,
  constraint entry_old_slug_pkey PRIMARY KEY (type, slug, entry_id)
);

create table entry_search (
  entry_id uuid not null,
  public_document tsvector,
  full_document tsvector not null,
  words text not null,
  fields_version integer default 0 not null,
  misfits text[],
  pending_misfits text[],
  constraint entry_search_pkey PRIMARY KEY (entry_id)
);

create table entry_template (
  entry_id uuid not null,
  version integer not null,
  state text not null,
  template text not null,
  constraint entry_template_pkey PRIMARY KEY (entry_id)
) with (toast_tuple_target=8160);

create table entry_term (
  entry_id uuid not null,
  term_id uuid not null,
  constraint entry_term_pkey PRIMARY KEY (entry_id, term_id)
);

create table entry_unique (
  type text not null,
  key text not null,
  value text not null,
  entry_id uuid not null,
  constraint entry_unique_value_key PRIMARY KEY (type, key, value)
);

create table health_machine (
  machine text not null,
  roles text not null,
  writer text not null,
  checked_at timestamp with time zone not null,
  checks jsonb not null,
  constraint health_machine_pkey PRIMARY KEY (machine, roles)
);

create table health_report (
  is_only boolean default true not null,
  checked_at timestamp with time zone,
  checks jsonb default '[]'::jsonb not null,
  requested_at timestamp with time zone,
  constraint health_report_is_only_check CHECK (is_only),
  constraint health_report_pkey PRIMARY KEY (is_only)
);

create table host_definition (
  kind text not null,
  definition jsonb not null,
  stored_at timestamp with time zone not null,
  constraint host_definition_kind_check CHECK (kind = ANY (ARRAY['visual'::text, 'website'::text, 'design'::text])),
  constraint host_definition_pkey PRIMARY KEY (kind)
);

create table invitation (
  id uuid not null,
  email text not null,
  name text,
  role text not null,
  token_hash bytea not null,
  expires_at timestamp with time zone not null,
  is_sent boolean not null,
  version integer default 1 not null,
  created_at timestamp with time zone not null,
  created_by uuid not null,
  updated_at timestamp with time zone not null,
  updated_by uuid not null,
  constraint invitation_pkey PRIMARY KEY (id),
  constraint invitation_role_check CHECK (role = ANY (ARRAY['viewer'::text, 'author'::text, 'editor'::text, 'admin'::text, 'owner'::text])),
  constraint invitation_token_hash_check CHECK (length(token_hash) = 32),
  constraint invitation_token_hash_key UNIQUE (token_hash)
);

create table limit_counter (
  key bytea not null,
  window_start timestamp with time zone not null,
  window_ms bigint not null,
  is_sliding boolean not null,
  count bigint not null,
  previous bigint not null,
  ends_at timestamp with time zone not null,
  constraint limit_counter_count_check CHECK (count >= 0),
  constraint limit_counter_pkey PRIMARY KEY (key),
  constraint limit_counter_previous_check CHECK (previous >= 0),
  constraint limit_counter_window_ms_check CHECK (window_ms > 0)
);

create table login_limit (
  bucket bytea not null,
  failures integer not null,
  pending integer not null,
  ends_at timestamp with time zone not null,
  constraint login_limit_bucket_check CHECK (length(bucket) = 32),
  constraint login_limit_failures_check CHECK (failures >= 0),
  constraint login_limit_pending_check CHECK (pending >= 0),
  constraint login_limit_pkey PRIMARY KEY (bucket)
);

create table media (
  id uuid not null,
  filename text not null,
  blob_key text not null,
  mime_type text not null,
  size bigint not null,
  width integer,
  height integer,
  hash text not null,
  alt text not null,
  is_decorative boolean not null,
  caption text not null,
  folder text not null,
  focal_x real not null,
  focal_y real not null,
  words text not null,
  version integer default 1 not null,
  created_at timestamp with time zone not null,
  created_by uuid,
  updated_at timestamp with time zone not null,
  updated_by uuid,
  constraint media_pkey PRIMARY KEY (id)
);

create table media_address (
  media_id uuid not null,
  hash text not null,
  filename text not null,
  constraint media_address_pkey PRIMARY KEY (media_id, hash, filename)
);

create table menu (
  name text not null,
  label text not null,
  items jsonb not null,
  version integer default 1 not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  updated_by uuid,
  constraint menu_pkey PRIMARY KEY (name)
);

create table oauth_state (
  state_hash bytea not null,
  purpose text not null,
  subject text not null,
  sealed text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint oauth_state_pkey PRIMARY KEY (state_hash),
  constraint oauth_state_state_hash_check CHECK (length(state_hash) = 32)
);

create table password_reset (
  token_hash bytea not null,
  account_id uuid not null,
  email text not null,
  password_digest bytea not null,
  expires_at timestamp with time zone not null,
  constraint password_reset_password_digest_check CHECK (length(password_digest) = 32),
  constraint password_reset_pkey PRIMARY KEY (token_hash),
  constraint password_reset_token_hash_check CHECK (length(token_hash) = 32)
);

create table plugin (
  name text collate "C" not null,
  enabled boolean not null,
  manifest jsonb not null,
  hash text not null,
  approved jsonb,
  settings jsonb default '{}'::jsonb not null,
  deaths timestamp with time zone[] default '{}'::timestamp with time zone[] not null,
  last_error text,
  last_error_at timestamp with time zone,
  broken_hash text,
  version integer default 1 not null,
  installed_at timestamp with time zone,
  updated_at timestamp with time zone not null,
  updated_by uuid,
  constraint plugin_pkey PRIMARY KEY (name)
);

create table plugin_document (
  plugin text collate "C" not null,
  collection text collate "C" not null,
  id text collate "C" not null,
  value jsonb not null,
  indexed jsonb not null,
  version integer default 1 not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint plugin_document_pkey PRIMARY KEY (plugin, collection, id)
);

create table plugin_event (
  id text collate "C" not null,
  plugin text collate "C" not null,
  record text collate "C" not null,
  event text not null,
  payload jsonb not null,
  due_at timestamp with time zone,
  claims integer default 0 not null,
  attempts integer default 0 not null,
  created_at timestamp with time zone not null,
  chain integer default 0 not null,
  constraint plugin_event_pkey PRIMARY KEY (id)
);

create table plugin_file (
  plugin text collate "C" not null,
  path text collate "C" not null,
  bytes bytea not null,
  constraint plugin_file_pkey PRIMARY KEY (plugin, path)
);

create table plugin_run (
  id text collate "C" not null,
  plugin text collate "C" not null,
  at timestamp with time zone not null,
  kind text not null,
  name text not null,
  ms integer not null,
  outcome text not null,
  message text,
  lines jsonb default '[]'::jsonb not null,
  constraint plugin_run_kind_check CHECK (kind = ANY (ARRAY['start'::text, 'route'::text, 'event'::text, 'schedule'::text])),
  constraint plugin_run_outcome_check CHECK (outcome = ANY (ARRAY['done'::text, 'refused'::text, 'failed'::text])),
  constraint plugin_run_pkey PRIMARY KEY (id)
);

create table plugin_schedule (
  id text collate "C" not null,
  plugin text collate "C" not null,
  name text not null,
  every_ms bigint not null,
  due_at timestamp with time zone,
  claims integer default 0 not null,
  last_at timestamp with time zone,
  constraint plugin_schedule_pkey PRIMARY KEY (id)
);

create unlogged table presence (
  entry_id uuid not null,
  connection_id uuid not null,
  account_id uuid not null,
  since timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  field text,
  field_at timestamp with time zone,
  constraint presence_pkey PRIMARY KEY (entry_id, connection_id)
);

create unlogged table preview (
  token_hash bytea not null,
  entry_id uuid not null,
  snapshot jsonb,
  bytes integer not null,
  boot_id uuid,
  created_by uuid,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint preview_pkey PRIMARY KEY (token_hash)
);

create unlogged table realtime_ticket (
  token_hash bytea not null,
  kind text not null,
  session_id uuid,
  delivery_key_id uuid,
  expires_at timestamp with time zone not null,
  constraint realtime_ticket_kind_check CHECK (kind = ANY (ARRAY['session'::text, 'delivery'::text])),
  constraint realtime_ticket_pkey PRIMARY KEY (token_hash)
);

create table recovery_code (
  account_id uuid not null,
  code_hash bytea not null,
  constraint recovery_code_code_hash_check CHECK (length(code_hash) = 32),
  constraint recovery_code_pkey PRIMARY KEY (account_id, code_hash)
);

create table rendition (
  media_id uuid not null,
  variant text not null,
  blob_key text not null,
  mime_type text not null,
  size bigint not null,
  created_at timestamp with time zone not null,
  constraint rendition_pkey PRIMARY KEY (media_id, variant)
);

create table revision (
  id uuid not null,
  entry_id uuid not null,
  version integer not null,
  title text not null,
  slug text not null,
  data jsonb not null,
  status text not null,
  terms jsonb not null,
  author_id uuid,
  reason text not null,
  is_autosave boolean not null,
  changed text[] not null,
  created_at timestamp with time zone not null,
  constraint revision_pkey PRIMARY KEY (id),
  constraint revision_reason_check CHECK (reason = ANY (ARRAY['save'::text, 'publish'::text, 'restore'::text, 'assistant'::text, 'schedule'::text]))
);

create table search_chunk (
  entry_id uuid not null,
  n integer not null,
  type text not null,
  locale text not null,
  config text not null,
  title text not null,
  heading text not null,
  body text not null,
  words text not null,
  tsv tsvector not null,
  constraint search_chunk_pkey PRIMARY KEY (entry_id, n)
);

create table session (
  id uuid not null,
  account_id uuid not null,
  token_hash bytea not null,
  ip text not null,
  user_agent text,
  created_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  constraint session_pkey PRIMARY KEY (id),
  constraint session_token_hash_check CHECK (length(token_hash) = 32),
  constraint session_token_hash_key UNIQUE (token_hash)
);

create table site_settings (
  is_only boolean default true not null,
  settings jsonb not null,
  version integer default 1 not null,
  updated_at timestamp with time zone not null,
  updated_by uuid,
  constraint site_settings_is_only_check CHECK (is_only),
  constraint site_settings_pkey PRIMARY KEY (is_only)
);

create table social_account (
  id text collate "C" not null,
  network text not null,
  remote_id text not null,
  name text not null,
  handle text,
  avatar_url text,
  profile_url text,
  kind text not null,
  endpoints jsonb not null,
  client_id text not null,
  access_token_sealed text,
  refresh_token_sealed text,
  access_expires_at timestamp with time zone,
  refresh_expires_at timestamp with time zone,
  tokens_at timestamp with time zone not null,
  scopes text[] not null,
  missing_scopes text[] default '{}'::text[] not null,
  capabilities jsonb default '{}'::jsonb not null,
  capabilities_at timestamp with time zone,
  status text not null,
  status_reason text,
  status_since timestamp with time zone not null,
  paused_until timestamp with time zone,
  connected_by uuid,
  connected_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  version integer default 1 not null,
  updated_at timestamp with time zone not null,
  constraint social_account_kind_check CHECK (kind = ANY (ARRAY['page'::text, 'profile'::text, 'organization'::text, 'channel'::text])),
  constraint social_account_network_remote_id_key UNIQUE (network, remote_id),
  constraint social_account_pkey PRIMARY KEY (id),
  constraint social_account_status_check CHECK (status = ANY (ARRAY['active'::text, 'needs_reconnect'::text, 'disconnected'::text]))
);

create table social_app (
  network text not null,
  client_id text not null,
  secret_sealed text,
  secret_last4 text,
  enabled boolean not null,
  overrides jsonb default '{}'::jsonb not null,
  paused_until timestamp with time zone,
  version integer default 1 not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  updated_by uuid,
  constraint social_app_pkey PRIMARY KEY (network)
);

create table social_attempt (
  target_id text collate "C" not null,
  n integer not null,
  started_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  step text,
  outcome text,
  error jsonb,
  constraint social_attempt_pkey PRIMARY KEY (target_id, n)
);

create table social_post (
  id text collate "C" not null,
  caption text not null,
  captions jsonb default '{}'::jsonb not null,
  media jsonb default '[]'::jsonb not null,
  options jsonb default '{}'::jsonb not null,
  link text,
  note text,
  status text not null,
  scheduled_at timestamp with time zone,
  author_id uuid,
  version integer default 1 not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  updated_by uuid,
  deleted_at timestamp with time zone,
  constraint social_post_pkey PRIMARY KEY (id),
  constraint social_post_status_check CHECK (status = ANY (ARRAY['draft'::text, 'scheduled'::text, 'publishing'::text, 'posted'::text, 'partial'::text, 'failed'::text]))
);

create table social_post_media (
  post_id text collate "C" not null,
  media_id uuid not null,
  constraint social_post_media_pkey PRIMARY KEY (post_id, media_id)
);

create table social_rendition (
  token_hash bytea not null,
  target_id text collate "C" not null,
  blob_key text not null,
  mime_type text not null,
  size bigint not null,
  width integer not null,
  height integer not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone,
  constraint social_rendition_pkey PRIMARY KEY (token_hash),
  constraint social_rendition_token_hash_check CHECK (length(token_hash) = 32)
);

create table social_target (
  id text collate "C" not null,
  post_id text collate "C" not null,
  account_id text collate "C" not null,
  network text not null,
  status text not null,
  caption text not null,
  options jsonb default '{}'::jsonb not null,
  due_at timestamp with time zone,
  step text,
  progress jsonb default '{}'::jsonb not null,
  attempts integer default 0 not null,
  next_attempt_at timestamp with time zone,
  fence integer default 0 not null,
  started_at timestamp with time zone,
  waiting_since timestamp with time zone,
  polls integer default 0 not null,
  is_unsure boolean default false not null,
  remote_id text,
  url text,
  posted_at timestamp with time zone,
  look_again_at timestamp with time zone,
  looks integer default 0 not null,
  error jsonb,
  warnings text[] default '{}'::text[] not null,
  idempotency_key text not null,
  content_hash bytea not null,
  is_urgent boolean default false not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint social_target_check CHECK ((status = ANY (ARRAY['scheduled'::text, 'publishing'::text])) <= (next_attempt_at IS NOT NULL)),
  constraint social_target_check1 CHECK ((status = ANY (ARRAY['draft'::text, 'posted'::text])) <= (next_attempt_at IS NULL)),
  constraint social_target_pkey PRIMARY KEY (id),
  constraint social_target_post_id_account_id_key UNIQUE (post_id, account_id),
  constraint social_target_status_check CHECK (status = ANY (ARRAY['draft'::text, 'scheduled'::text, 'publishing'::text, 'posted'::text, 'failed'::text])),
  constraint social_target_step_check CHECK (step = ANY (ARRAY['prepare'::text, 'upload'::text, 'wait'::text, 'committing'::text, 'confirm'::text]))
);

create table taxonomy (
  id uuid not null,
  name text not null,
  label text not null,
  hierarchical boolean not null,
  types text[] not null,
  version integer default 1 not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  updated_by uuid,
  constraint taxonomy_name_key UNIQUE (name),
  constraint taxonomy_pkey PRIMARY KEY (id)
);

create table term (
  id uuid not null,
  taxonomy_id uuid not null,
  slug text not null,
  name text not null,
  description text not null,
  parent_id uuid,
  "position" integer not null,
  version integer default 1 not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  updated_by uuid,
  constraint term_pkey PRIMARY KEY (id),
  constraint term_slug_key UNIQUE (taxonomy_id, slug)
);

create table two_factor (
  account_id uuid not null,
  secret_sealed text not null,
  started_at timestamp with time zone not null,
  last_step bigint,
  constraint two_factor_pkey PRIMARY KEY (account_id)
);

create table visitor_question (
  id uuid not null,
  question_hash bytea not null,
  question text not null,
  locale text not null,
  found boolean not null,
  sources jsonb not null,
  count bigint not null,
  asked_at timestamp with time zone not null,
  constraint visitor_question_pkey PRIMARY KEY (id),
  constraint visitor_question_question_hash_locale_found_key UNIQUE (question_hash, locale, found)
);

create table visitor_settings (
  is_only boolean default true not null,
  settings jsonb not null,
  version integer not null,
  updated_at timestamp with time zone not null,
  updated_by uuid,
  constraint visitor_settings_is_only_check CHECK (is_only),
  constraint visitor_settings_pkey PRIMARY KEY (is_only)
);

create table webhook_attempt (
  id text collate "C" not null,
  delivery_id text collate "C" not null,
  attempt integer not null,
  sent_at timestamp with time zone not null,
  duration_ms integer not null,
  response_status integer,
  response_body text,
  error text,
  constraint webhook_attempt_delivery_id_attempt_key UNIQUE (delivery_id, attempt),
  constraint webhook_attempt_pkey PRIMARY KEY (id)
);

create table webhook_delivery (
  id text collate "C" not null,
  endpoint_id text collate "C" not null,
  owner text not null,
  type text not null,
  payload text not null,
  status text not null,
  is_test boolean default false not null,
  attempts integer default 0 not null,
  retries integer default 0 not null,
  next_attempt_at timestamp with time zone,
  last_attempt_at timestamp with time zone,
  response_status integer,
  response_body text,
  error text,
  duration_ms integer,
  created_at timestamp with time zone not null,
  constraint webhook_delivery_check CHECK ((status = ANY (ARRAY['pending'::text, 'attempting'::text])) = (next_attempt_at IS NOT NULL)),
  constraint webhook_delivery_pkey PRIMARY KEY (id),
  constraint webhook_delivery_status_check CHECK (status = ANY (ARRAY['pending'::text, 'attempting'::text, 'success'::text, 'failed'::text]))
);

create table webhook_endpoint (
  id text collate "C" not null,
  owner text not null,
  url text not null,
  events text[] not null,
  details jsonb default '{}'::jsonb not null,
  secret_sealed text not null,
  secret_hint text not null,
  status text default 'enabled'::text not null,
  disabled_reason text,
  failing_since timestamp with time zone,
  consecutive_failures integer default 0 not null,
  last_success_at timestamp with time zone,
  version integer default 1 not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint webhook_endpoint_check CHECK ((status = 'disabled'::text) = (disabled_reason IS NOT NULL)),
  constraint webhook_endpoint_disabled_reason_check CHECK (disabled_reason = ANY (ARRAY['owner'::text, 'gone'::text, 'failing'::text])),
  constraint webhook_endpoint_events_check CHECK (cardinality(events) > 0),
  constraint webhook_endpoint_pkey PRIMARY KEY (id),
  constraint webhook_endpoint_status_check CHECK (status = ANY (ARRAY['enabled'::text, 'disabled'::text]))
);

CREATE UNIQUE INDEX account_email_key ON account USING btree (lower(email COLLATE "C")) WHERE deactivated_at IS NULL;
CREATE INDEX account_updated_by_idx ON account USING btree (updated_by);
CREATE INDEX activity_actor_idx ON activity USING btree (actor_id);
CREATE INDEX activity_at_idx ON activity USING btree (at DESC, id DESC);
CREATE INDEX activity_target_idx ON activity USING btree (target_kind, target_id);
CREATE INDEX agent_key_account_idx ON agent_key USING btree (account_id);
CREATE INDEX assistant_conversation_age ON assistant_conversation USING btree (updated_at);
CREATE INDEX assistant_conversation_own ON assistant_conversation USING btree (account_id, updated_at DESC, id);
CREATE INDEX assistant_conversation_running ON assistant_conversation USING btree (turn_lease_until) WHERE turn_message_id IS NOT NULL;
CREATE INDEX assistant_proposal_conversation ON assistant_proposal USING btree (conversation_id, created_at, id);
CREATE INDEX assistant_proposal_open ON assistant_proposal USING btree (account_id, created_at DESC, id) WHERE status = 'proposed'::text;
CREATE UNIQUE INDEX backup_run_one ON backup_run USING btree ((true)) WHERE finished_at IS NULL;
CREATE INDEX backup_run_started ON backup_run USING btree (started_at);
CREATE INDEX certificate_attempted ON certificate USING btree (attempted_at) WHERE attempted_at IS NOT NULL;
CREATE INDEX certificate_due ON certificate USING btree (next_attempt_at);
CREATE INDEX design_override_media ON design_override USING btree (media_id) WHERE media_id IS NOT NULL;
CREATE INDEX entry_author_idx ON entry USING btree (author_id);
CREATE INDEX entry_delivery_created_idx ON entry USING btree (type, created_at, id) WHERE status = 'published'::text AND deleted_at IS NULL;
CREATE INDEX entry_delivery_idx ON entry USING btree (type, published_at DESC NULLS LAST, id) WHERE status = 'published'::text AND deleted_at IS NULL;
CREATE INDEX entry_delivery_locale_idx ON entry USING btree (type, locale, published_at DESC NULLS LAST, id) WHERE status = 'published'::text AND deleted_at IS NULL;
CREATE INDEX entry_delivery_title_idx ON entry USING btree (type, title, id) WHERE status = 'published'::text AND deleted_at IS NULL;
CREATE INDEX entry_delivery_updated_idx ON entry USING btree (type, live_updated_at, id) WHERE status = 'published'::text AND deleted_at IS NULL;
CREATE INDEX entry_publish_at_idx ON entry USING btree (publish_at) WHERE publish_at IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX entry_recent_idx ON entry USING btree (type, updated_at DESC, id) WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX entry_slug_key ON entry USING btree (type, slug) WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX entry_translation_key ON entry USING btree (translation_of, locale) WHERE translation_of IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX entry_trash_idx ON entry USING btree (deleted_at DESC, id) WHERE deleted_at IS NOT NULL;
CREATE INDEX entry_unpublish_at_idx ON entry USING btree (unpublish_at) WHERE unpublish_at IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX entry_link_target_idx ON entry_link USING btree (target_id, kind);
CREATE INDEX entry_old_slug_entry_idx ON entry_old_slug USING btree (entry_id);
CREATE INDEX entry_search_full_idx ON entry_search USING gin (full_document);
CREATE INDEX entry_search_public_idx ON entry_search USING gin (public_document);
CREATE INDEX entry_search_words_idx ON entry_search USING gin (words gin_trgm_ops);
CREATE INDEX entry_term_term_idx ON entry_term USING btree (term_id, entry_id);
CREATE INDEX entry_unique_entry_id_idx ON entry_unique USING btree (entry_id);
CREATE UNIQUE INDEX invitation_email_key ON invitation USING btree (lower(email COLLATE "C"));
CREATE INDEX invitation_expires_at_idx ON invitation USING btree (expires_at);
CREATE INDEX limit_counter_ends_at ON limit_counter USING btree (ends_at);
CREATE INDEX login_limit_ends_at_idx ON login_limit USING btree (ends_at);
CREATE INDEX media_blob_idx ON media USING btree (blob_key);
CREATE INDEX media_folder_idx ON media USING btree (folder);
CREATE INDEX media_recent_idx ON media USING btree (created_at DESC, id);
CREATE INDEX media_words_idx ON media USING gin (words gin_trgm_ops);
CREATE INDEX oauth_state_expires_at ON oauth_state USING btree (expires_at);
CREATE INDEX password_reset_account_id_idx ON password_reset USING btree (account_id);
CREATE INDEX password_reset_expires_at_idx ON password_reset USING btree (expires_at);
CREATE INDEX plugin_event_plugin ON plugin_event USING btree (plugin, due_at, id);
CREATE INDEX plugin_event_waiting ON plugin_event USING btree (record, id) WHERE due_at IS NOT NULL;
CREATE INDEX plugin_run_newest ON plugin_run USING btree (plugin, id DESC);
CREATE INDEX plugin_schedule_due ON plugin_schedule USING btree (plugin, due_at, id) WHERE due_at IS NOT NULL;
CREATE INDEX preview_entry_idx ON preview USING btree (entry_id);
CREATE INDEX rendition_blob_idx ON rendition USING btree (blob_key);
CREATE INDEX revision_entry_idx ON revision USING btree (entry_id, version DESC, id DESC);
CREATE INDEX search_chunk_tsv_idx ON search_chunk USING gin (tsv);
CREATE INDEX search_chunk_words_idx ON search_chunk USING gin (words gin_trgm_ops);
CREATE INDEX session_account_id_idx ON session USING btree (account_id);
CREATE INDEX session_expires_at_idx ON session USING btree (expires_at);
CREATE INDEX social_post_newest ON social_post USING btree (created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX social_post_status ON social_post USING btree (status, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX social_post_media_media ON social_post_media USING btree (media_id);
CREATE INDEX social_rendition_expires_at ON social_rendition USING btree (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX social_rendition_target ON social_rendition USING btree (target_id);
CREATE INDEX social_target_calendar ON social_target USING btree (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX social_target_content ON social_target USING btree (account_id, content_hash);
CREATE INDEX social_target_due ON social_target USING btree (account_id, next_attempt_at, id) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX social_target_look_again ON social_target USING btree (look_again_at) WHERE look_again_at IS NOT NULL;
CREATE INDEX social_target_posted ON social_target USING btree (posted_at) WHERE posted_at IS NOT NULL;
CREATE UNIQUE INDEX social_target_publishing ON social_target USING btree (account_id) WHERE status = 'publishing'::text;
CREATE INDEX term_parent_idx ON term USING btree (parent_id);
CREATE INDEX visitor_question_asked_idx ON visitor_question USING btree (asked_at DESC, id DESC);
CREATE INDEX webhook_delivery_age ON webhook_delivery USING btree (created_at) WHERE next_attempt_at IS NULL;
CREATE INDEX webhook_delivery_due ON webhook_delivery USING btree (endpoint_id, next_attempt_at, id) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX webhook_delivery_endpoint ON webhook_delivery USING btree (endpoint_id, created_at DESC, id DESC);
CREATE INDEX webhook_delivery_finished ON webhook_delivery USING btree (endpoint_id, created_at DESC, id DESC) WHERE next_attempt_at IS NULL;
CREATE INDEX webhook_delivery_owner ON webhook_delivery USING btree (owner, created_at DESC, id DESC);
CREATE INDEX webhook_endpoint_owner ON webhook_endpoint USING btree (owner, created_at, id);

alter table account add constraint account_avatar_id_fkey FOREIGN KEY (avatar_id) REFERENCES media(id) ON DELETE SET NULL;
alter table account add constraint account_updated_by_fkey FOREIGN KEY (updated_by) REFERENCES account(id);
alter table agent_key add constraint agent_key_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id);
alter table ai_provider add constraint ai_provider_updated_by_fkey FOREIGN KEY (updated_by) REFERENCES account(id);
alter table ai_usage add constraint ai_usage_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id);
alter table assistant_conversation add constraint assistant_conversation_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id);
alter table assistant_message add constraint assistant_message_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES assistant_conversation(id) ON DELETE CASCADE;
alter table assistant_proposal add constraint assistant_proposal_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id);
alter table assistant_proposal add constraint assistant_proposal_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES assistant_conversation(id) ON DELETE CASCADE;
alter table content_type add constraint content_type_updated_by_fkey FOREIGN KEY (updated_by) REFERENCES account(id);
alter table delivery_key add constraint delivery_key_created_by_fkey FOREIGN KEY (created_by) REFERENCES account(id);
alter table delivery_key add constraint delivery_key_updated_by_fkey FOREIGN KEY (updated_by) REFERENCES account(id);
alter table design_override add constraint design_override_media_id_fkey FOREIGN KEY (media_id) REFERENCES media(id) DEFERRABLE INITIALLY DEFERRED;
alter table design_override add constraint design_override_surface_id_fkey FOREIGN KEY (surface_id) REFERENCES design_surface(id);
alter table design_surface add constraint design_surface_updated_by_fkey FOREIGN KEY (updated_by) REFERENCES account(id);
alter table entry add constraint entry_author_id_fkey FOREIGN KEY (author_id) REFERENCES account(id);
alter table entry add constraint entry_deleted_by_fkey FOREIGN KEY (deleted_by) REFERENCES account(id);
alter table entry add constraint entry_translation_of_fkey FOREIGN KEY (translation_of) REFERENCES entry(id);
alter table entry add constraint entry_type_fkey FOREIGN KEY (type) REFERENCES content_type(name);
alter table entry add constraint entry_updated_by_fkey FOREIGN KEY (updated_by) REFERENCES account(id);
alter table entry_count add constraint entry_count_type_fkey FOREIGN KEY (type) REFERENCES content_type(name) ON DELETE CASCADE;
alter table entry_link add constraint entry_link_entry_id_fkey FOREIGN KEY (entry_id) REFERENCES entry(id) ON DELETE CASCADE;
alter table entry_old_slug add constraint entry_old_slug_entry_id_fkey FOREIGN KEY (entry_id) REFERENCES entry(id) ON DELETE CASCADE;
alter table entry_old_slug add constraint entry_old_slug_type_fkey FOREIGN KEY (type) REFERENCES content_type(name) ON DELETE CASCADE;
alter table entry_search add constraint entry_search_entry_id_fkey FOREIGN KEY (entry_id) REFERENCES entry(id) ON DELETE CASCADE;
alter table entry_template add constraint entry_template_entry_id_fkey FOREIGN KEY (entry_id) REFERENCES entry(id) ON DELETE CASCADE;
alter table entry_term add constraint entry_term_entry_id_fkey FOREIGN KEY (entry_id) REFERENCES entry(id) ON DELETE CASCADE;
alter table entry_term add constraint entry_term_term_id_fkey FOREIGN KEY (term_id) REFERENCES term(id) ON DELETE CASCADE;
alter table entry_unique add constraint entry_unique_entry_id_fkey FOREIGN KEY (entry_id) REFERENCES entry(id) ON DELETE CASCADE;
alter table entry_unique add constraint entry_unique_type_fkey FOREIGN KEY (type) REFERENCES content_type(name) ON DELETE CASCADE;
alter table invitation add constraint invitation_created_by_fkey FOREIGN KEY (created_by) REFERENCES account(id);
alter table invitation add constraint invitation_updated_by_fkey FOREIGN KEY (updated_by) REFERENCES account(id);
alter table media add constraint media_created_by_fkey FOREIGN KEY (created_by) REFERENCES account(id);
alter table media add constraint media_updated_by_fkey FOREIGN KEY (updated_by) REFERENCES account(id);
alter table media_address add constraint media_address_media_id_fkey FOREIGN KEY (media_id) REFERENCES media(id) ON DELETE CASCADE;
alter table menu add constraint menu_updated_by_fkey FOREIGN KEY (updated_by) REFERENCES account(id);
alter table password_reset add constraint password_reset_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id);
alter table plugin add constraint plugin_updated_by_fkey FOREIGN KEY (updated_by) REFERENCES account(id);
alter table plugin_document add constraint plugin_document_plugin_fkey FOREIGN KEY (plugin) REFERENCES plugin(name) ON DELETE CASCADE;
alter table plugin_event add constraint plugin_event_plugin_fkey FOREIGN KEY (plugin) REFERENCES plugin(name) ON DELETE CASCADE;
alter table plugin_file add constraint plugin_file_plugin_fkey FOREIGN KEY (plugin) REFERENCES plugin(name) ON DELETE CASCADE;
alter table plugin_run add constraint plugin_run_plugin_fkey FOREIGN KEY (plugin) REFERENCES plugin(name) ON DELETE CASCADE;
alter table plugin_schedule add constraint plugin_schedule_plugin_fkey FOREIGN KEY (plugin) REFERENCES plugin(name) ON DELETE CASCADE;
alter table preview add constraint preview_created_by_fkey FOREIGN KEY (created_by) REFERENCES account(id);
alter table preview add constraint preview_entry_id_fkey FOREIGN KEY (entry_id) REFERENCES entry(id) ON DELETE CASCADE;
alter table recovery_code add constraint recovery_code_account_id_fkey FOREIGN KEY (account_id) REFERENCES two_factor(account_id) ON DELETE CASCADE;
alter table rendition add constraint rendition_media_id_fkey FOREIGN KEY (media_id) REFERENCES media(id) ON DELETE CASCADE;
alter table revision add constraint revision_author_id_fkey FOREIGN KEY (author_id) REFERENCES account(id);
alter table revision add constraint revision_entry_id_fkey FOREIGN KEY (entry_id) REFERENCES entry(id) ON DELETE CASCADE;
alter table search_chunk add constraint search_chunk_entry_id_fkey FOREIGN KEY (entry_id) REFERENCES entry(id) ON DELETE CASCADE;
alter table session add constraint session_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id);
alter table site_settings add constraint site_settings_updated_by_fkey FOREIGN KEY (updated_by) REFERENCES account(id);
alter table social_account add constraint social_account_connected_by_fkey FOREIGN KEY (connected_by) REFERENCES account(id);
alter table social_app add constraint social_app_updated_by_fkey FOREIGN KEY (updated_by) REFERENCES account(id);
alter table social_attempt add constraint social_attempt_target_id_fkey FOREIGN KEY (target_id) REFERENCES social_target(id) ON DELETE CASCADE;
alter table social_post add constraint social_post_author_id_fkey FOREIGN KEY (author_id) REFERENCES account(id);
alter table social_post add constraint social_post_updated_by_fkey FOREIGN KEY (updated_by) REFERENCES account(id);
alter table social_post_media add constraint social_post_media_media_id_fkey FOREIGN KEY (media_id) REFERENCES media(id) ON DELETE CASCADE;
alter table social_post_media add constraint social_post_media_post_id_fkey FOREIGN KEY (post_id) REFERENCES social_post(id) ON DELETE CASCADE;
alter table social_rendition add constraint social_rendition_target_id_fkey FOREIGN KEY (target_id) REFERENCES social_target(id) ON DELETE CASCADE;
alter table social_target add constraint social_target_account_id_fkey FOREIGN KEY (account_id) REFERENCES social_account(id);
alter table social_target add constraint social_target_post_id_fkey FOREIGN KEY (post_id) REFERENCES social_post(id) ON DELETE CASCADE;
alter table taxonomy add constraint taxonomy_updated_by_fkey FOREIGN KEY (updated_by) REFERENCES account(id);
alter table term add constraint term_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES term(id);
alter table term add constraint term_taxonomy_id_fkey FOREIGN KEY (taxonomy_id) REFERENCES taxonomy(id) ON DELETE CASCADE;
alter table term add constraint term_updated_by_fkey FOREIGN KEY (updated_by) REFERENCES account(id);
alter table two_factor add constraint two_factor_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id);
alter table visitor_settings add constraint visitor_settings_updated_by_fkey FOREIGN KEY (updated_by) REFERENCES account(id);
alter table webhook_attempt add constraint webhook_attempt_delivery_id_fkey FOREIGN KEY (delivery_id) REFERENCES webhook_delivery(id) ON DELETE CASCADE;
alter table webhook_delivery add constraint webhook_delivery_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoint(id) ON DELETE CASCADE;
