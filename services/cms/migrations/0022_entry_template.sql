-- What visitors see of a published entry, as JSON with places for the records that it mentions: a read joins texts instead of
-- reading and checking all values anew. It holds for one version of the entry and one state of the fields of its type.
create table entry_template (
  entry_id uuid primary key references entry on delete cascade,
  version integer not null,
  state text not null,
  template text not null
);
-- As the data of entries: read far more often than written.
alter table entry_template alter column template set storage external;
alter table entry_template set (toast_tuple_target = 8160);

-- The search_version under which all published entries of the type have theirs. Those that are there get them from the job
-- that brings entries up to the fields of their types.
alter table content_type add column templates_synced integer not null default 0;
update content_type set templates_synced = -1;
