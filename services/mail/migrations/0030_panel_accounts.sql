-- Second factor, links by mail, and what the instance's owner decides.

alter table account
  -- Since when a code is asked at sign-in; null: none is.
  add column totp_enabled_at timestamptz,
  -- Nobody sees it any more; a job removes the row once nothing hangs on it.
  add column deleted_at timestamptz,
  add column weekly_summary_at timestamptz;

create index account_deleted_at on account (deleted_at) where deleted_at is not null;

-- What an account shares with its authenticator app: given out until it is enabled, asked for afterwards.
create table two_factor (
  account_id uuid primary key references account (id) on delete cascade,
  sealed_secret text not null,
  started_at timestamptz not null,
  -- The step of the last code that was taken: a code is good once.
  last_step integer
);

create table recovery_code (
  account_id uuid not null references account (id) on delete cascade,
  code_hash bytea not null,
  primary key (account_id, code_hash)
);

-- Links that were mailed to the owner of an account. A new one of a purpose takes the place of the old one.
create table account_token (
  account_id uuid not null references account (id) on delete cascade,
  purpose text not null,
  token_hash bytea not null,
  -- The address that it was sent to and proves.
  email text not null,
  expires_at timestamptz not null,
  primary key (account_id, purpose),
  constraint account_token_token_hash_key unique (token_hash),
  constraint account_token_purpose_check check (purpose in ('verify', 'email_change', 'reset'))
);

-- Links that were mailed to the recovery address of a mailbox.
create table recovery_token (
  address_id uuid primary key references address (id) on delete cascade,
  token_hash bytea not null,
  -- The recovery address that it went to, and a hash of the password's hash: void once either is another one.
  email text not null,
  password_stamp bytea not null,
  expires_at timestamptz not null,
  constraint recovery_token_token_hash_key unique (token_hash)
);

-- The recovery address before the last change, which still hears of recoveries for a day.
create table recovery_change (
  address_id uuid primary key references address (id) on delete cascade,
  previous_email text not null,
  changed_at timestamptz not null
);

-- One row, once the owner has decided something; before that the environment says it.
create table instance_setting (
  is_only boolean primary key default true,
  signups text not null,
  updated_at timestamptz not null,
  constraint instance_setting_is_only_check check (is_only),
  constraint instance_setting_signups_check check (signups in ('open', 'closed'))
);

-- How full a mailbox or an account was when its owner was last told.
create table quota_warning (
  -- An address, or the account itself.
  subject_id uuid primary key,
  account_id uuid not null references account (id) on delete cascade,
  percent integer not null,
  warned_at timestamptz not null
);

create index quota_warning_account_id on quota_warning (account_id);
