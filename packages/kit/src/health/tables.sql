-- Table of kit/health. A service copies this into a migration of its own; kit/health/tables.ts has the row type.

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
