-- Whom a mailbox writes as, what it sent through JMAP and the webmail, and what it answers while its owner is away.

create table identity (
  address_id uuid not null references address (id) on delete cascade,
  id uuid not null,
  name text not null default '',
  -- As it was given; whether the mailbox may still write as it is asked when it does.
  email text not null,
  -- Lists of {name, email}; null: nothing is added.
  reply_to jsonb,
  bcc jsonb,
  signature_text text not null default '',
  signature_html text not null default '',
  is_default boolean not null default false,
  -- That of the mailbox's own address, which it always has.
  is_own boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (address_id, id)
);

create unique index identity_own_key on identity (address_id) where is_own;
create unique index identity_default_key on identity (address_id) where is_default;

-- Mail that somebody sent by hand. It is known for longer than the queue knows it, so what became of it is kept here.
create table submission (
  address_id uuid not null references address (id) on delete cascade,
  id uuid not null,
  identity_id uuid not null,
  -- The message and its thread when it was sent; both may be gone.
  message_id uuid not null,
  thread_id uuid not null,
  -- In queue_message, as long as it is there.
  queue_id uuid not null,
  -- {email, parameters}
  mail_from jsonb not null,
  send_at timestamptz not null,
  undo_status text not null,
  created_at timestamptz not null,
  primary key (address_id, id),
  constraint submission_queue_id_key unique (queue_id),
  constraint submission_undo_status_check check (undo_status in ('pending', 'final', 'canceled'))
);

create index submission_send_at on submission (address_id, send_at desc, id desc);
create index submission_created_at on submission (created_at);

create table submission_recipient (
  address_id uuid not null,
  submission_id uuid not null,
  -- The same as in the queue.
  ordinal integer not null,
  email text not null,
  parameters jsonb,
  -- A mailbox of ours: that it was delivered means that it is there.
  is_local boolean not null,
  delivered text not null,
  smtp_reply text not null,
  primary key (address_id, submission_id, ordinal),
  constraint submission_recipient_submission_fkey foreign key (address_id, submission_id)
    references submission (address_id, id) on delete cascade,
  constraint submission_recipient_delivered_check check (delivered in ('queued', 'yes', 'no', 'unknown'))
);

-- RFC 8621 section 8. It runs after all scripts of the mailbox.
create table vacation (
  address_id uuid primary key references address (id) on delete cascade,
  enabled boolean not null,
  from_date timestamptz,
  to_date timestamptz,
  subject text,
  text_body text,
  html_body text,
  updated_at timestamptz not null
);
