-- What webmail keeps for the owner of a mailbox: how they like it, whom they write to, and actions on a whole search.

create table webmail_settings (
  address_id uuid primary key references address (id) on delete cascade,
  -- Only what was chosen; the rest is as the service has it.
  settings jsonb not null,
  updated_at timestamptz not null
);

-- Whom the mailbox has written to, for completion.
create table contact (
  address_id uuid not null references address (id) on delete cascade,
  id uuid not null,
  -- Lower case.
  email text not null,
  name text,
  uses integer not null,
  last_used_at timestamptz not null,
  created_at timestamptz not null,
  primary key (address_id, id),
  constraint contact_email_key unique (address_id, email)
);

create index contact_last_used_at on contact (address_id, last_used_at desc, id);

-- An action on more messages than one request can wait for. Whoever works on it holds its row; each batch is one
-- transaction, so what is done and what is left are never told apart by a crash.
create table bulk_job (
  address_id uuid not null references address (id) on delete cascade,
  id uuid not null,
  action jsonb not null,
  status text not null,
  total integer not null,
  done integer not null default 0,
  not_found integer not null default 0,
  error text,
  attempts integer not null default 0,
  next_at timestamptz not null,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (address_id, id),
  constraint bulk_job_status_check check (status in ('running', 'completed', 'failed'))
);

create index bulk_job_next_at on bulk_job (next_at, id) where status = 'running';
create index bulk_job_finished_at on bulk_job (finished_at) where finished_at is not null;

create table bulk_batch (
  address_id uuid not null,
  job_id uuid not null,
  ordinal integer not null,
  message_ids uuid[] not null,
  primary key (address_id, job_id, ordinal),
  constraint bulk_batch_job_fkey foreign key (address_id, job_id) references bulk_job (address_id, id) on delete cascade
);
