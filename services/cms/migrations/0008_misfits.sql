-- After a change of fields, stored values may not be right for their field any more: they stay, and are shown as empty.
-- Each entry says which of its values those are, as it is shown and with its unpublished changes; the type says which
-- keys are among them, so that all other fields are sorted and filtered by their plain values and indexes.
alter table entry_search add column misfits text[];
alter table entry_search add column pending_misfits text[];
alter table content_type add column misfits text[] not null default '{}';
-- Types that changed before: everything is looked at once.
update content_type set search_version = search_version + 1 where search_version > 0;
