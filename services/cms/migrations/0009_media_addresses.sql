-- Addresses that a file had before it was replaced or renamed: texts, mails and search engines still hold them.
create table media_address (
  media_id uuid not null references media (id) on delete cascade,
  -- As in the address: the beginning of the hash.
  hash text not null,
  filename text not null,
  primary key (media_id, hash, filename)
);

-- Files that texts name by their address, and entries that texts link to, count as used. Every entry is read once for it.
update content_type set search_version = search_version + 1;
