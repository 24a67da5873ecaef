-- A change of fields changes what the entries there are can be found by and what they point at. The type says which
-- state of its fields counts, each entry which one it was written under, and background work brings them together.
alter table content_type add column search_version integer not null default 0;
-- Every entry is of this state at least: where it is behind, there is work left.
alter table content_type add column search_synced integer not null default 0;
alter table entry_search add column fields_version integer not null default 0;
