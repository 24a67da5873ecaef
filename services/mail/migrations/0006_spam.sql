-- Messages that somebody moved into or out of Junk, until the classifier has learned from them.
create table spam_pending (
  address_id uuid not null references address (id) on delete cascade,
  blob_key text not null,
  verdict text not null,
  created_at timestamptz not null,
  primary key (address_id, blob_key),
  constraint spam_pending_verdict_check check (verdict in ('spam', 'ham'))
);

create index spam_pending_created_at on spam_pending (created_at);
