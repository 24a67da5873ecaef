-- Mailboxes that are copied from other servers over IMAP.

create table transfer (
  id uuid primary key,
  account_id uuid not null references account (id) on delete cascade,
  -- The mailbox that the mail goes to.
  address_id uuid not null references address (id) on delete cascade,
  host text not null,
  port integer not null,
  security text not null,
  username text not null,
  -- Sealed with the transfer's id as context; gone when the transfer has ended.
  sealed_password text,
  -- Paths on the source, each with what is below it; null is all of them.
  folders text[],
  exclude_folders text[] not null default '{}',
  since timestamptz,
  status text not null default 'queued',
  -- Null until the source has told.
  folders_total integer,
  folders_done integer not null default 0,
  messages_total integer,
  messages_copied integer not null default 0,
  messages_skipped integer not null default 0,
  messages_failed integer not null default 0,
  bytes_copied bigint not null default 0,
  current_folder text,
  error text,
  -- How often in a row it was tried without getting anywhere.
  attempts integer not null default 0,
  -- Where the mailbox stood before the first message came: what is newer came with this transfer.
  first_modseq bigint,
  -- When it is to be worked on: the end of the lease while somebody does.
  next_at timestamptz not null,
  lease_token uuid,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  constraint transfer_status_check check (status in ('queued', 'running', 'completed', 'failed', 'cancelled')),
  constraint transfer_security_check check (security in ('tls', 'starttls', 'none')),
  constraint transfer_password_check check ((status in ('queued', 'running')) = (sealed_password is not null)),
  constraint transfer_finished_check check ((status in ('queued', 'running')) = (finished_at is null))
);

create unique index transfer_active_key on transfer (address_id) where status in ('queued', 'running');
create index transfer_account_id on transfer (account_id, created_at, id);
create index transfer_address_id on transfer (address_id);
create index transfer_next_at on transfer (next_at) where status in ('queued', 'running');

-- The folders of the source that a transfer copies, in their order, and how far it is.
create table transfer_folder (
  transfer_id uuid not null references transfer (id) on delete cascade,
  ordinal integer not null,
  -- On the source.
  path text not null,
  -- Here.
  target_path text not null,
  role text,
  -- Of the source; another one means that its UIDs name other messages.
  uid_validity bigint,
  -- Everything up to here is done.
  last_uid bigint not null default 0,
  -- What was in it when the transfer began.
  messages integer not null default 0,
  -- It shows the messages of all folders: only those that are in no other one are taken from it.
  is_rest boolean not null default false,
  done boolean not null default false,
  primary key (transfer_id, ordinal)
);
