-- Certificates that the service orders itself, and who it is at the certificate authority (kit/acme).

-- Who we are at a certificate authority.
create table acme_account (
  -- The authority's own address.
  directory text primary key,
  -- The account's private key, sealed with the directory as context.
  sealed_key text not null,
  -- Null until the authority knows the account.
  url text,
  -- Times in a row that the authority could not be asked.
  failures integer not null default 0,
  -- Nothing is asked of the authority before: it said so, or it could not be reached.
  wait_until timestamptz,
  -- The one process that orders, and when it is taken for dead.
  lease_id uuid,
  leased_until timestamptz,
  created_at timestamptz not null
);

-- One certificate for each host name.
create table certificate (
  name text primary key,
  -- The authority that was last asked for it. Another one is asked at once.
  directory text not null,
  -- Null until there is one. The key is sealed with the name as context.
  chain text,
  sealed_key text,
  not_before timestamptz,
  not_after timestamptz,
  -- When it is ordered, renewed, or tried again.
  next_attempt_at timestamptz not null,
  attempted_at timestamptz,
  failures integer not null default 0,
  last_error text,
  created_at timestamptz not null,
  check (num_nulls(chain, sealed_key, not_before, not_after) in (0, 4))
);
create index certificate_due on certificate (next_attempt_at);
create index certificate_attempted on certificate (attempted_at) where attempted_at is not null;

-- What an authority is about to look for at /.well-known/acme-challenge/. It is no secret.
create table acme_challenge (
  token text primary key,
  answer text not null,
  expires_at timestamptz not null
);
