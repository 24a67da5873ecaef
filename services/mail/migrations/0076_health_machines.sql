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
