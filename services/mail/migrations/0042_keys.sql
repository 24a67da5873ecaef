-- Keys of the sending API.

create table api_key (
  account_id uuid not null references account (id) on delete cascade,
  id uuid not null,
  name text not null,
  permission text not null,
  -- The only domain it sends for. It goes with it: without the domain it would send for all.
  domain_id uuid references domain (id) on delete cascade,
  token_hash bytea not null,
  token_prefix text not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  primary key (account_id, id),
  constraint api_key_token_hash_key unique (token_hash),
  constraint api_key_permission_check check (permission in ('full_access', 'sending_access')),
  constraint api_key_domain_check check (domain_id is null or permission = 'sending_access')
);

create index api_key_domain_id on api_key (domain_id) where domain_id is not null;

create index suppression_created_at on suppression (account_id, created_at);
create index suppression_expires_at on suppression (expires_at) where expires_at is not null;
