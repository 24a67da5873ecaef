-- The mail engine: what is hosted, the store, receiving, filtering, and the queue outward.
-- Tables of the store begin with address_id, the mailbox, so that they can be partitioned and sharded by it.

create extension if not exists pg_trgm;

alter table account
  add column plan text not null default 'unlimited',
  add column suspended_at timestamptz;

-- What is hosted ----------------------------------------------------------------------------------------------------

create table domain (
  id uuid primary key,
  account_id uuid not null references account (id) on delete cascade,
  -- Lower case, in its ASCII form.
  name text not null,
  -- The value of the TXT record that proves who owns the name.
  ownership_token text not null,
  -- When that record was first seen: only then mail for the domain is ours.
  verified_at timestamptz,
  catch_all_address_id uuid,
  fallback_domain_id uuid references domain (id) on delete set null,
  tls text not null default 'opportunistic',
  dmarc_policy text not null default 'none',
  mta_sts_mode text not null default 'none',
  open_tracking boolean not null default false,
  click_tracking boolean not null default false,
  note text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Nobody sees it any more; a job removes what belongs to it.
  deleted_at timestamptz,
  constraint domain_name_check check (name = lower(name) and length(name) <= 253),
  constraint domain_tls_check check (tls in ('opportunistic', 'enforced')),
  constraint domain_dmarc_policy_check check (dmarc_policy in ('none', 'quarantine', 'reject')),
  constraint domain_mta_sts_mode_check check (mta_sts_mode in ('none', 'testing', 'enforce'))
);

create unique index domain_name_key on domain (name) where deleted_at is null;
create index domain_account_id on domain (account_id);
create index domain_fallback_domain_id on domain (fallback_domain_id);
create index domain_deleted_at on domain (deleted_at) where deleted_at is not null;

create table dkim_key (
  domain_id uuid not null references domain (id) on delete cascade,
  id uuid not null,
  selector text not null,
  algorithm text not null,
  key_bits integer not null,
  sealed_private_key text not null,
  -- As in the DNS record: base64 of the SubjectPublicKeyInfo.
  public_key text not null,
  active boolean not null default false,
  created_at timestamptz not null,
  activated_at timestamptz,
  primary key (domain_id, id),
  constraint dkim_key_selector_key unique (domain_id, selector),
  constraint dkim_key_algorithm_check check (algorithm in ('rsa-sha256', 'ed25519-sha256'))
);

create unique index dkim_key_active_key on dkim_key (domain_id) where active;

create table address (
  id uuid primary key,
  account_id uuid not null references account (id) on delete cascade,
  domain_id uuid not null references domain (id) on delete cascade,
  local_part text not null,
  -- local_part@domain, in lower case.
  email text not null,
  name text,
  password_hash text not null,
  enabled boolean not null default true,
  send_enabled boolean not null default true,
  -- Null: only the plan limits it.
  quota_bytes bigint,
  forward_to text[] not null default '{}',
  keep_copy boolean not null default true,
  recovery_email text,
  spam_threshold real not null default 5,
  require_app_password boolean not null default false,
  last_login_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  constraint address_email_check check (email = lower(email) and length(email) <= 254),
  constraint address_quota_bytes_check check (quota_bytes >= 0)
);

create unique index address_email_key on address (email) where deleted_at is null;
create index address_domain_id on address (domain_id);
create index address_account_id on address (account_id);
create index address_deleted_at on address (deleted_at) where deleted_at is not null;

-- Every local part that leads to an address: its own, its aliases, and patterns with one `*`. Unique together.
create table address_name (
  domain_id uuid not null references domain (id) on delete cascade,
  local_part text not null,
  address_id uuid not null references address (id) on delete cascade,
  kind text not null,
  primary key (domain_id, local_part),
  constraint address_name_kind_check check (kind in ('address', 'alias', 'pattern')),
  constraint address_name_local_part_check check (local_part = lower(local_part) and length(local_part) <= 64)
);

create index address_name_address_id on address_name (address_id);
create index address_name_pattern on address_name (domain_id) where kind = 'pattern';

create table app_password (
  address_id uuid not null references address (id) on delete cascade,
  id uuid not null,
  name text not null,
  scopes text[] not null,
  token_hash bytea not null,
  token_prefix text not null,
  last_used_at timestamptz,
  last_used_ip inet,
  expires_at timestamptz,
  created_at timestamptz not null,
  primary key (address_id, id),
  constraint app_password_token_hash_key unique (token_hash)
);

-- Recipients that an account has sent to, per UTC day.
create table sending_day (
  account_id uuid not null references account (id) on delete cascade,
  day date not null,
  recipients integer not null,
  primary key (account_id, day)
);

-- The store ---------------------------------------------------------------------------------------------------------

-- The one sequencer of a mailbox: each transaction that writes to it first takes the next modseq here and keeps the row
-- locked until it commits, so that whoever has seen a modseq has seen all before it.
create table mailbox (
  address_id uuid primary key references address (id) on delete cascade,
  modseq bigint not null default 1,
  -- Changes and expunged messages up to here have been forgotten.
  floor bigint not null default 0,
  used_bytes bigint not null default 0,
  message_count integer not null default 0,
  next_uid_validity bigint not null
) with (fillfactor = 50);

create table folder (
  address_id uuid not null references mailbox (address_id) on delete cascade,
  id uuid not null,
  parent_id uuid,
  name text not null,
  role text,
  position integer not null default 0,
  subscribed boolean not null default true,
  uid_validity bigint not null,
  uid_next bigint not null default 1,
  -- Of messages that are not marked \Deleted.
  total integer not null default 0,
  unread integer not null default 0,
  threads integer not null default 0,
  unread_threads integer not null default 0,
  size_bytes bigint not null default 0,
  -- Messages older than this are removed by themselves.
  purge_days integer,
  created_modseq bigint not null,
  -- Of name, place, role and subscription.
  modseq bigint not null,
  -- Of the counts above.
  counts_modseq bigint not null,
  primary key (address_id, id),
  constraint folder_name_key unique nulls not distinct (address_id, parent_id, name),
  constraint folder_parent_fkey foreign key (address_id, parent_id) references folder (address_id, id),
  constraint folder_role_check check (role in ('inbox', 'drafts', 'sent', 'archive', 'junk', 'trash', 'snoozed')),
  constraint folder_counts_check check (total >= 0 and unread >= 0 and threads >= 0 and unread_threads >= 0 and size_bytes >= 0)
) with (fillfactor = 50);

create unique index folder_role_key on folder (address_id, role) where role is not null;

create table message (
  address_id uuid not null references mailbox (address_id) on delete cascade,
  id uuid not null,
  thread_id uuid not null,
  -- What was received, bit by bit.
  blob_key text not null,
  -- Header fields of ours that stand before it.
  prefix bytea not null default '',
  -- Of prefix and blob together.
  size integer not null,
  -- Where everything is in the blob (not counting the prefix), see mime/stored.ts.
  structure bytea not null,
  keywords text[] not null default '{}',
  received_at timestamptz not null,
  -- The Date field.
  sent_at timestamptz,
  subject text,
  preview text not null,
  has_attachment boolean not null,
  -- {from, to, cc, bcc, replyTo, sender: {name, email}[], messageId, inReplyTo, references: string[]}
  envelope jsonb not null,
  -- What lists are sorted by.
  from_sort text not null,
  to_sort text not null,
  subject_sort text not null,
  snoozed_until timestamptz,
  created_modseq bigint not null,
  modseq bigint not null,
  -- Whether message_search has it.
  indexed boolean not null default false,
  primary key (address_id, id)
);

create index message_thread_id on message (address_id, thread_id);
create index message_received_at on message (address_id, received_at desc, id desc);
create index message_modseq on message (address_id, modseq);
create index message_not_indexed on message (address_id) where not indexed;
create index message_snoozed on message (snoozed_until) where snoozed_until is not null;

create table message_folder (
  address_id uuid not null,
  folder_id uuid not null,
  uid bigint not null,
  message_id uuid not null,
  modseq bigint not null,
  -- \Deleted of this copy; such rows are only there for IMAP.
  deleted boolean not null default false,
  -- That of the message, for lists by date without a join.
  received_at timestamptz not null,
  added_at timestamptz not null,
  primary key (address_id, folder_id, uid),
  constraint message_folder_message_key unique (address_id, message_id, folder_id),
  constraint message_folder_folder_fkey foreign key (address_id, folder_id) references folder (address_id, id),
  constraint message_folder_message_fkey foreign key (address_id, message_id) references message (address_id, id) on delete cascade
);

create index message_folder_received_at on message_folder (address_id, folder_id, received_at desc, message_id desc) where not deleted;
create index message_folder_modseq on message_folder (address_id, folder_id, modseq);

-- How many messages of a thread a folder has: where the counts of threads come from.
create table folder_thread (
  address_id uuid not null,
  folder_id uuid not null,
  thread_id uuid not null,
  total integer not null,
  unread integer not null,
  primary key (address_id, folder_id, thread_id),
  constraint folder_thread_counts_check check (total > 0 and unread >= 0 and unread <= total),
  constraint folder_thread_folder_fkey foreign key (address_id, folder_id) references folder (address_id, id) on delete cascade
);

-- Message ids that a message has or refers to, each with the subject without its prefixes: both join it to a thread.
create table thread_link (
  address_id uuid not null,
  id_hash bytea not null,
  subject_hash bytea not null,
  message_id uuid not null,
  thread_id uuid not null,
  primary key (address_id, id_hash, subject_hash, message_id),
  constraint thread_link_message_fkey foreign key (address_id, message_id) references message (address_id, id) on delete cascade
);

create index thread_link_message_id on thread_link (address_id, message_id);

create table expunged (
  address_id uuid not null references mailbox (address_id) on delete cascade,
  folder_id uuid not null,
  modseq bigint not null,
  uid bigint not null,
  primary key (address_id, folder_id, modseq, uid)
);

-- Everything that changed, of every kind: JMAP's changes, pushes, refreshes.
create table change (
  address_id uuid not null references mailbox (address_id) on delete cascade,
  kind text not null,
  modseq bigint not null,
  object_id uuid not null,
  op text not null,
  primary key (address_id, kind, modseq, object_id),
  constraint change_kind_check check (kind in ('folder', 'folder_counts', 'message', 'thread', 'submission', 'identity', 'vacation', 'script', 'quota')),
  constraint change_op_check check (op in ('created', 'updated', 'destroyed'))
);

create table message_search (
  address_id uuid not null,
  message_id uuid not null,
  -- Words of each field behind a letter: s subject, f from, t to, c cc, b body, a names of attachments.
  words tsvector not null,
  -- Normalised text for searches for any part of a word.
  text text not null,
  primary key (address_id, message_id),
  constraint message_search_message_fkey foreign key (address_id, message_id) references message (address_id, id) on delete cascade
);

create index message_search_words on message_search using gin (words);
create index message_search_text on message_search using gin (text gin_trgm_ops);

-- Who needs a blob. One that nobody needs is collected after a grace period.
create table blob_link (
  -- An address, or an account.
  owner_id uuid not null,
  blob_key text not null,
  kind text not null,
  ref_id uuid not null,
  size bigint not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  primary key (owner_id, blob_key, kind, ref_id),
  constraint blob_link_kind_check check (kind in ('message', 'upload', 'queue', 'email'))
);

create index blob_link_blob_key on blob_link (blob_key);
create index blob_link_ref_id on blob_link (ref_id);
create index blob_link_expires_at on blob_link (expires_at) where expires_at is not null;

-- Receiving ---------------------------------------------------------------------------------------------------------

-- A message that was stored: until its sender has heard so, its next try is the same message.
create table receipt (
  address_id uuid not null references address (id) on delete cascade,
  hash bytea not null,
  acknowledged boolean not null default false,
  created_at timestamptz not null,
  primary key (address_id, hash)
);

create index receipt_created_at on receipt (created_at);

create table activity (
  address_id uuid not null references address (id) on delete cascade,
  id uuid not null,
  type text not null,
  direction text,
  sender text,
  recipient text,
  subject text,
  -- Of the header field.
  message_id text,
  size_bytes bigint,
  remote_ip inet,
  result text,
  created_at timestamptz not null,
  primary key (address_id, id),
  constraint activity_type_check check (type in ('received', 'sent', 'rejected', 'bounced', 'deferred', 'spam', 'login', 'login_failed', 'filter_error')),
  constraint activity_direction_check check (direction in ('in', 'out'))
);

create index activity_created_at on activity (created_at);

-- What moving mail into and out of Junk has taught, per mailbox.
create table spam_training (
  address_id uuid primary key references address (id) on delete cascade,
  spam integer not null,
  ham integer not null
);

create table spam_word (
  address_id uuid not null references address (id) on delete cascade,
  word bigint not null,
  spam integer not null,
  ham integer not null,
  primary key (address_id, word)
);

-- Which way a message was taught, so that it can be unlearned.
create table spam_lesson (
  address_id uuid not null references address (id) on delete cascade,
  blob_key text not null,
  verdict text not null,
  primary key (address_id, blob_key),
  constraint spam_lesson_verdict_check check (verdict in ('spam', 'ham'))
);

create table sieve_script (
  id uuid primary key,
  account_id uuid not null references account (id) on delete cascade,
  -- Null: every address of the account.
  address_id uuid references address (id) on delete cascade,
  origin text not null,
  name text not null,
  source text not null,
  enabled boolean not null,
  position integer not null default 0,
  extensions text[] not null default '{}',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint sieve_script_origin_check check (origin in ('panel', 'client')),
  constraint sieve_script_client_check check (origin = 'panel' or address_id is not null)
);

create unique index sieve_script_client_name_key on sieve_script (address_id, name) where origin = 'client';
create unique index sieve_script_client_active_key on sieve_script (address_id) where origin = 'client' and enabled;
create index sieve_script_account_id on sieve_script (account_id);
create index sieve_script_address_id on sieve_script (address_id);

-- What scripts remember until a moment: whom a vacation notice was sent to, which message was seen.
create table sieve_memory (
  address_id uuid not null references address (id) on delete cascade,
  kind text not null,
  hash bytea not null,
  expires_at timestamptz not null,
  primary key (address_id, kind, hash),
  constraint sieve_memory_kind_check check (kind in ('vacation', 'duplicate'))
);

create index sieve_memory_expires_at on sieve_memory (expires_at);

-- Sending -----------------------------------------------------------------------------------------------------------

create table queue_message (
  id uuid primary key,
  -- Null: the service itself (notices, reports of failures).
  account_id uuid references account (id) on delete cascade,
  address_id uuid,
  source text not null,
  blob_key text not null,
  -- Header fields of ours that stand before the blob: Received, signatures of a forward.
  prefix bytea not null default '',
  size integer not null,
  -- Empty for the null sender.
  return_path text not null,
  -- Whose key signs it; null for what must not be signed.
  signing_domain_id uuid,
  -- The local part at MAIL_HOSTNAME that reports of failures come back to.
  bounce_token text,
  -- Header fields, for traces.
  message_id text,
  header_from text,
  subject text,
  needs_utf8 boolean not null default false,
  needs_8bit boolean not null default false,
  requires_tls boolean not null default false,
  -- RFC 3461
  envid text,
  ret text,
  not_before timestamptz not null,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  constraint queue_message_source_check check (source in ('submission', 'api', 'webmail', 'jmap', 'sieve', 'forward', 'dsn', 'system')),
  constraint queue_message_ret_check check (ret in ('full', 'hdrs')),
  constraint queue_message_bounce_token_key unique (bounce_token)
);

create index queue_message_account_id on queue_message (account_id, created_at desc);
create index queue_message_address_id on queue_message (address_id, created_at desc);
create index queue_message_message_id on queue_message (message_id);
create index queue_message_created_at on queue_message (created_at);

create table queue_recipient (
  message_id uuid not null references queue_message (id) on delete cascade,
  ordinal integer not null,
  recipient text not null,
  -- Where it goes to, in ASCII.
  domain text not null,
  state text not null default 'queued',
  attempts integer not null default 0,
  next_at timestamptz not null,
  -- Who works on it holds the token until then; with another token its result is refused.
  lease_until timestamptz,
  lease_token uuid,
  -- RFC 3461: never, or any of success, failure, delay.
  notify text[],
  orcpt text,
  last_code integer,
  last_status text,
  last_reply text,
  last_host text,
  delay_told_at timestamptz,
  finished_at timestamptz,
  primary key (message_id, ordinal),
  constraint queue_recipient_state_check check (state in ('queued', 'sending', 'deferred', 'delivered', 'bounced', 'failed', 'suppressed', 'cancelled'))
);

create index queue_recipient_next_at on queue_recipient (next_at) where state in ('queued', 'sending', 'deferred');
create index queue_recipient_domain on queue_recipient (domain, next_at) where state in ('queued', 'sending', 'deferred');
create index queue_recipient_recipient on queue_recipient (recipient);

create table queue_attempt (
  message_id uuid not null references queue_message (id) on delete cascade,
  ordinal integer not null,
  attempt integer not null,
  host text,
  ip inet,
  -- What secured it: none, opportunistic, mta-sts, dane; and the protocol.
  policy text,
  tls text,
  code integer,
  status text,
  reply text,
  duration_ms integer not null,
  created_at timestamptz not null,
  primary key (message_id, ordinal, attempt)
);

-- Destinations that do not answer are left alone for a while, all their mail together.
create table queue_destination (
  domain text primary key,
  failures integer not null,
  failing_since timestamptz not null,
  retry_at timestamptz not null
);

create table suppression (
  account_id uuid not null references account (id) on delete cascade,
  id uuid not null,
  email text not null,
  origin text not null,
  reason text,
  source_id uuid,
  expires_at timestamptz,
  created_at timestamptz not null,
  primary key (account_id, id),
  constraint suppression_email_key unique (account_id, email),
  constraint suppression_origin_check check (origin in ('bounce', 'complaint', 'manual')),
  constraint suppression_email_check check (email = lower(email))
);

-- Temporary failures per recipient; many in a week are a permanent one.
create table soft_bounce (
  account_id uuid not null references account (id) on delete cascade,
  email text not null,
  created_at timestamptz not null,
  message_id uuid not null,
  primary key (account_id, email, message_id)
);

create table mta_sts_policy (
  domain text primary key,
  policy_id text not null,
  mode text not null,
  mx text[] not null,
  fetched_at timestamptz not null,
  expires_at timestamptz not null,
  constraint mta_sts_policy_mode_check check (mode in ('none', 'testing', 'enforce'))
);

-- Per UTC day, for TLS reports (RFC 8460).
create table tls_counter (
  day date not null,
  domain text not null,
  policy_type text not null,
  host text not null,
  -- 'success', or the kind of failure.
  result text not null,
  sessions integer not null,
  primary key (day, domain, policy_type, host, result)
);

create table report (
  domain_id uuid not null references domain (id) on delete cascade,
  id uuid not null,
  type text not null,
  org text not null,
  -- Of the reporter: a report that comes twice is stored once.
  report_id text not null,
  begins_at timestamptz not null,
  ends_at timestamptz not null,
  pass integer not null,
  fail integer not null,
  rows jsonb not null,
  created_at timestamptz not null,
  primary key (domain_id, id),
  constraint report_type_check check (type in ('dmarc', 'tls')),
  constraint report_report_id_key unique (domain_id, type, org, report_id)
);
