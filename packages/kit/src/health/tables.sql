-- Tables of kit/health. A service copies this into a migration of its own; kit/health/tables.ts has the row type.

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

-- What was found about each machine: its ports, its clock, its disk.
create table health_machine (
  machine text,
  -- Processes with other roles have other ports.
  roles text,
  -- The process that wrote it, which deletes it when it stops.
  writer text not null,
  checked_at timestamptz not null,
  checks jsonb not null,
  primary key (machine, roles)
);
