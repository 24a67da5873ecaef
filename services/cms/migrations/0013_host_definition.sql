-- What the host declared about its pages at its last start, for every process of this database.

create table host_definition (
  kind text primary key check (kind in ('visual', 'website', 'design')),
  definition jsonb not null,
  stored_at timestamptz not null
);

-- Who did something, through what: plugins act for a person, or by themselves.
alter table activity drop constraint activity_via_check;
alter table activity add constraint activity_via_check
  check (via in ('session', 'agent', 'system', 'assistant', 'plugin'));
