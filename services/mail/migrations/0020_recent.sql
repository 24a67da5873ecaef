-- Up to which UID messages of a folder have been recent to a session (RFC 3501 section 2.3.2). Apart from the folder, so
-- that readers do not wait for those who deliver.
create table folder_recent (
  address_id uuid not null,
  folder_id uuid not null,
  uid bigint not null,
  primary key (address_id, folder_id),
  constraint folder_recent_folder_fkey foreign key (address_id, folder_id) references folder (address_id, id)
    on delete cascade
);
