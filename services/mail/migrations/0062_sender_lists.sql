-- Senders that are allowed or blocked in one mailbox, in a domain, or on the whole instance.

create table listed_sender (
  id uuid primary key,
  address_id uuid references address (id) on delete cascade,
  domain_id uuid references domain (id) on delete cascade,
  -- Whose list it is on: the mailbox's, else the domain's, else the instance's. A delivery looks into all three at once.
  list_id uuid not null
    generated always as (coalesce(address_id, domain_id, '00000000-0000-0000-0000-000000000000')) stored,
  -- Lower case, its domain in ASCII: one address, or @ and a domain.
  pattern text not null,
  action text not null,
  created_at timestamptz not null,
  constraint listed_sender_pattern_key unique (list_id, pattern),
  constraint listed_sender_action_check check (action in ('allow', 'block')),
  constraint listed_sender_owner_check check (num_nonnulls(address_id, domain_id) <= 1)
);

create index listed_sender_address on listed_sender (address_id) where address_id is not null;
create index listed_sender_domain on listed_sender (domain_id) where domain_id is not null;

insert into listed_sender (id, domain_id, pattern, action, created_at)
select id, domain_id, pattern, action, created_at from domain_sender;

drop table domain_sender;
