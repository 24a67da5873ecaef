-- What the migrations beside this file make, written by `npm run schema`. A test compares the two.

set check_function_bodies = off;

create table account (
  id uuid not null,
  email text not null,
  name text not null,
  role text not null,
  password_hash text not null,
  version integer default 1 not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  updated_by uuid,
  deactivated_at timestamp with time zone,
  constraint account_email_check CHECK (length(email) >= 3 AND length(email) <= 254),
  constraint account_name_check CHECK (length(name) >= 1 AND length(name) <= 200),
  constraint account_pkey PRIMARY KEY (id),
  constraint account_role_check CHECK (role = ANY (ARRAY['viewer'::text, 'author'::text, 'editor'::text, 'admin'::text, 'owner'::text]))
);

create table login_limit (
  bucket bytea not null,
  failures integer not null,
  pending integer not null,
  ends_at timestamp with time zone not null,
  constraint login_limit_bucket_check CHECK (length(bucket) = 32),
  constraint login_limit_failures_check CHECK (failures >= 0),
  constraint login_limit_pending_check CHECK (pending >= 0),
  constraint login_limit_pkey PRIMARY KEY (bucket)
);

create table session (
  id uuid not null,
  account_id uuid not null,
  token_hash bytea not null,
  ip text not null,
  user_agent text,
  created_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  constraint session_pkey PRIMARY KEY (id),
  constraint session_token_hash_check CHECK (length(token_hash) = 32),
  constraint session_token_hash_key UNIQUE (token_hash)
);

CREATE UNIQUE INDEX account_email_key ON account USING btree (lower(email COLLATE "C")) WHERE deactivated_at IS NULL;
CREATE INDEX account_updated_by_idx ON account USING btree (updated_by);
CREATE INDEX login_limit_ends_at_idx ON login_limit USING btree (ends_at);
CREATE INDEX session_account_id_idx ON session USING btree (account_id);
CREATE INDEX session_expires_at_idx ON session USING btree (expires_at);

alter table account add constraint account_updated_by_fkey FOREIGN KEY (updated_by) REFERENCES account(id);
alter table session add constraint session_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id);
