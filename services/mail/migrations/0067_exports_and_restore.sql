-- Mail can be taken away as a zip file, and what was deleted comes back on demand.

create table mail_export (
  id uuid primary key,
  account_id uuid not null references account (id) on delete cascade,
  -- Null is all addresses of the account.
  address_ids uuid[],
  format text not null,
  status text not null default 'queued',
  -- Null until they are counted.
  messages_total integer,
  messages_done integer not null default 0,
  -- The pieces of the file in their order: `[{key, size}]`.
  pieces jsonb not null default '[]',
  error text,
  -- When it is to be worked on: the end of the lease while somebody does, null when it has ended.
  next_at timestamptz,
  -- How often it was begun; a result counts only while its beginning is the latest.
  claims integer not null default 0,
  created_at timestamptz not null,
  finished_at timestamptz,
  expires_at timestamptz,
  constraint mail_export_format_check check (format in ('mbox', 'maildir')),
  constraint mail_export_status_check check (status in ('queued', 'running', 'completed', 'failed', 'cancelled')),
  constraint mail_export_active_check check ((status in ('queued', 'running')) = (next_at is not null)),
  constraint mail_export_finished_check check ((next_at is null) = (finished_at is not null)),
  constraint mail_export_expires_check check ((next_at is null) = (expires_at is not null))
);

create unique index mail_export_active_key on mail_export (account_id) where next_at is not null;
create index mail_export_account_id on mail_export (account_id, created_at, id);
create index mail_export_next_at on mail_export (next_at, id) where next_at is not null;
create index mail_export_expires_at on mail_export (expires_at) where expires_at is not null;

alter table blob_link drop constraint blob_link_kind_check;
alter table blob_link
  add constraint blob_link_kind_check check (kind in ('message', 'upload', 'queue', 'email', 'export', 'deleted'));

-- What was deleted can be restored for a while.

-- When it is removed for good, and what it takes to bring it back: names, and what pointed at it.
alter table domain add column purge_at timestamptz, add column kept jsonb;
alter table address add column purge_at timestamptz, add column kept jsonb;

-- Messages that are in no folder any more. Their bytes are kept by a link of the kind `deleted`.
create table deleted_message (
  address_id uuid not null references address (id) on delete cascade,
  id uuid not null,
  thread_id uuid not null,
  -- The folder it was in; it may be gone by now.
  folder_id uuid not null,
  blob_key text not null,
  prefix bytea not null,
  size integer not null,
  structure bytea not null,
  headers bytea,
  wire_growth integer not null,
  keywords text[] not null,
  received_at timestamptz not null,
  received_zone smallint not null,
  sent_at timestamptz,
  subject text,
  preview text not null,
  has_attachment boolean not null,
  envelope jsonb not null,
  from_sort text not null,
  to_sort text not null,
  subject_sort text not null,
  -- What joins it to a thread.
  thread_ids bytea[] not null,
  subject_hash bytea,
  deleted_at timestamptz not null,
  purge_at timestamptz not null,
  primary key (address_id, id)
);

create index deleted_message_deleted_at on deleted_message (address_id, deleted_at desc, id desc);
create index deleted_message_purge_at on deleted_message (purge_at);
