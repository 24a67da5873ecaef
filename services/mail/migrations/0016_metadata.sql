-- Annotations of folders and of the server (RFC 5464). `viewer_id`: whose entry it is, of one that is private and not the
-- owner's.
create table folder_metadata (
  address_id uuid not null references address (id) on delete cascade,
  folder_id uuid,
  viewer_id uuid references address (id) on delete cascade,
  name text not null,
  value bytea not null,
  constraint folder_metadata_key unique nulls not distinct (address_id, folder_id, viewer_id, name),
  constraint folder_metadata_folder_fkey foreign key (address_id, folder_id) references folder (address_id, id)
    on delete cascade,
  constraint folder_metadata_size_check check (length(name) <= 1000 and length(value) <= 65536)
);

create index folder_metadata_viewer_id on folder_metadata (viewer_id) where viewer_id is not null;

-- Names that somebody subscribed to and that are no folder of their own: deleted ones (RFC 9051 section 6.3.7), and those
-- of mailboxes that others share.
create table folder_subscription (
  address_id uuid not null references address (id) on delete cascade,
  name text not null,
  primary key (address_id, name),
  constraint folder_subscription_name_check check (length(name) <= 6000)
);

-- RFC 9051 section 6.4.4: BEFORE, ON and SINCE look at the day that INTERNALDATE shows, in the zone it was given in. In
-- minutes east of UTC.
alter table message add column received_zone smallint not null default 0;

-- STATUS counts messages that other counts leave out.
create index message_folder_deleted on message_folder (address_id, folder_id, uid) where deleted;
create index message_draft on message (address_id, id) where keywords @> '{$draft}'::text[];
