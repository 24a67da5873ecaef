-- The app that a site registered at a network. One that stands in the environment only has no row, or one that
-- switches it off.
create table social_app (
  network text primary key,
  client_id text not null,
  -- Sealed with the network's name as context; null when there is none.
  secret_sealed text,
  secret_last4 text,
  enabled boolean not null,
  -- Addresses, version and scopes in place of the network's own.
  overrides jsonb not null default '{}',
  -- From then on its accounts may be used again; a limit of the app holds for all of them.
  paused_until timestamptz,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  updated_by uuid references account (id)
);

-- Sign-ins at another service that have begun: the table of kit/oauth.
create table oauth_state (
  -- SHA-256 of the state that the browser carries.
  state_hash bytea primary key check (length(state_hash) = 32),
  -- Which part of the service began it.
  purpose text not null,
  -- Who began it: a session or an account.
  subject text not null,
  -- PKCE verifier and payload, sealed with the hash as context.
  sealed text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index oauth_state_expires_at on oauth_state (expires_at);

-- A page, profile, organization or channel that posts go to. It outlives its app: what was connected keeps working
-- until its tokens end.
create table social_account (
  id text collate "C" primary key,
  network text not null,
  -- The network's own id.
  remote_id text not null,
  name text not null,
  handle text,
  avatar_url text,
  profile_url text,
  kind text not null check (kind in ('page', 'profile', 'organization', 'channel')),
  -- Where it was connected, and with which client id: kept when the app is forgotten or moved.
  endpoints jsonb not null,
  client_id text not null,
  -- Sealed with the account's id as context.
  access_token_sealed text,
  refresh_token_sealed text,
  access_expires_at timestamptz,
  refresh_expires_at timestamptz,
  -- When the tokens were last new: some may not be renewed on their first day.
  tokens_at timestamptz not null,
  scopes text[] not null,
  missing_scopes text[] not null default '{}',
  capabilities jsonb not null default '{}',
  capabilities_at timestamptz,
  status text not null check (status in ('active', 'needs_reconnect', 'disconnected')),
  -- Shown to people: the network's words, or ours.
  status_reason text,
  status_since timestamptz not null,
  paused_until timestamptz,
  connected_by uuid references account (id),
  connected_at timestamptz not null,
  last_used_at timestamptz,
  version integer not null default 1,
  updated_at timestamptz not null,
  unique (network, remote_id)
);

create table social_post (
  id text collate "C" primary key,
  caption text not null,
  -- By network, in place of `caption`.
  captions jsonb not null default '{}',
  -- [{mediaId, alt}]; alt null takes that of the media record.
  media jsonb not null default '[]',
  -- By network or account id; the account's wins.
  options jsonb not null default '{}',
  link text,
  note text,
  -- Roll-up of the targets, for lists; written with them.
  status text not null check (status in ('draft', 'scheduled', 'publishing', 'posted', 'partial', 'failed')),
  scheduled_at timestamptz,
  author_id uuid references account (id),
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  updated_by uuid references account (id),
  deleted_at timestamptz
);
create index social_post_newest on social_post (created_at desc, id desc) where deleted_at is null;
create index social_post_status on social_post (status, created_at desc, id desc) where deleted_at is null;

-- Files that posts show: looked up when a file is deleted.
create table social_post_media (
  post_id text collate "C" not null references social_post on delete cascade,
  media_id uuid not null references media (id) on delete cascade,
  primary key (post_id, media_id)
);
create index social_post_media_media on social_post_media (media_id);

-- One post for one account, and the queue of the worker.
create table social_target (
  id text collate "C" primary key,
  post_id text collate "C" not null references social_post on delete cascade,
  account_id text collate "C" not null references social_account,
  network text not null,
  status text not null check (status in ('draft', 'scheduled', 'publishing', 'posted', 'failed')),
  -- What went out, or goes out: kept when the post is edited after it.
  caption text not null,
  options jsonb not null default '{}',
  -- When the person wants it out: the late guard counts from it.
  due_at timestamptz,
  step text check (step in ('prepare', 'upload', 'wait', 'committing', 'confirm')),
  -- Ids that the network gave out, kept before the next call.
  progress jsonb not null default '{}',
  -- Tries since it was scheduled or sent by hand.
  attempts integer not null default 0,
  -- Waiting: when it is tried next. Publishing: when its worker is taken for dead. Done: null.
  next_attempt_at timestamptz,
  -- Counts claims: a result counts only while its claim is the latest.
  fence integer not null default 0,
  -- When the first try of this content began.
  started_at timestamptz,
  -- Since when the network works on pictures or a video, and how often it was asked in this step.
  waiting_since timestamptz,
  polls integer not null default 0,
  -- A try may have posted it: whoever calls it a duplicate then says that it is live.
  is_unsure boolean not null default false,
  remote_id text,
  url text,
  posted_at timestamptz,
  -- When a better address is looked for, and how often it was.
  look_again_at timestamptz,
  looks integer not null default 0,
  error jsonb,
  warnings text[] not null default '{}',
  -- New with new content: a network would answer a known one with the old post.
  idempotency_key text not null,
  -- Of text and files: the same for one account twice in a day is worth a warning.
  content_hash bytea not null,
  -- Sent by hand: pauses do not hold it up this once.
  is_urgent boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (post_id, account_id),
  check ((status in ('scheduled', 'publishing')) <= (next_attempt_at is not null)),
  check ((status in ('draft', 'posted')) <= (next_attempt_at is null))
);
create index social_target_due on social_target (account_id, next_attempt_at, id) where next_attempt_at is not null;
-- One at a time for each account, whatever the number of processes.
create unique index social_target_publishing on social_target (account_id) where status = 'publishing';
create index social_target_content on social_target (account_id, content_hash);
create index social_target_calendar on social_target (due_at) where due_at is not null;
create index social_target_posted on social_target (posted_at) where posted_at is not null;
create index social_target_look_again on social_target (look_again_at) where look_again_at is not null;

-- Every try, for people who want to know what happened.
create table social_attempt (
  target_id text collate "C" not null references social_target on delete cascade,
  n integer not null,
  started_at timestamptz not null,
  ended_at timestamptz,
  step text,
  outcome text,
  error jsonb,
  primary key (target_id, n)
);

-- A picture in the form that a network wants, which it reads by its address.
create table social_rendition (
  -- SHA-256 of the token in the address.
  token_hash bytea primary key check (length(token_hash) = 32),
  target_id text collate "C" not null references social_target on delete cascade,
  blob_key text not null,
  mime_type text not null,
  size bigint not null,
  width integer not null,
  height integer not null,
  created_at timestamptz not null,
  -- 24 hours after the target was posted or given up; null until then.
  expires_at timestamptz
);
create index social_rendition_target on social_rendition (target_id);
create index social_rendition_expires_at on social_rendition (expires_at) where expires_at is not null;
