-- Bounces are believed for one recipient only: each has a return path of its own. Mail to programs that was in the queue
-- before keeps its token, which then stands for every recipient of that mail.

alter table queue_recipient
  add column return_path text,
  -- Its failures are events instead of reports by mail, and what comes to this token is about this recipient.
  add column bounce_token text;

update queue_recipient r set return_path = m.return_path, bounce_token = m.bounce_token
from queue_message m where m.id = r.message_id;

alter table queue_recipient alter column return_path set not null;
alter table queue_message drop column return_path, drop column bounce_token;

create index queue_recipient_bounce_token on queue_recipient (bounce_token) where bounce_token is not null;

-- How long a bounce suppresses a recipient; null: without end.
alter table account add column bounce_suppression_days integer default 90
  constraint account_bounce_suppression_days_check check (bounce_suppression_days between 1 and 3650);

-- What the service found out itself never suppresses; these are its own words, which no peer says without a code.
delete from suppression where origin = 'bounce' and reason in (
  'the domain accepts no mail',
  'the domain does not exist or has no mail host',
  'the mail hosts of the domain have no addresses',
  'the mail hosts of the domain have no public address',
  'the address is not valid');

-- The others end, too, counted from now on: nobody is written to again the moment the service is updated.
update suppression set expires_at = now() + interval '90 days' where origin = 'bounce' and expires_at is null;

-- Mail that is sent on instead of being stored (postmaster, abuse, returned forwards), as `receipt` for mailboxes.
create table relay_receipt (
  hash bytea primary key,
  acknowledged boolean not null default false,
  created_at timestamptz not null
);

create index relay_receipt_created_at on relay_receipt (created_at);
