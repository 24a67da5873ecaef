-- The owner of the instance looks at the queue: one item is one recipient of one message.

alter table queue_recipient add column id uuid;
update queue_recipient set id = gen_random_uuid();
alter table queue_recipient alter column id set not null;

create unique index queue_recipient_id on queue_recipient (id);

-- Mail for these domains stays in the queue and is not tried; it expires as any other.
create table queue_hold (
  id uuid primary key,
  -- Lower case, in ASCII.
  domain text not null,
  reason text,
  created_at timestamptz not null,
  constraint queue_hold_domain_key unique (domain),
  constraint queue_hold_domain_check check (domain = lower(domain))
);
