-- People who can sign in. A deactivated account stays, so that what it wrote keeps its author.
create table account (
  id uuid primary key,
  email text not null check (length(email) between 3 and 254),
  name text not null check (length(name) between 1 and 200),
  role text not null check (role in ('viewer', 'author', 'editor', 'admin', 'owner')),
  password_hash text not null,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  updated_by uuid references account (id),
  deactivated_at timestamptz
);

-- One active account per address, whatever its case. "C" makes lower() the same in every database.
create unique index account_email_key on account (lower(email collate "C")) where deactivated_at is null;
create index account_updated_by_idx on account (updated_by);

-- One sign-in. The row stays after its end, so that the answer can say why the token no longer works.
create table session (
  id uuid primary key,
  account_id uuid not null references account (id),
  token_hash bytea not null check (length(token_hash) = 32),
  ip text not null,
  user_agent text,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  constraint session_token_hash_key unique (token_hash)
);

create index session_account_id_idx on session (account_id);
create index session_expires_at_idx on session (expires_at);

-- Password guesses per client, and per client and address. In the database, because processes must share the count.
create table login_limit (
  bucket bytea primary key check (length(bucket) = 32),
  failures integer not null check (failures >= 0),
  pending integer not null check (pending >= 0),
  ends_at timestamptz not null
);

create index login_limit_ends_at_idx on login_limit (ends_at);
