-- Fields whose keys were changed, with when: revisions keep their data as it was, and are read under the present keys.
alter table content_type add column renames jsonb not null default '[]';
