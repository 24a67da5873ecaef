-- Table of kit/oauth. A service copies this into a migration of its own; kit/oauth/tables.ts has the row type.

-- One sign-in at another service that has begun.
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
