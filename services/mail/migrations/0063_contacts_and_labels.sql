-- Contacts that somebody keeps by hand, and how labels are shown.

-- Kept contacts are never forgotten, and their names are the owner's.
alter table contact add column note text;
alter table contact add column is_saved boolean not null default false;
-- Nobody has been written to yet whom somebody only wrote down.
alter table contact alter column last_used_at drop not null;

create table label (
  address_id uuid not null references address (id) on delete cascade,
  -- The IMAP keyword.
  name text not null,
  display_name text not null,
  color text,
  updated_at timestamptz not null,
  primary key (address_id, name)
);
