-- What the last look at the service found. One row.
create table health_report (
  is_only boolean primary key default true,
  -- Null until the first look.
  checked_at timestamptz,
  checks jsonb not null default '[]',
  -- When somebody last asked for a look.
  requested_at timestamptz,
  constraint health_report_is_only_check check (is_only)
);
