-- What the migrations beside this file make, written by `npm run schema`. A test compares the two.

set check_function_bodies = off;

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
  constraint account_email_check CHECK (email = lower(email) AND length(email) <= 254),
  constraint account_email_key UNIQUE (email),
  constraint account_pending_email_check CHECK (pending_email = lower(pending_email) AND length(pending_email) <= 254),
  constraint account_pkey PRIMARY KEY (id),
  constraint account_referral_code_key UNIQUE (referral_code),
  constraint account_role_check CHECK (role = ANY (ARRAY['owner'::text, 'member'::text]))
);

create table password_attempt (
  key bytea not null,
  used integer not null,
  ends_at timestamp with time zone not null,
  constraint password_attempt_pkey PRIMARY KEY (key)
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

CREATE UNIQUE INDEX account_owner_key ON account USING btree (role) WHERE role = 'owner'::text;
CREATE INDEX account_referred_by ON account USING btree (referred_by);
CREATE INDEX password_attempt_ends_at ON password_attempt USING btree (ends_at);

alter table account add constraint account_referred_by_fkey FOREIGN KEY (referred_by) REFERENCES account(id) ON DELETE SET NULL;
alter table session add constraint session_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE;
