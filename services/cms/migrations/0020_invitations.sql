-- Invitations, passwords reset by mail, pictures of people, and the field that somebody works at.

create table invitation (
  id uuid primary key,
  email text not null,
  -- How the inviter calls the person; they choose their own name.
  name text,
  role text not null check (role in ('viewer', 'author', 'editor', 'admin', 'owner')),
  -- SHA-256 of the token in the link.
  token_hash bytea not null check (length(token_hash) = 32),
  expires_at timestamptz not null,
  -- The mail with the present link was handed over.
  is_sent boolean not null,
  version integer not null default 1,
  created_at timestamptz not null,
  created_by uuid not null references account (id),
  updated_at timestamptz not null,
  -- Who issued the present link: it gives no more than they could give now.
  updated_by uuid not null references account (id),
  constraint invitation_token_hash_key unique (token_hash)
);

create unique index invitation_email_key on invitation (lower(email collate "C"));
create index invitation_expires_at_idx on invitation (expires_at);

create table password_reset (
  token_hash bytea primary key check (length(token_hash) = 32),
  account_id uuid not null references account (id),
  -- The address that the link went to, and SHA-256 of the password's hash then: once either changes, the link is void.
  email text not null,
  password_digest bytea not null check (length(password_digest) = 32),
  expires_at timestamptz not null
);

create index password_reset_account_id_idx on password_reset (account_id);
create index password_reset_expires_at_idx on password_reset (expires_at);

alter table account add column avatar_id uuid references media (id) on delete set null;

alter table presence add column field text, add column field_at timestamptz;
