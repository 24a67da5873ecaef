-- What the operator does about spam, and what mailboxes hear of their Junk folder.

-- The owner may set one thing and leave sign-ups to the environment.
alter table instance_setting alter column signups drop not null;
-- DNS lists as Postfix writes them: `zone=127.0.0.[2..11]*4`.
alter table instance_setting add column dnsbl text[] not null default '{}';
alter table instance_setting add column dnswl text[] not null default '{}';
alter table instance_setting add column domain_dnsbl text[] not null default '{}';
alter table instance_setting add column greylisting boolean not null default false;
alter table instance_setting add column greylisting_minutes integer not null default 5;

-- Lists of senders have networks, too: those that are blocked are asked for before the mail is.
create index listed_sender_blocked_network on listed_sender (list_id) where action = 'block' and strpos(pattern, '@') = 0;

-- Who was asked to come back later, and who did.
create table greylist (
  address_id uuid not null references address (id) on delete cascade,
  -- Of the server that sends: 24 bits of IPv4, 64 of IPv6. Large senders try again from a neighbour.
  network cidr not null,
  -- Of the envelope, in lower case.
  sender text not null,
  first_seen_at timestamptz not null,
  -- Null while it waits.
  passed_at timestamptz,
  expires_at timestamptz not null,
  primary key (address_id, network, sender)
);

create index greylist_waiting on greylist (network) where passed_at is null;
create index greylist_expires_at on greylist (expires_at);

-- A mail that lists what was put in Junk. What came before `digest_at` was listed, or came before anybody asked for it.
alter table address add column digest text not null default 'off';
alter table address add column digest_at timestamptz;
alter table address add constraint address_digest_check check (digest in ('off', 'daily', 'weekly'));
create index address_digest on address (digest_at, id) where digest <> 'off';
