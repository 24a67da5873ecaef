-- Table of kit/limits. A service copies this into a migration of its own; kit/limits/tables.ts has the row type.

create table limit_counter (
  -- A hash of what is counted and for whom.
  key bytea primary key,
  window_start timestamptz not null,
  window_ms bigint not null check (window_ms > 0),
  -- Whether the window before still counts in part.
  is_sliding boolean not null,
  -- Taken in the window that began at window_start, and in the one before it.
  count bigint not null check (count >= 0),
  previous bigint not null check (previous >= 0),
  -- From then on the row counts for nothing.
  ends_at timestamptz not null
);
create index limit_counter_ends_at on limit_counter (ends_at);
