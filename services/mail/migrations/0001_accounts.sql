-- The customers of the instance. Times come from the service's clock, so no column defaults to now().

create table account (
  id uuid primary key,
  email text not null,
  email_verified_at timestamptz,
  pending_email text,
  password_hash text not null,
  name text,
  company text,
  role text not null,
  timezone text not null default 'UTC',
  locale text not null default 'en',
  -- Only what differs from the defaults.
  notifications jsonb not null default '{}',
  referral_code text not null,
  referred_by uuid references account (id) on delete set null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  last_login_at timestamptz,
  constraint account_email_key unique (email),
  constraint account_referral_code_key unique (referral_code),
  constraint account_email_check check (email = lower(email) and length(email) <= 254),
  constraint account_pending_email_check check (pending_email = lower(pending_email) and length(pending_email) <= 254),
  constraint account_role_check check (role in ('owner', 'member'))
);

create unique index account_owner_key on account (role) where role = 'owner';
create index account_referred_by on account (referred_by);

create table session (
  account_id uuid not null references account (id) on delete cascade,
  id uuid not null,
  token_hash bytea not null,
  ip inet,
  user_agent text,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (account_id, id),
  constraint session_token_hash_key unique (token_hash)
);

-- Wrong passwords per key (a hash of who tries what) until a moment. A right password removes the row.
create table password_attempt (
  key bytea primary key,
  used integer not null,
  ends_at timestamptz not null
);

create index password_attempt_ends_at on password_attempt (ends_at);
