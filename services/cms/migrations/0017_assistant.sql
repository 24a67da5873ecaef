-- The one AI provider of the site. The row stays when it is disconnected: limits are the site's.
create table ai_provider (
  id smallint primary key default 1 check (id = 1),
  -- Null: none is connected.
  kind text check (kind in ('a', 'b', 'local', 'cloud')),
  model text,
  base_url text,
  credential_from text check (credential_from in ('key', 'oauth')),
  -- The key, or {access, refresh, expiresAt} of a sign-in, sealed.
  sealed text,
  last4 text,
  last_test jsonb,
  site_tokens_per_day bigint not null,
  user_tokens_per_day bigint not null,
  visitor_tokens_per_day bigint not null,
  context_tokens integer not null,
  compact_tools boolean not null default false,
  retention_days integer not null,
  version integer not null default 1,
  updated_at timestamptz not null,
  updated_by uuid references account (id)
);

-- Tokens that were used, and those set aside for a request that runs.
create table ai_usage (
  day date not null,
  -- Null for visitors.
  account_id uuid references account (id),
  feature text not null check (feature in ('assistant', 'field', 'visitor', 'test')),
  tokens_in bigint not null default 0,
  tokens_out bigint not null default 0,
  calls bigint not null default 0,
  unique nulls not distinct (day, feature, account_id)
);

create table assistant_conversation (
  id uuid primary key,
  account_id uuid not null references account (id),
  title text not null,
  -- The turn that runs; only its holder writes to it, until its lease ends or its start is gone.
  turn_message_id uuid,
  turn_boot_id uuid,
  turn_lease_until timestamptz,
  -- Its person wants it to end; the holder looks here besides being told.
  turn_stop_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index assistant_conversation_own on assistant_conversation (account_id, updated_at desc, id);
create index assistant_conversation_age on assistant_conversation (updated_at);
create index assistant_conversation_running on assistant_conversation (turn_lease_until) where turn_message_id is not null;

-- What a person wrote, or the whole turn that answers it.
create table assistant_message (
  id uuid primary key,
  conversation_id uuid not null references assistant_conversation on delete cascade,
  seq integer not null,
  role text not null check (role in ('user', 'assistant')),
  text text not null,
  -- What people see of a turn, in order.
  parts jsonb not null default '[]',
  -- What the model is told of it in later turns: text, calls, results and its own blocks, step by step.
  steps jsonb not null default '[]',
  kind text,
  model text,
  status text not null check (status in ('streaming', 'complete', 'failed', 'stopped')),
  stop text,
  error jsonb,
  tokens_in integer not null default 0,
  tokens_out integer not null default 0,
  client_id uuid,
  context jsonb,
  is_masked boolean not null default false,
  created_at timestamptz not null,
  unique (conversation_id, seq),
  unique (conversation_id, client_id)
);

create table assistant_proposal (
  id uuid primary key,
  conversation_id uuid not null references assistant_conversation on delete cascade,
  message_id uuid not null,
  call_id text not null,
  account_id uuid not null references account (id),
  tool text not null,
  args jsonb not null,
  title text not null,
  reason text not null,
  permission text not null,
  risk text not null check (risk in ('edit', 'live', 'irreversible')),
  verb text not null,
  warning text,
  -- {kind, id, label, screen}
  target jsonb not null,
  -- [{method, route, params, body, version, record, done}]
  requests jsonb not null,
  -- {kind, id, version}
  base jsonb not null,
  changes jsonb not null,
  status text not null check (status in ('proposed', 'applied', 'dismissed', 'superseded', 'failed')),
  is_edited boolean not null default false,
  error jsonb,
  created_at timestamptz not null,
  applied_at timestamptz,
  expires_at timestamptz not null
);
create index assistant_proposal_conversation on assistant_proposal (conversation_id, created_at, id);
create index assistant_proposal_open on assistant_proposal (account_id, created_at desc, id) where status = 'proposed';

