-- Further DKIM keys, so that a leaked one can be replaced, and the senders that the owner of a domain allows or blocks.

-- The number of the next key: a selector is never used again, since old signatures and copies of its record live on.
-- Every domain was made with the keys s1 and s2.
alter table domain add column next_key integer not null default 3;

create table domain_sender (
  domain_id uuid not null references domain (id) on delete cascade,
  id uuid not null,
  -- Lower case, its domain in ASCII: one address, or @ and a domain.
  pattern text not null,
  action text not null,
  created_at timestamptz not null,
  primary key (domain_id, id),
  constraint domain_sender_pattern_key unique (domain_id, pattern),
  constraint domain_sender_action_check check (action in ('allow', 'block'))
);
