-- Tables of kit/webhooks. A service copies this into a migration of its own; kit/webhooks/tables.ts has the row types.

create table webhook_endpoint (
  id text collate "C" primary key,
  -- Whose endpoint it is, as the service says it: an account id, or one word for the whole site.
  owner text not null,
  url text not null,
  -- Event names, or '*' for all.
  events text[] not null check (cardinality(events) > 0),
  -- What the service shows and filters by beyond the members here, such as a name.
  details jsonb not null default '{}',
  -- Sealed with the endpoint's id as context, because it must be read again for each signature.
  secret_sealed text not null,
  -- The part of the secret that may be shown again.
  secret_hint text not null,
  status text not null default 'enabled' check (status in ('enabled', 'disabled')),
  disabled_reason text check (disabled_reason in ('owner', 'gone', 'failing')),
  -- When the first attempt failed since the last success.
  failing_since timestamptz,
  -- Deliveries given up since the last success.
  consecutive_failures integer not null default 0,
  last_success_at timestamptz,
  -- Counts the owner's changes.
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((status = 'disabled') = (disabled_reason is not null))
);
create index webhook_endpoint_owner on webhook_endpoint (owner, created_at, id);

-- One event for one endpoint.
create table webhook_delivery (
  -- The webhook-id header, the same on each attempt.
  id text collate "C" primary key,
  endpoint_id text collate "C" not null references webhook_endpoint on delete cascade,
  owner text not null,
  type text not null,
  -- The body exactly as it is sent and signed.
  payload text not null,
  status text not null check (status in ('pending', 'attempting', 'success', 'failed')),
  -- A test is tried once and says nothing about the endpoint's health.
  is_test boolean not null default false,
  -- Attempts begun. Also the fencing token: a result counts only while its attempt is the latest.
  attempts integer not null default 0,
  -- Failed attempts since it was enqueued or replayed: the place in the retry table.
  retries integer not null default 0,
  -- pending: when it is due. attempting: when its worker is taken for dead and it is due again. Otherwise null.
  next_attempt_at timestamptz,
  last_attempt_at timestamptz,
  response_status integer,
  response_body text,
  error text,
  duration_ms integer,
  created_at timestamptz not null,
  check ((status in ('pending', 'attempting')) = (next_attempt_at is not null))
);
create index webhook_delivery_due on webhook_delivery (endpoint_id, next_attempt_at, id)
  where next_attempt_at is not null;
create index webhook_delivery_endpoint on webhook_delivery (endpoint_id, created_at desc, id desc);
create index webhook_delivery_owner on webhook_delivery (owner, created_at desc, id desc);
create index webhook_delivery_finished on webhook_delivery (endpoint_id, created_at desc, id desc)
  where next_attempt_at is null;
create index webhook_delivery_age on webhook_delivery (created_at) where next_attempt_at is null;

create table webhook_attempt (
  id text collate "C" primary key,
  delivery_id text collate "C" not null references webhook_delivery on delete cascade,
  attempt integer not null,
  sent_at timestamptz not null,
  duration_ms integer not null,
  response_status integer,
  response_body text,
  error text,
  unique (delivery_id, attempt)
);
