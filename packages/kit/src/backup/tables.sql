-- Backups that were made or tried (kit/backup). While one is under way, blobs that become unused are not collected.
create table backup_run (
  -- Its name in the destination.
  id text primary key,
  destination text not null,
  started_at timestamptz not null,
  -- Renewed while it is under way; past it, the process that made it is taken for dead.
  lease_until timestamptz not null,
  finished_at timestamptz,
  -- Null when it is under way or has worked.
  error text,
  -- What it contains.
  summary jsonb
);
-- One at a time.
create unique index backup_run_one on backup_run ((true)) where finished_at is null;
create index backup_run_started on backup_run (started_at);
