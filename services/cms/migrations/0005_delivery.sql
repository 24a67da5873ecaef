-- Every order in which delivery lists entries without naming a field: read forwards or backwards, never sorted.
create index entry_delivery_title_idx on entry (type, title, id) where status = 'published' and deleted_at is null;
create index entry_delivery_created_idx on entry (type, created_at, id) where status = 'published' and deleted_at is null;
create index entry_delivery_updated_idx on entry (type, live_updated_at, id) where status = 'published' and deleted_at is null;
