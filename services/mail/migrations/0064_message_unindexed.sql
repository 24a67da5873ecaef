-- What can be searched for from the moment it is stored, and waits for the indexes of message_search: filling those takes
-- longer than all else of a delivery, so it is done in batches beside it. A search looks into both tables.

create table message_unindexed (
  address_id uuid not null,
  message_id uuid not null,
  -- As in message_search; null where nobody has read the bytes for them yet.
  words tsvector,
  text text,
  headers text,
  primary key (address_id, message_id),
  constraint message_unindexed_message_fkey foreign key (address_id, message_id) references message (address_id, id)
    on update cascade on delete cascade
);

-- Every search reads these rows, and they are gone in a minute: not compressed, and in one piece while they fit a page.
alter table message_unindexed
  alter column words set storage external,
  alter column text set storage external,
  alter column headers set storage external,
  set (toast_tuple_target = 8160, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

-- message.indexed stays for processes of the version before: they add messages with false, and make them findable by
-- themselves. This version adds them with true, and takes over those that it finds with false (store.index, each minute).
-- Until all processes are of this version, each of them finds what the other one added a minute later at most. The column
-- and message_not_indexed go in a later version, since both could be dropped only when nobody reads them any more.
