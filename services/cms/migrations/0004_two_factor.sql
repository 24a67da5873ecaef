-- Whether a code is asked at sign-in: two-factor is on once the first code was confirmed.
alter table account add column has_totp boolean not null default false;

-- The secret shared with an authenticator app; of an enrolment while the account has no two-factor yet.
create table two_factor (
  account_id uuid primary key references account (id),
  -- Sealed with the account's id as context, because it must be read again for each code.
  secret_sealed text not null,
  started_at timestamptz not null,
  -- The time step of the last code that was taken: each is good once.
  last_step bigint
);

-- The codes that are left; a used one is removed.
create table recovery_code (
  account_id uuid not null references two_factor (account_id) on delete cascade,
  code_hash bytea not null check (length(code_hash) = 32),
  primary key (account_id, code_hash)
);

-- A delivery key can be renamed and rescoped: whoever wrote for an older version is told when and by whom.
alter table delivery_key add column updated_at timestamptz not null default now();
alter table delivery_key add column updated_by uuid references account (id);
