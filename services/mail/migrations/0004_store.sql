-- The store: ids of messages may change when threads merge, snoozed mail knows where it came from, and lists and searches
-- of one mailbox do not read those of others.

create extension if not exists btree_gin;

-- RFC 8621 section 3: the thread of an Email never changes, so a message that joins another thread gets a new id.
alter table message_folder
  drop constraint message_folder_message_fkey,
  add constraint message_folder_message_fkey foreign key (address_id, message_id) references message (address_id, id)
    on update cascade on delete cascade;
alter table thread_link
  drop constraint thread_link_message_fkey,
  add constraint thread_link_message_fkey foreign key (address_id, message_id) references message (address_id, id)
    on update cascade on delete cascade;
alter table message_search
  drop constraint message_search_message_fkey,
  add constraint message_search_message_fkey foreign key (address_id, message_id) references message (address_id, id)
    on update cascade on delete cascade;

-- The folders that a snoozed message goes back to.
alter table message add column snoozed_from uuid[];

-- Changes have no date. A mark says which modseq was reached when; once it is old enough, the floor is raised to it.
alter table mailbox
  add column mark_modseq bigint not null default 0,
  add column marked_at timestamptz;

create index mailbox_marked_at on mailbox (marked_at nulls first);

-- Header fields as `name:value` in the form in which text is compared, each between two \x01: few searches ask for them.
alter table message_search add column headers text not null default '';

create index message_unread on message (address_id, received_at desc, id desc)
  where not (keywords && '{$seen,$draft}'::text[]);
create index message_flagged on message (address_id, received_at desc, id desc)
  where keywords @> '{$flagged}'::text[];

drop index message_search_words;
drop index message_search_text;
create index message_search_words on message_search using gin (address_id, words);
create index message_search_text on message_search using gin (address_id, text gin_trgm_ops);
