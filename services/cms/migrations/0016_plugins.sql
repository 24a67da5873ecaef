-- A plugin that was switched on or set up once. Those that were only found in the folder have no row.
create table plugin (
  name text collate "C" primary key,
  enabled boolean not null,
  -- As its folder said when its files were last read; `plugin_file` holds them once it was installed.
  manifest jsonb not null,
  -- SHA-256 over all files, in hex.
  hash text not null,
  -- {permissions, hosts, collections, at, by}: what an admin agreed to.
  approved jsonb,
  -- Values of declared keys; secrets are {sealed, last4}, sealed with name and key as context.
  settings jsonb not null default '{}',
  -- When its sandbox died lately, in any process.
  deaths timestamptz[] not null default '{}',
  last_error text,
  last_error_at timestamptz,
  -- The hash of files that could not be started; `last_error` says why.
  broken_hash text,
  version integer not null default 1,
  -- When it was switched on first; null for one that was only set up.
  installed_at timestamptz,
  updated_at timestamptz not null,
  updated_by uuid references account (id)
);

-- The files that run and are shown: every process has the same ones, whatever its disk holds.
create table plugin_file (
  plugin text collate "C" not null references plugin on delete cascade,
  path text collate "C" not null,
  bytes bytea not null,
  primary key (plugin, path)
);

-- What a plugin keeps.
create table plugin_document (
  plugin text collate "C" not null references plugin on delete cascade,
  collection text collate "C" not null,
  id text collate "C" not null,
  value jsonb not null,
  -- The members of `value` that its collection declares as indexes: lists read these and not whole documents.
  indexed jsonb not null,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (plugin, collection, id)
);

-- Events that a plugin has not handled yet: the queue of the worker.
create table plugin_event (
  id text collate "C" primary key,
  plugin text collate "C" not null references plugin on delete cascade,
  -- The plugin and the record: events of one record come one after the other.
  record text collate "C" not null,
  event text not null,
  -- {event, id, type, slug, at}
  payload jsonb not null,
  due_at timestamptz,
  claims integer not null default 0,
  attempts integer not null default 0,
  created_at timestamptz not null
);
create index plugin_event_waiting on plugin_event (record, id) where due_at is not null;
create index plugin_event_plugin on plugin_event (plugin, due_at, id);

-- When each schedule of a plugin is due next: a queue, too.
create table plugin_schedule (
  -- plugin/name
  id text collate "C" primary key,
  plugin text collate "C" not null references plugin on delete cascade,
  name text not null,
  every_ms bigint not null,
  due_at timestamptz,
  claims integer not null default 0,
  last_at timestamptz
);
create index plugin_schedule_due on plugin_schedule (plugin, due_at, id) where due_at is not null;

-- What plugins did lately, for the people who look after them.
create table plugin_run (
  id text collate "C" primary key,
  plugin text collate "C" not null references plugin on delete cascade,
  at timestamptz not null,
  kind text not null check (kind in ('start', 'route', 'event', 'schedule')),
  name text not null,
  ms integer not null,
  outcome text not null check (outcome in ('done', 'refused', 'failed')),
  message text,
  -- [{level, text}]
  lines jsonb not null default '[]'
);
create index plugin_run_newest on plugin_run (plugin, id desc);
