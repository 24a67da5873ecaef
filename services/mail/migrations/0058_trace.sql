-- The trace of an account: what became of all its mail, also of mail that belongs to no mailbox.

-- Recipients that nobody is. Equal ones of the same minute are one line, and a domain has so many lines in a minute;
-- further ones are counted in a line without a recipient.
create table refused_recipient (
  account_id uuid not null references account (id) on delete cascade,
  id uuid not null,
  domain_id uuid not null references domain (id) on delete cascade,
  sender text,
  recipient text,
  remote_ip inet,
  count integer not null,
  created_at timestamptz not null,
  primary key (account_id, id)
);

create index refused_recipient_domain on refused_recipient (domain_id, created_at);
create index refused_recipient_created_at on refused_recipient (created_at);

-- What the trace shows of mail that programs send, and what the overview counts.
create index email_event_outcome on email_event (account_id, created_at, id)
  where type in ('delivered', 'delivery_delayed', 'bounced', 'failed', 'suppressed');
