-- What the migrations beside this file make, written by `npm run schema`. A test compares the two.

set check_function_bodies = off;

create extension if not exists btree_gin;
create extension if not exists pg_trgm;

create table account (
  id uuid not null,
  email text not null,
  email_verified_at timestamp with time zone,
  pending_email text,
  password_hash text not null,
  name text,
  company text,
  role text not null,
  timezone text default 'UTC'::text not null,
  locale text default 'en'::text not null,
  notifications jsonb default '{}'::jsonb not null,
  referral_code text not null,
  referred_by uuid,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  last_login_at timestamp with time zone,
  plan text default 'unlimited'::text not null,
  suspended_at timestamp with time zone,
  totp_enabled_at timestamp with time zone,
  deleted_at timestamp with time zone,
  weekly_summary_at timestamp with time zone,
  bounce_suppression_days integer default 90,
  past_due_at timestamp with time zone,
  granted_plan text,
  limits jsonb default '{}'::jsonb not null,
  suspended_reason text,
  constraint account_bounce_suppression_days_check CHECK (bounce_suppression_days >= 1 AND bounce_suppression_days <= 3650),
  constraint account_email_check CHECK (email = lower(email) AND length(email) <= 254),
  constraint account_email_key UNIQUE (email),
  constraint account_pending_email_check CHECK (pending_email = lower(pending_email) AND length(pending_email) <= 254),
  constraint account_pkey PRIMARY KEY (id),
  constraint account_referral_code_key UNIQUE (referral_code),
  constraint account_role_check CHECK (role = ANY (ARRAY['owner'::text, 'member'::text]))
);

create table account_token (
  account_id uuid not null,
  purpose text not null,
  token_hash bytea not null,
  email text not null,
  expires_at timestamp with time zone not null,
  constraint account_token_pkey PRIMARY KEY (account_id, purpose),
  constraint account_token_purpose_check CHECK (purpose = ANY (ARRAY['verify'::text, 'email_change'::text, 'reset'::text])),
  constraint account_token_token_hash_key UNIQUE (token_hash)
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
  address_id uuid not null,
  id uuid not null,
  type text not null,
  direction text,
  sender text,
  recipient text,
  subject text,
  message_id text,
  size_bytes bigint,
  remote_ip inet,
  result text,
  created_at timestamp with time zone not null,
  constraint activity_direction_check CHECK (direction = ANY (ARRAY['in'::text, 'out'::text])),
  constraint activity_pkey PRIMARY KEY (address_id, id),
  constraint activity_type_check CHECK (type = ANY (ARRAY['received'::text, 'sent'::text, 'rejected'::text, 'bounced'::text, 'deferred'::text, 'spam'::text, 'login'::text, 'login_failed'::text, 'filter_error'::text]))
);

create table address (
  id uuid not null,
  account_id uuid not null,
  domain_id uuid not null,
  local_part text not null,
  email text not null,
  name text,
  password_hash text not null,
  enabled boolean default true not null,
  send_enabled boolean default true not null,
  quota_bytes bigint,
  forward_to text[] default '{}'::text[] not null,
  keep_copy boolean default true not null,
  recovery_email text,
  spam_threshold real default 5 not null,
  require_app_password boolean default false not null,
  last_login_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  purge_at timestamp with time zone,
  kept jsonb,
  digest text default 'off'::text not null,
  digest_at timestamp with time zone,
  constraint address_digest_check CHECK (digest = ANY (ARRAY['off'::text, 'daily'::text, 'weekly'::text])),
  constraint address_email_check CHECK (email = lower(email) AND length(email) <= 254),
  constraint address_pkey PRIMARY KEY (id),
  constraint address_quota_bytes_check CHECK (quota_bytes >= 0)
);

create table address_name (
  domain_id uuid not null,
  local_part text not null,
  address_id uuid not null,
  kind text not null,
  constraint address_name_kind_check CHECK (kind = ANY (ARRAY['address'::text, 'alias'::text, 'pattern'::text])),
  constraint address_name_local_part_check CHECK (local_part = lower(local_part) AND length(local_part) <= 64),
  constraint address_name_pkey PRIMARY KEY (domain_id, local_part)
);

create table api_key (
  account_id uuid not null,
  id uuid not null,
  name text not null,
  permission text not null,
  domain_id uuid,
  token_hash bytea not null,
  token_prefix text not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  constraint api_key_domain_check CHECK (domain_id IS NULL OR permission = 'sending_access'::text),
  constraint api_key_permission_check CHECK (permission = ANY (ARRAY['full_access'::text, 'sending_access'::text])),
  constraint api_key_pkey PRIMARY KEY (account_id, id),
  constraint api_key_token_hash_key UNIQUE (token_hash)
);

create table app_password (
  address_id uuid not null,
  id uuid not null,
  name text not null,
  scopes text[] not null,
  token_hash bytea not null,
  token_prefix text not null,
  last_used_at timestamp with time zone,
  last_used_ip inet,
  expires_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint app_password_pkey PRIMARY KEY (address_id, id),
  constraint app_password_token_hash_key UNIQUE (token_hash)
);

create table audit (
  id uuid not null,
  actor text not null,
  action text not null,
  target text,
  detail jsonb not null,
  created_at timestamp with time zone not null,
  constraint audit_pkey PRIMARY KEY (id)
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

create table billing_change (
  account_id uuid not null,
  holder uuid,
  held_until timestamp with time zone not null,
  intent text,
  key uuid,
  tried_at timestamp with time zone,
  constraint billing_change_pkey PRIMARY KEY (account_id)
);

create table billing_customer (
  account_id uuid not null,
  reference text not null,
  balance_cents bigint default 0 not null,
  sync_due_at timestamp with time zone,
  sync_claims integer default 0 not null,
  sync_attempts integer default 0 not null,
  sync_error text,
  readings integer default 0 not null,
  reading_written integer default 0 not null,
  synced_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint billing_customer_pkey PRIMARY KEY (account_id),
  constraint billing_customer_reference_key UNIQUE (reference)
);

create table blob_link (
  owner_id uuid not null,
  blob_key text not null,
  kind text not null,
  ref_id uuid not null,
  size bigint not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone,
  constraint blob_link_kind_check CHECK (kind = ANY (ARRAY['message'::text, 'upload'::text, 'queue'::text, 'email'::text, 'export'::text, 'deleted'::text])),
  constraint blob_link_pkey PRIMARY KEY (owner_id, blob_key, kind, ref_id)
);

create table bulk_batch (
  address_id uuid not null,
  job_id uuid not null,
  ordinal integer not null,
  message_ids uuid[] not null,
  constraint bulk_batch_pkey PRIMARY KEY (address_id, job_id, ordinal)
);

create table bulk_job (
  address_id uuid not null,
  id uuid not null,
  action jsonb not null,
  status text not null,
  total integer not null,
  done integer default 0 not null,
  not_found integer default 0 not null,
  error text,
  attempts integer default 0 not null,
  next_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  constraint bulk_job_pkey PRIMARY KEY (address_id, id),
  constraint bulk_job_status_check CHECK (status = ANY (ARRAY['running'::text, 'completed'::text, 'failed'::text]))
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

create table change (
  address_id uuid not null,
  kind text not null,
  modseq bigint not null,
  object_id uuid not null,
  op text not null,
  constraint change_kind_check CHECK (kind = ANY (ARRAY['folder'::text, 'folder_counts'::text, 'message'::text, 'thread'::text, 'submission'::text, 'identity'::text, 'vacation'::text, 'script'::text, 'quota'::text])),
  constraint change_op_check CHECK (op = ANY (ARRAY['created'::text, 'updated'::text, 'destroyed'::text])),
  constraint change_pkey PRIMARY KEY (address_id, kind, modseq, object_id)
);

create table checkout (
  account_id uuid not null,
  id uuid not null,
  mode text not null,
  plan text,
  success_url text not null,
  cancel_url text not null,
  reference text,
  url text,
  status text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint checkout_mode_check CHECK (mode = ANY (ARRAY['subscription'::text, 'setup'::text])),
  constraint checkout_pkey PRIMARY KEY (account_id, id),
  constraint checkout_reference_key UNIQUE (reference),
  constraint checkout_status_check CHECK (status = ANY (ARRAY['open'::text, 'complete'::text, 'expired'::text]))
);

create table contact (
  address_id uuid not null,
  id uuid not null,
  email text not null,
  name text,
  uses integer not null,
  last_used_at timestamp with time zone,
  created_at timestamp with time zone not null,
  note text,
  is_saved boolean default false not null,
  constraint contact_email_key UNIQUE (address_id, email),
  constraint contact_pkey PRIMARY KEY (address_id, id)
);

create table deleted_message (
  address_id uuid not null,
  id uuid not null,
  thread_id uuid not null,
  folder_id uuid not null,
  blob_key text not null,
  prefix bytea not null,
  size integer not null,
  structure bytea not null,
  headers bytea,
  wire_growth integer not null,
  keywords text[] not null,
  received_at timestamp with time zone not null,
  received_zone smallint not null,
  sent_at timestamp with time zone,
  subject text,
  preview text not null,
  has_attachment boolean not null,
  envelope jsonb not null,
  from_sort text not null,
  to_sort text not null,
  subject_sort text not null,
  thread_ids bytea[] not null,
  subject_hash bytea,
  deleted_at timestamp with time zone not null,
  purge_at timestamp with time zone not null,
  constraint deleted_message_pkey PRIMARY KEY (address_id, id)
);

create table dkim_key (
  domain_id uuid not null,
  id uuid not null,
  selector text not null,
  algorithm text not null,
  key_bits integer not null,
  sealed_private_key text not null,
  public_key text not null,
  active boolean default false not null,
  created_at timestamp with time zone not null,
  activated_at timestamp with time zone,
  constraint dkim_key_algorithm_check CHECK (algorithm = ANY (ARRAY['rsa-sha256'::text, 'ed25519-sha256'::text])),
  constraint dkim_key_pkey PRIMARY KEY (domain_id, id),
  constraint dkim_key_selector_key UNIQUE (domain_id, selector)
);

create table dns_check (
  domain_id uuid not null,
  status text default 'not_started'::text not null,
  checked_at timestamp with time zone,
  next_check_at timestamp with time zone not null,
  asked_at timestamp with time zone,
  provider text,
  records jsonb default '{}'::jsonb not null,
  constraint dns_check_pkey PRIMARY KEY (domain_id),
  constraint dns_check_status_check CHECK (status = ANY (ARRAY['not_started'::text, 'pending'::text, 'verified'::text, 'partially_verified'::text, 'partially_failed'::text, 'failed'::text]))
);

create table domain (
  id uuid not null,
  account_id uuid not null,
  name text not null,
  ownership_token text not null,
  verified_at timestamp with time zone,
  catch_all_address_id uuid,
  fallback_domain_id uuid,
  tls text default 'opportunistic'::text not null,
  dmarc_policy text default 'none'::text not null,
  mta_sts_mode text default 'none'::text not null,
  open_tracking boolean default false not null,
  click_tracking boolean default false not null,
  note text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  next_key integer default 3 not null,
  purge_at timestamp with time zone,
  kept jsonb,
  constraint domain_dmarc_policy_check CHECK (dmarc_policy = ANY (ARRAY['none'::text, 'quarantine'::text, 'reject'::text])),
  constraint domain_mta_sts_mode_check CHECK (mta_sts_mode = ANY (ARRAY['none'::text, 'testing'::text, 'enforce'::text])),
  constraint domain_name_check CHECK (name = lower(name) AND length(name) <= 253),
  constraint domain_pkey PRIMARY KEY (id),
  constraint domain_tls_check CHECK (tls = ANY (ARRAY['opportunistic'::text, 'enforced'::text]))
);

create table dunning_notice (
  account_id uuid not null,
  clock_at timestamp with time zone not null,
  step text not null,
  sent_at timestamp with time zone not null,
  constraint dunning_notice_pkey PRIMARY KEY (account_id, clock_at, step)
);

create table email (
  account_id uuid not null,
  id uuid not null,
  api_key_id uuid not null,
  domain_id uuid not null,
  message_id text not null,
  sender text not null,
  to_list text[] not null,
  cc_list text[],
  bcc_list text[],
  reply_to_list text[],
  subject text not null,
  headers jsonb default '{}'::jsonb not null,
  tags jsonb default '[]'::jsonb not null,
  attachments jsonb default '[]'::jsonb not null,
  topic_id text,
  status text not null,
  last_event text not null,
  scheduled_at timestamp with time zone,
  sent_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint email_last_event_check CHECK (last_event = ANY (ARRAY['queued'::text, 'scheduled'::text, 'sent'::text, 'delivered'::text, 'delivery_delayed'::text, 'bounced'::text, 'complained'::text, 'failed'::text, 'suppressed'::text, 'canceled'::text, 'opened'::text, 'clicked'::text])),
  constraint email_pkey PRIMARY KEY (account_id, id),
  constraint email_status_check CHECK (status = ANY (ARRAY['queued'::text, 'scheduled'::text, 'sending'::text, 'sent'::text, 'delivered'::text, 'delayed'::text, 'bounced'::text, 'complained'::text, 'failed'::text, 'suppressed'::text, 'cancelled'::text]))
) with (fillfactor=80);

create table email_body (
  account_id uuid not null,
  email_id uuid not null,
  html text,
  text text,
  created_at timestamp with time zone not null,
  constraint email_body_pkey PRIMARY KEY (account_id, email_id)
);

create table email_count (
  account_id uuid not null,
  total bigint not null,
  constraint email_count_pkey PRIMARY KEY (account_id)
) with (fillfactor=50);

create table email_event (
  account_id uuid not null,
  email_id uuid not null,
  id uuid not null,
  type text not null,
  recipient text,
  detail text,
  created_at timestamp with time zone not null,
  constraint email_event_pkey PRIMARY KEY (account_id, email_id, id),
  constraint email_event_type_check CHECK (type = ANY (ARRAY['queued'::text, 'scheduled'::text, 'sent'::text, 'delivered'::text, 'delivery_delayed'::text, 'bounced'::text, 'complained'::text, 'failed'::text, 'suppressed'::text, 'canceled'::text, 'opened'::text, 'clicked'::text]))
);

create table expunged (
  address_id uuid not null,
  folder_id uuid not null,
  modseq bigint not null,
  uid bigint not null,
  constraint expunged_pkey PRIMARY KEY (address_id, folder_id, modseq, uid)
);

create table folder (
  address_id uuid not null,
  id uuid not null,
  parent_id uuid,
  name text not null,
  role text,
  "position" integer default 0 not null,
  subscribed boolean default true not null,
  uid_validity bigint not null,
  uid_next bigint default 1 not null,
  total integer default 0 not null,
  unread integer default 0 not null,
  threads integer default 0 not null,
  unread_threads integer default 0 not null,
  size_bytes bigint default 0 not null,
  purge_days integer,
  created_modseq bigint not null,
  modseq bigint not null,
  counts_modseq bigint not null,
  constraint folder_counts_check CHECK (total >= 0 AND unread >= 0 AND threads >= 0 AND unread_threads >= 0 AND size_bytes >= 0),
  constraint folder_name_key UNIQUE NULLS NOT DISTINCT (address_id, parent_id, name),
  constraint folder_pkey PRIMARY KEY (address_id, id),
  constraint folder_role_check CHECK (role = ANY (ARRAY['inbox'::text, 'drafts'::text, 'sent'::text, 'archive'::text, 'junk'::text, 'trash'::text, 'snoozed'::text, 'important'::text]))
) with (fillfactor=50);

create table folder_metadata (
  address_id uuid not null,
  folder_id uuid,
  viewer_id uuid,
  name text not null,
  value bytea not null,
  constraint folder_metadata_key UNIQUE NULLS NOT DISTINCT (address_id, folder_id, viewer_id, name),
  constraint folder_metadata_size_check CHECK (length(name) <= 1000 AND length(value) <= 65536)
);

create table folder_recent (
  address_id uuid not null,
  folder_id uuid not null,
  uid bigint not null,
  constraint folder_recent_pkey PRIMARY KEY (address_id, folder_id)
);

create table folder_subscription (
  address_id uuid not null,
  name text not null,
  constraint folder_subscription_name_check CHECK (length(name) <= 6000),
  constraint folder_subscription_pkey PRIMARY KEY (address_id, name)
);

create table folder_thread (
  address_id uuid not null,
  folder_id uuid not null,
  thread_id uuid not null,
  total integer not null,
  unread integer not null,
  constraint folder_thread_counts_check CHECK (total > 0 AND unread >= 0 AND unread <= total),
  constraint folder_thread_pkey PRIMARY KEY (address_id, folder_id, thread_id)
);

create table greylist (
  address_id uuid not null,
  network cidr not null,
  sender text not null,
  first_seen_at timestamp with time zone not null,
  passed_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  constraint greylist_pkey PRIMARY KEY (address_id, network, sender)
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

create table idempotency_key (
  account_id uuid not null,
  route text not null,
  key text not null,
  request_hash bytea not null,
  response jsonb not null,
  created_at timestamp with time zone not null,
  constraint idempotency_key_pkey PRIMARY KEY (account_id, route, key)
);

create table identity (
  address_id uuid not null,
  id uuid not null,
  name text default ''::text not null,
  email text not null,
  reply_to jsonb,
  bcc jsonb,
  signature_text text default ''::text not null,
  signature_html text default ''::text not null,
  is_default boolean default false not null,
  is_own boolean default false not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint identity_pkey PRIMARY KEY (address_id, id)
);

create table instance_setting (
  is_only boolean default true not null,
  signups text,
  updated_at timestamp with time zone not null,
  dnsbl text[] default '{}'::text[] not null,
  dnswl text[] default '{}'::text[] not null,
  domain_dnsbl text[] default '{}'::text[] not null,
  greylisting boolean default false not null,
  greylisting_minutes integer default 5 not null,
  constraint instance_setting_is_only_check CHECK (is_only),
  constraint instance_setting_pkey PRIMARY KEY (is_only),
  constraint instance_setting_signups_check CHECK (signups = ANY (ARRAY['open'::text, 'closed'::text]))
);

create table label (
  address_id uuid not null,
  name text not null,
  display_name text not null,
  color text,
  updated_at timestamp with time zone not null,
  constraint label_pkey PRIMARY KEY (address_id, name)
);

create table listed_sender (
  id uuid not null,
  address_id uuid,
  domain_id uuid,
  list_id uuid generated always as (COALESCE(address_id, domain_id, '00000000-0000-0000-0000-000000000000'::uuid)) stored not null,
  pattern text not null,
  action text not null,
  created_at timestamp with time zone not null,
  constraint listed_sender_action_check CHECK (action = ANY (ARRAY['allow'::text, 'block'::text])),
  constraint listed_sender_owner_check CHECK (num_nonnulls(address_id, domain_id) <= 1),
  constraint listed_sender_pattern_key UNIQUE (list_id, pattern),
  constraint listed_sender_pkey PRIMARY KEY (id)
);

create table mail_export (
  id uuid not null,
  account_id uuid not null,
  address_ids uuid[],
  format text not null,
  status text default 'queued'::text not null,
  messages_total integer,
  messages_done integer default 0 not null,
  pieces jsonb default '[]'::jsonb not null,
  error text,
  next_at timestamp with time zone,
  claims integer default 0 not null,
  created_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  expires_at timestamp with time zone,
  constraint mail_export_active_check CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text])) = (next_at IS NOT NULL)),
  constraint mail_export_expires_check CHECK ((next_at IS NULL) = (expires_at IS NOT NULL)),
  constraint mail_export_finished_check CHECK ((next_at IS NULL) = (finished_at IS NOT NULL)),
  constraint mail_export_format_check CHECK (format = ANY (ARRAY['mbox'::text, 'maildir'::text])),
  constraint mail_export_pkey PRIMARY KEY (id),
  constraint mail_export_status_check CHECK (status = ANY (ARRAY['queued'::text, 'running'::text, 'completed'::text, 'failed'::text, 'cancelled'::text]))
);

create table mailbox (
  address_id uuid not null,
  modseq bigint default 1 not null,
  floor bigint default 0 not null,
  used_bytes bigint default 0 not null,
  message_count integer default 0 not null,
  next_uid_validity bigint not null,
  mark_modseq bigint default 0 not null,
  marked_at timestamp with time zone,
  constraint mailbox_pkey PRIMARY KEY (address_id)
) with (fillfactor=50);

create table message (
  address_id uuid not null,
  id uuid not null,
  thread_id uuid not null,
  blob_key text not null,
  prefix bytea default '\x'::bytea not null,
  size integer not null,
  structure bytea not null,
  keywords text[] default '{}'::text[] not null,
  received_at timestamp with time zone not null,
  sent_at timestamp with time zone,
  subject text,
  preview text not null,
  has_attachment boolean not null,
  envelope jsonb not null,
  from_sort text not null,
  to_sort text not null,
  subject_sort text not null,
  snoozed_until timestamp with time zone,
  created_modseq bigint not null,
  modseq bigint not null,
  indexed boolean default false not null,
  snoozed_from uuid[],
  received_zone smallint default 0 not null,
  headers bytea,
  wire_growth integer default 0 not null,
  constraint message_pkey PRIMARY KEY (address_id, id)
);

create table message_folder (
  address_id uuid not null,
  folder_id uuid not null,
  uid bigint not null,
  message_id uuid not null,
  modseq bigint not null,
  deleted boolean default false not null,
  received_at timestamp with time zone not null,
  added_at timestamp with time zone not null,
  constraint message_folder_message_key UNIQUE (address_id, message_id, folder_id),
  constraint message_folder_pkey PRIMARY KEY (address_id, folder_id, uid)
);

create table message_search (
  address_id uuid not null,
  message_id uuid not null,
  words tsvector not null,
  text text not null,
  headers text default ''::text not null,
  constraint message_search_pkey PRIMARY KEY (address_id, message_id)
);

create table message_unindexed (
  address_id uuid not null,
  message_id uuid not null,
  words tsvector,
  text text,
  headers text,
  constraint message_unindexed_pkey PRIMARY KEY (address_id, message_id)
) with (toast_tuple_target=8160, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=2000);

create table mta_sts_policy (
  domain text not null,
  policy_id text not null,
  mode text not null,
  mx text[] not null,
  fetched_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint mta_sts_policy_mode_check CHECK (mode = ANY (ARRAY['none'::text, 'testing'::text, 'enforce'::text])),
  constraint mta_sts_policy_pkey PRIMARY KEY (domain)
);

create table password_attempt (
  key bytea not null,
  used integer not null,
  ends_at timestamp with time zone not null,
  constraint password_attempt_pkey PRIMARY KEY (key)
);

create table payment_event (
  id text not null,
  type text not null,
  customer text,
  received_at timestamp with time zone not null,
  constraint payment_event_pkey PRIMARY KEY (id)
);

create table payment_method (
  account_id uuid not null,
  id uuid not null,
  reference text not null,
  type text not null,
  brand text,
  last4 text,
  exp_month integer,
  exp_year integer,
  is_default boolean not null,
  created_at timestamp with time zone not null,
  constraint payment_method_pkey PRIMARY KEY (account_id, id),
  constraint payment_method_reference_key UNIQUE (reference)
);

create table payment_transaction (
  account_id uuid not null,
  id uuid not null,
  reference text not null,
  type text not null,
  status text not null,
  amount_cents bigint not null,
  tax_cents bigint not null,
  currency text not null,
  description text,
  number text,
  invoice_url text,
  period_start timestamp with time zone,
  period_end timestamp with time zone,
  created_at timestamp with time zone not null,
  settled_at timestamp with time zone,
  constraint payment_transaction_pkey PRIMARY KEY (account_id, id),
  constraint payment_transaction_reference_key UNIQUE (reference),
  constraint payment_transaction_status_check CHECK (status = ANY (ARRAY['pending'::text, 'paid'::text, 'failed'::text, 'refunded'::text, 'void'::text])),
  constraint payment_transaction_type_check CHECK (type = ANY (ARRAY['charge'::text, 'refund'::text, 'credit'::text]))
);

create table plan_price (
  plan text not null,
  reference text not null,
  price_cents integer not null,
  currency text not null,
  "interval" text not null,
  trial_days integer default 0 not null,
  read_at timestamp with time zone not null,
  constraint plan_price_interval_check CHECK ("interval" = ANY (ARRAY['month'::text, 'year'::text])),
  constraint plan_price_pkey PRIMARY KEY (plan)
);

create table push_subscription (
  address_id uuid not null,
  id uuid not null,
  app_password_id uuid,
  password_stamp text not null,
  scope text not null,
  device_client_id text not null,
  url text not null,
  p256dh text,
  auth text,
  types text[],
  verification_code text not null,
  verified boolean default false not null,
  expires_at timestamp with time zone not null,
  told jsonb default '{}'::jsonb not null,
  attempts integer default 0 not null,
  due_at timestamp with time zone,
  leased_until timestamp with time zone,
  lease uuid,
  created_at timestamp with time zone not null,
  constraint push_subscription_pkey PRIMARY KEY (address_id, id)
);

create table queue_attempt (
  message_id uuid not null,
  ordinal integer not null,
  attempt integer not null,
  host text,
  ip inet,
  policy text,
  tls text,
  code integer,
  status text,
  reply text,
  duration_ms integer not null,
  created_at timestamp with time zone not null,
  constraint queue_attempt_pkey PRIMARY KEY (message_id, ordinal, attempt)
);

create table queue_destination (
  domain text not null,
  failures integer not null,
  failing_since timestamp with time zone not null,
  retry_at timestamp with time zone not null,
  constraint queue_destination_pkey PRIMARY KEY (domain)
);

create table queue_hold (
  id uuid not null,
  domain text not null,
  reason text,
  created_at timestamp with time zone not null,
  constraint queue_hold_domain_check CHECK (domain = lower(domain)),
  constraint queue_hold_domain_key UNIQUE (domain),
  constraint queue_hold_pkey PRIMARY KEY (id)
);

create table queue_message (
  id uuid not null,
  account_id uuid,
  address_id uuid,
  source text not null,
  blob_key text not null,
  prefix bytea default '\x'::bytea not null,
  size integer not null,
  signing_domain_id uuid,
  message_id text,
  header_from text,
  subject text,
  needs_utf8 boolean default false not null,
  needs_8bit boolean default false not null,
  requires_tls boolean default false not null,
  envid text,
  ret text,
  not_before timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  constraint queue_message_pkey PRIMARY KEY (id),
  constraint queue_message_ret_check CHECK (ret = ANY (ARRAY['full'::text, 'hdrs'::text])),
  constraint queue_message_source_check CHECK (source = ANY (ARRAY['submission'::text, 'api'::text, 'webmail'::text, 'jmap'::text, 'sieve'::text, 'forward'::text, 'dsn'::text, 'system'::text]))
);

create table queue_recipient (
  message_id uuid not null,
  ordinal integer not null,
  recipient text not null,
  domain text not null,
  state text default 'queued'::text not null,
  attempts integer default 0 not null,
  next_at timestamp with time zone not null,
  lease_until timestamp with time zone,
  lease_token uuid,
  notify text[],
  orcpt text,
  last_code integer,
  last_status text,
  last_reply text,
  last_host text,
  delay_told_at timestamp with time zone,
  finished_at timestamp with time zone,
  return_path text not null,
  bounce_token text,
  id uuid not null,
  constraint queue_recipient_pkey PRIMARY KEY (message_id, ordinal),
  constraint queue_recipient_state_check CHECK (state = ANY (ARRAY['queued'::text, 'sending'::text, 'deferred'::text, 'delivered'::text, 'bounced'::text, 'failed'::text, 'suppressed'::text, 'cancelled'::text]))
);

create table quota_warning (
  subject_id uuid not null,
  account_id uuid not null,
  percent integer not null,
  warned_at timestamp with time zone not null,
  constraint quota_warning_pkey PRIMARY KEY (subject_id)
);

create table receipt (
  address_id uuid not null,
  hash bytea not null,
  acknowledged boolean default false not null,
  created_at timestamp with time zone not null,
  constraint receipt_pkey PRIMARY KEY (address_id, hash)
);

create table recovery_change (
  address_id uuid not null,
  previous_email text not null,
  changed_at timestamp with time zone not null,
  constraint recovery_change_pkey PRIMARY KEY (address_id)
);

create table recovery_code (
  account_id uuid not null,
  code_hash bytea not null,
  constraint recovery_code_pkey PRIMARY KEY (account_id, code_hash)
);

create table recovery_token (
  address_id uuid not null,
  token_hash bytea not null,
  email text not null,
  password_stamp bytea not null,
  expires_at timestamp with time zone not null,
  constraint recovery_token_pkey PRIMARY KEY (address_id),
  constraint recovery_token_token_hash_key UNIQUE (token_hash)
);

create table referral_credit (
  referred_id uuid not null,
  account_id uuid not null,
  amount_cents integer not null,
  currency text not null,
  reference text,
  created_at timestamp with time zone not null,
  credited_at timestamp with time zone,
  constraint referral_credit_pkey PRIMARY KEY (referred_id),
  constraint referral_credit_reference_key UNIQUE (reference)
);

create table refused_recipient (
  account_id uuid not null,
  id uuid not null,
  domain_id uuid not null,
  sender text,
  recipient text,
  remote_ip inet,
  count integer not null,
  created_at timestamp with time zone not null,
  constraint refused_recipient_pkey PRIMARY KEY (account_id, id)
);

create table relay_receipt (
  hash bytea not null,
  acknowledged boolean default false not null,
  created_at timestamp with time zone not null,
  constraint relay_receipt_pkey PRIMARY KEY (hash)
);

create table report (
  domain_id uuid not null,
  id uuid not null,
  type text not null,
  org text not null,
  report_id text not null,
  begins_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  pass integer not null,
  fail integer not null,
  rows jsonb not null,
  created_at timestamp with time zone not null,
  constraint report_pkey PRIMARY KEY (domain_id, id),
  constraint report_report_id_key UNIQUE (domain_id, type, org, report_id),
  constraint report_type_check CHECK (type = ANY (ARRAY['dmarc'::text, 'tls'::text]))
);

create table sending_day (
  account_id uuid not null,
  day date not null,
  recipients integer not null,
  constraint sending_day_pkey PRIMARY KEY (account_id, day)
);

create table session (
  account_id uuid not null,
  id uuid not null,
  token_hash bytea not null,
  ip inet,
  user_agent text,
  created_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint session_pkey PRIMARY KEY (account_id, id),
  constraint session_token_hash_key UNIQUE (token_hash)
);

create table share (
  address_id uuid not null,
  id uuid not null,
  with_address_id uuid not null,
  access text not null,
  created_at timestamp with time zone not null,
  constraint share_access_check CHECK (access = ANY (ARRAY['read'::text, 'write'::text, 'full'::text])),
  constraint share_pkey PRIMARY KEY (address_id, id),
  constraint share_with_check CHECK (with_address_id <> address_id),
  constraint share_with_key UNIQUE (address_id, with_address_id)
);

create table sieve_memory (
  address_id uuid not null,
  kind text not null,
  hash bytea not null,
  expires_at timestamp with time zone not null,
  constraint sieve_memory_kind_check CHECK (kind = ANY (ARRAY['vacation'::text, 'duplicate'::text])),
  constraint sieve_memory_pkey PRIMARY KEY (address_id, kind, hash)
);

create table sieve_script (
  id uuid not null,
  account_id uuid not null,
  address_id uuid,
  origin text not null,
  name text not null,
  source text not null,
  enabled boolean not null,
  "position" integer default 0 not null,
  extensions text[] default '{}'::text[] not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint sieve_script_client_check CHECK (origin = 'panel'::text OR address_id IS NOT NULL),
  constraint sieve_script_origin_check CHECK (origin = ANY (ARRAY['panel'::text, 'client'::text])),
  constraint sieve_script_pkey PRIMARY KEY (id)
);

create table soft_bounce (
  account_id uuid not null,
  email text not null,
  created_at timestamp with time zone not null,
  message_id uuid not null,
  constraint soft_bounce_pkey PRIMARY KEY (account_id, email, message_id)
);

create table spam_lesson (
  address_id uuid not null,
  blob_key text not null,
  verdict text not null,
  constraint spam_lesson_pkey PRIMARY KEY (address_id, blob_key),
  constraint spam_lesson_verdict_check CHECK (verdict = ANY (ARRAY['spam'::text, 'ham'::text]))
);

create table spam_pending (
  address_id uuid not null,
  blob_key text not null,
  verdict text not null,
  created_at timestamp with time zone not null,
  constraint spam_pending_pkey PRIMARY KEY (address_id, blob_key),
  constraint spam_pending_verdict_check CHECK (verdict = ANY (ARRAY['spam'::text, 'ham'::text]))
);

create table spam_training (
  address_id uuid not null,
  spam integer not null,
  ham integer not null,
  constraint spam_training_pkey PRIMARY KEY (address_id)
);

create table spam_word (
  address_id uuid not null,
  word bigint not null,
  spam integer not null,
  ham integer not null,
  constraint spam_word_pkey PRIMARY KEY (address_id, word)
);

create table submission (
  address_id uuid not null,
  id uuid not null,
  identity_id uuid not null,
  message_id uuid not null,
  thread_id uuid not null,
  queue_id uuid not null,
  mail_from jsonb not null,
  send_at timestamp with time zone not null,
  undo_status text not null,
  created_at timestamp with time zone not null,
  constraint submission_pkey PRIMARY KEY (address_id, id),
  constraint submission_queue_key UNIQUE (queue_id, address_id),
  constraint submission_undo_status_check CHECK (undo_status = ANY (ARRAY['pending'::text, 'final'::text, 'canceled'::text]))
);

create table submission_recipient (
  address_id uuid not null,
  submission_id uuid not null,
  ordinal integer not null,
  email text not null,
  parameters jsonb,
  is_local boolean not null,
  delivered text not null,
  smtp_reply text not null,
  constraint submission_recipient_delivered_check CHECK (delivered = ANY (ARRAY['queued'::text, 'yes'::text, 'no'::text, 'unknown'::text])),
  constraint submission_recipient_pkey PRIMARY KEY (address_id, submission_id, ordinal)
);

create table subscription (
  id uuid not null,
  account_id uuid not null,
  plan text not null,
  status text not null,
  cancel_at_period_end boolean default false not null,
  current_period_start timestamp with time zone not null,
  current_period_end timestamp with time zone not null,
  trial_end timestamp with time zone,
  cancelled_at timestamp with time zone,
  ended_at timestamp with time zone,
  created_at timestamp with time zone not null,
  reference text,
  pending_plan text,
  past_due_at timestamp with time zone,
  price_cents integer default 0 not null,
  currency text default 'eur'::text not null,
  constraint subscription_pkey PRIMARY KEY (id),
  constraint subscription_reference_key UNIQUE (reference),
  constraint subscription_status_check CHECK (status = ANY (ARRAY['incomplete'::text, 'trialing'::text, 'active'::text, 'past_due'::text, 'unpaid'::text, 'paused'::text, 'cancelled'::text]))
);

create table suppression (
  account_id uuid not null,
  id uuid not null,
  email text not null,
  origin text not null,
  reason text,
  source_id uuid,
  expires_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint suppression_email_check CHECK (email = lower(email)),
  constraint suppression_email_key UNIQUE (account_id, email),
  constraint suppression_origin_check CHECK (origin = ANY (ARRAY['bounce'::text, 'complaint'::text, 'manual'::text])),
  constraint suppression_pkey PRIMARY KEY (account_id, id)
);

create table tax_id (
  account_id uuid not null,
  type text not null,
  value text not null,
  country text,
  status text not null,
  updated_at timestamp with time zone not null,
  reference text,
  constraint tax_id_pkey PRIMARY KEY (account_id),
  constraint tax_id_status_check CHECK (status = ANY (ARRAY['pending'::text, 'verified'::text, 'unverified'::text, 'unavailable'::text]))
);

create table thread_link (
  address_id uuid not null,
  id_hash bytea not null,
  subject_hash bytea not null,
  message_id uuid not null,
  thread_id uuid not null,
  constraint thread_link_pkey PRIMARY KEY (address_id, id_hash, subject_hash, message_id)
);

create table tls_counter (
  day date not null,
  domain text not null,
  policy_type text not null,
  host text not null,
  result text not null,
  sessions integer not null,
  constraint tls_counter_pkey PRIMARY KEY (day, domain, policy_type, host, result)
);

create table transfer (
  id uuid not null,
  account_id uuid not null,
  address_id uuid not null,
  host text not null,
  port integer not null,
  security text not null,
  username text not null,
  sealed_password text,
  folders text[],
  exclude_folders text[] default '{}'::text[] not null,
  since timestamp with time zone,
  status text default 'queued'::text not null,
  folders_total integer,
  folders_done integer default 0 not null,
  messages_total integer,
  messages_copied integer default 0 not null,
  messages_skipped integer default 0 not null,
  messages_failed integer default 0 not null,
  bytes_copied bigint default 0 not null,
  current_folder text,
  error text,
  attempts integer default 0 not null,
  first_modseq bigint,
  next_at timestamp with time zone not null,
  lease_token uuid,
  created_at timestamp with time zone not null,
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  constraint transfer_finished_check CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text])) = (finished_at IS NULL)),
  constraint transfer_password_check CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text])) = (sealed_password IS NOT NULL)),
  constraint transfer_pkey PRIMARY KEY (id),
  constraint transfer_security_check CHECK (security = ANY (ARRAY['tls'::text, 'starttls'::text, 'none'::text])),
  constraint transfer_status_check CHECK (status = ANY (ARRAY['queued'::text, 'running'::text, 'completed'::text, 'failed'::text, 'cancelled'::text]))
);

create table transfer_folder (
  transfer_id uuid not null,
  ordinal integer not null,
  path text not null,
  target_path text not null,
  role text,
  uid_validity bigint,
  last_uid bigint default 0 not null,
  messages integer default 0 not null,
  is_rest boolean default false not null,
  done boolean default false not null,
  constraint transfer_folder_pkey PRIMARY KEY (transfer_id, ordinal)
);

create table two_factor (
  account_id uuid not null,
  sealed_secret text not null,
  started_at timestamp with time zone not null,
  last_step integer,
  constraint two_factor_pkey PRIMARY KEY (account_id)
);

create table vacation (
  address_id uuid not null,
  enabled boolean not null,
  from_date timestamp with time zone,
  to_date timestamp with time zone,
  subject text,
  text_body text,
  html_body text,
  updated_at timestamp with time zone not null,
  constraint vacation_pkey PRIMARY KEY (address_id)
);

create table viewed (
  address_id uuid not null,
  viewer_id uuid not null,
  message_id uuid not null,
  constraint viewed_pkey PRIMARY KEY (address_id, viewer_id, message_id)
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

create table webmail_session (
  address_id uuid not null,
  id uuid not null,
  token_hash bytea not null,
  password_stamp text not null,
  ip inet,
  user_agent text,
  created_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint webmail_session_pkey PRIMARY KEY (address_id, id),
  constraint webmail_session_token_hash_key UNIQUE (token_hash)
);

create table webmail_settings (
  address_id uuid not null,
  settings jsonb not null,
  updated_at timestamp with time zone not null,
  constraint webmail_settings_pkey PRIMARY KEY (address_id)
);

CREATE INDEX account_deleted_at ON account USING btree (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE UNIQUE INDEX account_owner_key ON account USING btree (role) WHERE role = 'owner'::text;
CREATE INDEX account_past_due_at ON account USING btree (past_due_at) WHERE past_due_at IS NOT NULL;
CREATE INDEX account_referred_by ON account USING btree (referred_by);
CREATE INDEX activity_created_at ON activity USING btree (created_at);
CREATE INDEX address_account_id ON address USING btree (account_id);
CREATE INDEX address_deleted_at ON address USING btree (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX address_digest ON address USING btree (digest_at, id) WHERE digest <> 'off'::text;
CREATE INDEX address_domain_id ON address USING btree (domain_id);
CREATE UNIQUE INDEX address_email_key ON address USING btree (email) WHERE deleted_at IS NULL;
CREATE INDEX address_name_address_id ON address_name USING btree (address_id);
CREATE INDEX address_name_pattern ON address_name USING btree (domain_id) WHERE kind = 'pattern'::text;
CREATE INDEX api_key_domain_id ON api_key USING btree (domain_id) WHERE domain_id IS NOT NULL;
CREATE INDEX audit_created_at ON audit USING btree (created_at, id);
CREATE UNIQUE INDEX backup_run_one ON backup_run USING btree ((true)) WHERE finished_at IS NULL;
CREATE INDEX backup_run_started ON backup_run USING btree (started_at);
CREATE INDEX billing_customer_due ON billing_customer USING btree (reference, sync_due_at, account_id) WHERE sync_due_at IS NOT NULL;
CREATE INDEX billing_customer_synced_at ON billing_customer USING btree (synced_at NULLS FIRST);
CREATE INDEX blob_link_blob_key ON blob_link USING btree (blob_key);
CREATE INDEX blob_link_expires_at ON blob_link USING btree (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX blob_link_ref_id ON blob_link USING btree (ref_id);
CREATE INDEX bulk_job_finished_at ON bulk_job USING btree (finished_at) WHERE finished_at IS NOT NULL;
CREATE INDEX bulk_job_next_at ON bulk_job USING btree (next_at, id) WHERE status = 'running'::text;
CREATE INDEX certificate_attempted ON certificate USING btree (attempted_at) WHERE attempted_at IS NOT NULL;
CREATE INDEX certificate_due ON certificate USING btree (next_attempt_at);
CREATE UNIQUE INDEX checkout_open ON checkout USING btree (account_id) WHERE mode = 'subscription'::text AND status = 'open'::text;
CREATE INDEX contact_last_used_at ON contact USING btree (address_id, last_used_at DESC, id);
CREATE INDEX deleted_message_deleted_at ON deleted_message USING btree (address_id, deleted_at DESC, id DESC);
CREATE INDEX deleted_message_purge_at ON deleted_message USING btree (purge_at);
CREATE UNIQUE INDEX dkim_key_active_key ON dkim_key USING btree (domain_id) WHERE active;
CREATE INDEX dns_check_next_check_at ON dns_check USING btree (next_check_at);
CREATE INDEX domain_account_id ON domain USING btree (account_id);
CREATE INDEX domain_deleted_at ON domain USING btree (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX domain_fallback_domain_id ON domain USING btree (fallback_domain_id);
CREATE UNIQUE INDEX domain_name_key ON domain USING btree (name) WHERE deleted_at IS NULL;
CREATE INDEX email_tags ON email USING gin (tags jsonb_path_ops) WHERE tags <> '[]'::jsonb;
CREATE INDEX email_body_created_at ON email_body USING btree (created_at);
CREATE UNIQUE INDEX email_event_once ON email_event USING btree (account_id, email_id, type, recipient) WHERE type = ANY (ARRAY['delivery_delayed'::text, 'complained'::text]);
CREATE INDEX email_event_outcome ON email_event USING btree (account_id, created_at, id) WHERE type = ANY (ARRAY['delivered'::text, 'delivery_delayed'::text, 'bounced'::text, 'failed'::text, 'suppressed'::text]);
CREATE UNIQUE INDEX folder_role_key ON folder USING btree (address_id, role) WHERE role IS NOT NULL;
CREATE INDEX folder_metadata_viewer_id ON folder_metadata USING btree (viewer_id) WHERE viewer_id IS NOT NULL;
CREATE INDEX greylist_expires_at ON greylist USING btree (expires_at);
CREATE INDEX greylist_waiting ON greylist USING btree (network) WHERE passed_at IS NULL;
CREATE INDEX idempotency_key_created_at ON idempotency_key USING btree (created_at);
CREATE UNIQUE INDEX identity_default_key ON identity USING btree (address_id) WHERE is_default;
CREATE UNIQUE INDEX identity_own_key ON identity USING btree (address_id) WHERE is_own;
CREATE INDEX listed_sender_address ON listed_sender USING btree (address_id) WHERE address_id IS NOT NULL;
CREATE INDEX listed_sender_blocked_network ON listed_sender USING btree (list_id) WHERE action = 'block'::text AND strpos(pattern, '@'::text) = 0;
CREATE INDEX listed_sender_domain ON listed_sender USING btree (domain_id) WHERE domain_id IS NOT NULL;
CREATE INDEX mail_export_account_id ON mail_export USING btree (account_id, created_at, id);
CREATE UNIQUE INDEX mail_export_active_key ON mail_export USING btree (account_id) WHERE next_at IS NOT NULL;
CREATE INDEX mail_export_expires_at ON mail_export USING btree (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX mail_export_next_at ON mail_export USING btree (next_at, id) WHERE next_at IS NOT NULL;
CREATE INDEX mailbox_marked_at ON mailbox USING btree (marked_at NULLS FIRST);
CREATE INDEX message_draft ON message USING btree (address_id, id) WHERE keywords @> '{$draft}'::text[];
CREATE INDEX message_flagged ON message USING btree (address_id, received_at DESC, id DESC) WHERE keywords @> '{$flagged}'::text[];
CREATE INDEX message_not_indexed ON message USING btree (address_id) WHERE NOT indexed;
CREATE INDEX message_received_at ON message USING btree (address_id, received_at DESC, id DESC);
CREATE INDEX message_snoozed ON message USING btree (snoozed_until) WHERE snoozed_until IS NOT NULL;
CREATE INDEX message_thread_id ON message USING btree (address_id, thread_id);
CREATE INDEX message_unread ON message USING btree (address_id, received_at DESC, id DESC) WHERE NOT keywords && '{$seen,$draft}'::text[];
CREATE INDEX message_folder_deleted ON message_folder USING btree (address_id, folder_id, uid) WHERE deleted;
CREATE INDEX message_folder_modseq ON message_folder USING btree (address_id, folder_id, modseq);
CREATE INDEX message_folder_received_at ON message_folder USING btree (address_id, folder_id, received_at DESC, message_id DESC) WHERE NOT deleted;
CREATE INDEX message_search_text ON message_search USING gin (address_id, text gin_trgm_ops);
CREATE INDEX message_search_words ON message_search USING gin (address_id, words);
CREATE INDEX password_attempt_ends_at ON password_attempt USING btree (ends_at);
CREATE INDEX payment_event_received_at ON payment_event USING btree (received_at);
CREATE UNIQUE INDEX payment_method_default ON payment_method USING btree (account_id) WHERE is_default;
CREATE INDEX payment_transaction_created_at ON payment_transaction USING btree (account_id, created_at DESC, id DESC);
CREATE INDEX push_subscription_app_password_id ON push_subscription USING btree (address_id, app_password_id) WHERE app_password_id IS NOT NULL;
CREATE INDEX push_subscription_due_at ON push_subscription USING btree (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX queue_message_account_id ON queue_message USING btree (account_id, created_at DESC);
CREATE INDEX queue_message_address_id ON queue_message USING btree (address_id, created_at DESC);
CREATE INDEX queue_message_created_at ON queue_message USING btree (created_at);
CREATE INDEX queue_message_message_id ON queue_message USING btree (message_id);
CREATE INDEX queue_recipient_bounce_token ON queue_recipient USING btree (bounce_token) WHERE bounce_token IS NOT NULL;
CREATE INDEX queue_recipient_domain ON queue_recipient USING btree (domain, next_at) WHERE state = ANY (ARRAY['queued'::text, 'sending'::text, 'deferred'::text]);
CREATE UNIQUE INDEX queue_recipient_id ON queue_recipient USING btree (id);
CREATE INDEX queue_recipient_next_at ON queue_recipient USING btree (next_at) WHERE state = ANY (ARRAY['queued'::text, 'sending'::text, 'deferred'::text]);
CREATE INDEX queue_recipient_recipient ON queue_recipient USING btree (recipient);
CREATE INDEX quota_warning_account_id ON quota_warning USING btree (account_id);
CREATE INDEX receipt_created_at ON receipt USING btree (created_at);
CREATE INDEX referral_credit_account ON referral_credit USING btree (account_id);
CREATE INDEX refused_recipient_created_at ON refused_recipient USING btree (created_at);
CREATE INDEX refused_recipient_domain ON refused_recipient USING btree (domain_id, created_at);
CREATE INDEX relay_receipt_created_at ON relay_receipt USING btree (created_at);
CREATE INDEX share_with_address_id ON share USING btree (with_address_id);
CREATE INDEX sieve_memory_expires_at ON sieve_memory USING btree (expires_at);
CREATE INDEX sieve_script_account_id ON sieve_script USING btree (account_id);
CREATE INDEX sieve_script_address_id ON sieve_script USING btree (address_id);
CREATE UNIQUE INDEX sieve_script_client_active_key ON sieve_script USING btree (address_id) WHERE origin = 'client'::text AND enabled;
CREATE UNIQUE INDEX sieve_script_client_name_key ON sieve_script USING btree (address_id, name) WHERE origin = 'client'::text;
CREATE INDEX spam_pending_created_at ON spam_pending USING btree (created_at);
CREATE INDEX submission_created_at ON submission USING btree (created_at);
CREATE INDEX submission_send_at ON submission USING btree (address_id, send_at DESC, id DESC);
CREATE INDEX subscription_account_id ON subscription USING btree (account_id);
CREATE INDEX subscription_current_period_end ON subscription USING btree (current_period_end) WHERE ended_at IS NULL;
CREATE UNIQUE INDEX subscription_live_key ON subscription USING btree (account_id) WHERE ended_at IS NULL;
CREATE INDEX suppression_created_at ON suppression USING btree (account_id, created_at);
CREATE INDEX suppression_expires_at ON suppression USING btree (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX thread_link_message_id ON thread_link USING btree (address_id, message_id);
CREATE INDEX transfer_account_id ON transfer USING btree (account_id, created_at, id);
CREATE UNIQUE INDEX transfer_active_key ON transfer USING btree (address_id) WHERE status = ANY (ARRAY['queued'::text, 'running'::text]);
CREATE INDEX transfer_address_id ON transfer USING btree (address_id);
CREATE INDEX transfer_next_at ON transfer USING btree (next_at) WHERE status = ANY (ARRAY['queued'::text, 'running'::text]);
CREATE INDEX webhook_delivery_age ON webhook_delivery USING btree (created_at) WHERE next_attempt_at IS NULL;
CREATE INDEX webhook_delivery_due ON webhook_delivery USING btree (endpoint_id, next_attempt_at, id) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX webhook_delivery_endpoint ON webhook_delivery USING btree (endpoint_id, created_at DESC, id DESC);
CREATE INDEX webhook_delivery_finished ON webhook_delivery USING btree (endpoint_id, created_at DESC, id DESC) WHERE next_attempt_at IS NULL;
CREATE INDEX webhook_delivery_owner ON webhook_delivery USING btree (owner, created_at DESC, id DESC);
CREATE INDEX webhook_endpoint_owner ON webhook_endpoint USING btree (owner, created_at, id);

alter table account add constraint account_referred_by_fkey FOREIGN KEY (referred_by) REFERENCES account(id) ON DELETE SET NULL;
alter table account_token add constraint account_token_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE;
alter table activity add constraint activity_address_id_fkey FOREIGN KEY (address_id) REFERENCES address(id) ON DELETE CASCADE;
alter table address add constraint address_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE;
alter table address add constraint address_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES domain(id) ON DELETE CASCADE;
alter table address_name add constraint address_name_address_id_fkey FOREIGN KEY (address_id) REFERENCES address(id) ON DELETE CASCADE;
alter table address_name add constraint address_name_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES domain(id) ON DELETE CASCADE;
alter table api_key add constraint api_key_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE;
alter table api_key add constraint api_key_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES domain(id) ON DELETE CASCADE;
alter table app_password add constraint app_password_address_id_fkey FOREIGN KEY (address_id) REFERENCES address(id) ON DELETE CASCADE;
alter table billing_change add constraint billing_change_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE;
alter table billing_customer add constraint billing_customer_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id);
alter table bulk_batch add constraint bulk_batch_job_fkey FOREIGN KEY (address_id, job_id) REFERENCES bulk_job(address_id, id) ON DELETE CASCADE;
alter table bulk_job add constraint bulk_job_address_id_fkey FOREIGN KEY (address_id) REFERENCES address(id) ON DELETE CASCADE;
alter table change add constraint change_address_id_fkey FOREIGN KEY (address_id) REFERENCES mailbox(address_id) ON DELETE CASCADE;
alter table checkout add constraint checkout_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE;
alter table contact add constraint contact_address_id_fkey FOREIGN KEY (address_id) REFERENCES address(id) ON DELETE CASCADE;
alter table deleted_message add constraint deleted_message_address_id_fkey FOREIGN KEY (address_id) REFERENCES address(id) ON DELETE CASCADE;
alter table dkim_key add constraint dkim_key_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES domain(id) ON DELETE CASCADE;
alter table dns_check add constraint dns_check_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES domain(id) ON DELETE CASCADE;
alter table domain add constraint domain_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE;
alter table domain add constraint domain_fallback_domain_id_fkey FOREIGN KEY (fallback_domain_id) REFERENCES domain(id) ON DELETE SET NULL;
alter table dunning_notice add constraint dunning_notice_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE;
alter table email add constraint email_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE;
alter table email_body add constraint email_body_email_id_fkey FOREIGN KEY (account_id, email_id) REFERENCES email(account_id, id) ON DELETE CASCADE;
alter table email_count add constraint email_count_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE;
alter table email_event add constraint email_event_email_id_fkey FOREIGN KEY (account_id, email_id) REFERENCES email(account_id, id) ON DELETE CASCADE;
alter table expunged add constraint expunged_address_id_fkey FOREIGN KEY (address_id) REFERENCES mailbox(address_id) ON DELETE CASCADE;
alter table folder add constraint folder_address_id_fkey FOREIGN KEY (address_id) REFERENCES mailbox(address_id) ON DELETE CASCADE;
alter table folder add constraint folder_parent_fkey FOREIGN KEY (address_id, parent_id) REFERENCES folder(address_id, id);
alter table folder_metadata add constraint folder_metadata_address_id_fkey FOREIGN KEY (address_id) REFERENCES address(id) ON DELETE CASCADE;
alter table folder_metadata add constraint folder_metadata_folder_fkey FOREIGN KEY (address_id, folder_id) REFERENCES folder(address_id, id) ON DELETE CASCADE;
alter table folder_metadata add constraint folder_metadata_viewer_id_fkey FOREIGN KEY (viewer_id) REFERENCES address(id) ON DELETE CASCADE;
alter table folder_recent add constraint folder_recent_folder_fkey FOREIGN KEY (address_id, folder_id) REFERENCES folder(address_id, id) ON DELETE CASCADE;
alter table folder_subscription add constraint folder_subscription_address_id_fkey FOREIGN KEY (address_id) REFERENCES address(id) ON DELETE CASCADE;
alter table folder_thread add constraint folder_thread_folder_fkey FOREIGN KEY (address_id, folder_id) REFERENCES folder(address_id, id) ON DELETE CASCADE;
alter table greylist add constraint greylist_address_id_fkey FOREIGN KEY (address_id) REFERENCES address(id) ON DELETE CASCADE;
alter table idempotency_key add constraint idempotency_key_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE;
alter table identity add constraint identity_address_id_fkey FOREIGN KEY (address_id) REFERENCES address(id) ON DELETE CASCADE;
alter table label add constraint label_address_id_fkey FOREIGN KEY (address_id) REFERENCES address(id) ON DELETE CASCADE;
alter table listed_sender add constraint listed_sender_address_id_fkey FOREIGN KEY (address_id) REFERENCES address(id) ON DELETE CASCADE;
alter table listed_sender add constraint listed_sender_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES domain(id) ON DELETE CASCADE;
alter table mail_export add constraint mail_export_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE;
alter table mailbox add constraint mailbox_address_id_fkey FOREIGN KEY (address_id) REFERENCES address(id) ON DELETE CASCADE;
alter table message add constraint message_address_id_fkey FOREIGN KEY (address_id) REFERENCES mailbox(address_id) ON DELETE CASCADE;
alter table message_folder add constraint message_folder_folder_fkey FOREIGN KEY (address_id, folder_id) REFERENCES folder(address_id, id);
alter table message_folder add constraint message_folder_message_fkey FOREIGN KEY (address_id, message_id) REFERENCES message(address_id, id) ON UPDATE CASCADE ON DELETE CASCADE;
alter table message_search add constraint message_search_message_fkey FOREIGN KEY (address_id, message_id) REFERENCES message(address_id, id) ON UPDATE CASCADE ON DELETE CASCADE;
alter table message_unindexed add constraint message_unindexed_message_fkey FOREIGN KEY (address_id, message_id) REFERENCES message(address_id, id) ON UPDATE CASCADE ON DELETE CASCADE;
alter table payment_method add constraint payment_method_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE;
alter table payment_transaction add constraint payment_transaction_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE;
alter table push_subscription add constraint push_subscription_address_id_fkey FOREIGN KEY (address_id) REFERENCES address(id) ON DELETE CASCADE;
alter table push_subscription add constraint push_subscription_app_password_fkey FOREIGN KEY (address_id, app_password_id) REFERENCES app_password(address_id, id) ON DELETE CASCADE;
alter table queue_attempt add constraint queue_attempt_message_id_fkey FOREIGN KEY (message_id) REFERENCES queue_message(id) ON DELETE CASCADE;
alter table queue_message add constraint queue_message_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE;
alter table queue_recipient add constraint queue_recipient_message_id_fkey FOREIGN KEY (message_id) REFERENCES queue_message(id) ON DELETE CASCADE;
alter table quota_warning add constraint quota_warning_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE;
alter table receipt add constraint receipt_address_id_fkey FOREIGN KEY (address_id) REFERENCES address(id) ON DELETE CASCADE;
alter table recovery_change add constraint recovery_change_address_id_fkey FOREIGN KEY (address_id) REFERENCES address(id) ON DELETE CASCADE;
alter table recovery_code add constraint recovery_code_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE;
alter table recovery_token add constraint recovery_token_address_id_fkey FOREIGN KEY (address_id) REFERENCES address(id) ON DELETE CASCADE;
alter table referral_credit add constraint referral_credit_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE;
alter table refused_recipient add constraint refused_recipient_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE;
alter table refused_recipient add constraint refused_recipient_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES domain(id) ON DELETE CASCADE;
alter table report add constraint report_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES domain(id) ON DELETE CASCADE;
alter table sending_day add constraint sending_day_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE;
alter table session add constraint session_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE;
alter table share add constraint share_address_id_fkey FOREIGN KEY (address_id) REFERENCES address(id) ON DELETE CASCADE;
alter table share add constraint share_with_address_id_fkey FOREIGN KEY (with_address_id) REFERENCES address(id) ON DELETE CASCADE;
alter table sieve_memory add constraint sieve_memory_address_id_fkey FOREIGN KEY (address_id) REFERENCES address(id) ON DELETE CASCADE;
alter table sieve_script add constraint sieve_script_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE;
alter table sieve_script add constraint sieve_script_address_id_fkey FOREIGN KEY (address_id) REFERENCES address(id) ON DELETE CASCADE;
alter table soft_bounce add constraint soft_bounce_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE;
alter table spam_lesson add constraint spam_lesson_address_id_fkey FOREIGN KEY (address_id) REFERENCES address(id) ON DELETE CASCADE;
alter table spam_pending add constraint spam_pending_address_id_fkey FOREIGN KEY (address_id) REFERENCES address(id) ON DELETE CASCADE;
alter table spam_training add constraint spam_training_address_id_fkey FOREIGN KEY (address_id) REFERENCES address(id) ON DELETE CASCADE;
alter table spam_word add constraint spam_word_address_id_fkey FOREIGN KEY (address_id) REFERENCES address(id) ON DELETE CASCADE;
alter table submission add constraint submission_address_id_fkey FOREIGN KEY (address_id) REFERENCES address(id) ON DELETE CASCADE;
alter table submission_recipient add constraint submission_recipient_submission_fkey FOREIGN KEY (address_id, submission_id) REFERENCES submission(address_id, id) ON DELETE CASCADE;
alter table subscription add constraint subscription_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE;
alter table suppression add constraint suppression_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE;
alter table tax_id add constraint tax_id_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE;
alter table thread_link add constraint thread_link_message_fkey FOREIGN KEY (address_id, message_id) REFERENCES message(address_id, id) ON UPDATE CASCADE ON DELETE CASCADE;
alter table transfer add constraint transfer_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE;
alter table transfer add constraint transfer_address_id_fkey FOREIGN KEY (address_id) REFERENCES address(id) ON DELETE CASCADE;
alter table transfer_folder add constraint transfer_folder_transfer_id_fkey FOREIGN KEY (transfer_id) REFERENCES transfer(id) ON DELETE CASCADE;
alter table two_factor add constraint two_factor_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE;
alter table vacation add constraint vacation_address_id_fkey FOREIGN KEY (address_id) REFERENCES address(id) ON DELETE CASCADE;
alter table viewed add constraint viewed_share_fkey FOREIGN KEY (address_id, viewer_id) REFERENCES share(address_id, with_address_id) ON DELETE CASCADE;
alter table webhook_attempt add constraint webhook_attempt_delivery_id_fkey FOREIGN KEY (delivery_id) REFERENCES webhook_delivery(id) ON DELETE CASCADE;
alter table webhook_delivery add constraint webhook_delivery_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoint(id) ON DELETE CASCADE;
alter table webmail_session add constraint webmail_session_address_id_fkey FOREIGN KEY (address_id) REFERENCES address(id) ON DELETE CASCADE;
alter table webmail_settings add constraint webmail_settings_address_id_fkey FOREIGN KEY (address_id) REFERENCES address(id) ON DELETE CASCADE;
