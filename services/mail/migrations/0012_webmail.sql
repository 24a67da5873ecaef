-- Webmail sessions: the browser of somebody who owns a mailbox. They last twelve hours, and no longer than the password
-- that opened them.

create table webmail_session (
  address_id uuid not null references address (id) on delete cascade,
  id uuid not null,
  token_hash bytea not null,
  -- Says that the password is still the same one, and nothing about it.
  password_stamp text not null,
  ip inet,
  user_agent text,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (address_id, id),
  constraint webmail_session_token_hash_key unique (token_hash)
);
