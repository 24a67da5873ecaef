-- Mail that programs send, and what became of it.

create table email (
  account_id uuid not null references account (id) on delete cascade,
  -- Also that of the message in the queue, as long as it is there.
  id uuid not null,
  -- As it was when the mail was sent; keys and domains may go.
  api_key_id uuid not null,
  domain_id uuid not null,
  message_id text not null,
  -- Addresses as they were given, with their names.
  sender text not null,
  to_list text[] not null,
  cc_list text[],
  bcc_list text[],
  reply_to_list text[],
  subject text not null,
  headers jsonb not null default '{}',
  tags jsonb not null default '[]',
  -- What they are; their bytes are in the message.
  attachments jsonb not null default '[]',
  topic_id text,
  status text not null,
  last_event text not null,
  scheduled_at timestamptz,
  sent_at timestamptz,
  created_at timestamptz not null,
  primary key (account_id, id),
  constraint email_status_check check (status in ('queued', 'scheduled', 'sending', 'sent', 'delivered', 'delayed', 'bounced', 'complained', 'failed', 'suppressed', 'cancelled')),
  constraint email_last_event_check check (last_event in ('queued', 'scheduled', 'sent', 'delivered', 'delivery_delayed', 'bounced', 'complained', 'failed', 'suppressed', 'canceled', 'opened', 'clicked'))
) with (fillfactor = 80);

create index email_tags on email using gin (tags jsonb_path_ops) where tags <> '[]';

-- Forgotten before the rest.
create table email_body (
  account_id uuid not null,
  email_id uuid not null,
  html text,
  text text,
  created_at timestamptz not null,
  primary key (account_id, email_id),
  constraint email_body_email_id_fkey foreign key (account_id, email_id) references email (account_id, id) on delete cascade
);

create index email_body_created_at on email_body (created_at);

create table email_event (
  account_id uuid not null,
  email_id uuid not null,
  id uuid not null,
  type text not null,
  -- Null: of the mail as a whole.
  recipient text,
  detail text,
  created_at timestamptz not null,
  primary key (account_id, email_id, id),
  constraint email_event_email_id_fkey foreign key (account_id, email_id) references email (account_id, id) on delete cascade,
  constraint email_event_type_check check (type in ('queued', 'scheduled', 'sent', 'delivered', 'delivery_delayed', 'bounced', 'complained', 'failed', 'suppressed', 'canceled', 'opened', 'clicked'))
);

-- These are news only once.
create unique index email_event_once on email_event (account_id, email_id, type, recipient)
  where type in ('delivery_delayed', 'complained');

-- How many mails an account has: counting them takes long.
create table email_count (
  account_id uuid primary key references account (id) on delete cascade,
  total bigint not null
) with (fillfactor = 50);

-- What was answered to requests that may come again.
create table idempotency_key (
  account_id uuid not null references account (id) on delete cascade,
  route text not null,
  key text not null,
  request_hash bytea not null,
  response jsonb not null,
  created_at timestamptz not null,
  primary key (account_id, route, key)
);

create index idempotency_key_created_at on idempotency_key (created_at);
