-- What happened to mail of a domain that belongs to no mailbox: recipients that nobody is, and mail that programs send.

create table domain_activity (
  account_id uuid not null references account (id) on delete cascade,
  id uuid not null,
  domain_id uuid not null references domain (id) on delete cascade,
  type text not null,
  direction text not null,
  sender text,
  -- Null: further recipients of the same minute, more than are told apart.
  recipient text,
  subject text,
  message_id text,
  size_bytes bigint,
  remote_ip inet,
  result text,
  -- Equal ones of the same minute are one line.
  count integer not null default 1,
  created_at timestamptz not null,
  primary key (account_id, id),
  constraint domain_activity_type_check check (type in ('sent', 'rejected', 'bounced', 'deferred')),
  constraint domain_activity_direction_check check (direction in ('in', 'out'))
);

create index domain_activity_domain on domain_activity (domain_id, created_at);
create index domain_activity_created_at on domain_activity (created_at);
