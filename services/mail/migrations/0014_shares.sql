-- A mailbox that another address of the same customer may use too.
create table share (
  address_id uuid not null references address (id) on delete cascade,
  id uuid not null,
  with_address_id uuid not null references address (id) on delete cascade,
  access text not null,
  created_at timestamptz not null,
  primary key (address_id, id),
  constraint share_with_key unique (address_id, with_address_id),
  constraint share_with_check check (with_address_id <> address_id),
  constraint share_access_check check (access in ('read', 'write', 'full'))
);

create index share_with_address_id on share (with_address_id);

-- What a viewer of a shared mailbox has seen; the owner's marks are the $seen of the message. That the message is there
-- holds because all who write have locked the mailbox: a foreign key would lock each message too.
create table viewed (
  address_id uuid not null,
  viewer_id uuid not null,
  message_id uuid not null,
  primary key (address_id, viewer_id, message_id),
  constraint viewed_share_fkey foreign key (address_id, viewer_id) references share (address_id, with_address_id)
    on delete cascade
);

-- RFC 8457: a folder for it is there only if a client makes one.
alter table folder
  drop constraint folder_role_check,
  add constraint folder_role_check
    check (role in ('inbox', 'drafts', 'sent', 'archive', 'junk', 'trash', 'snoozed', 'important'));

-- What changed is found by `change` and by the rows of folders; nothing asks for messages by their modseq.
drop index message_modseq;
