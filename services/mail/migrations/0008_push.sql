-- Where mail programs want to be told what changes while they are not connected (RFC 8620 §7.2).
create table push_subscription (
  address_id uuid not null references address (id) on delete cascade,
  id uuid not null,
  -- What it was made with: it ends with the app password, or with the password of the mailbox.
  app_password_id uuid,
  password_stamp text not null,
  scope text not null,
  device_client_id text not null,
  url text not null,
  -- With these the messages are encrypted for the client (RFC 8291).
  p256dh text,
  auth text,
  -- Null: all.
  types text[],
  verification_code text not null,
  verified boolean not null default false,
  expires_at timestamptz not null,
  -- How far each account was told of, by its id.
  told jsonb not null default '{}',
  attempts integer not null default 0,
  -- Not before; null: as soon as something changes.
  due_at timestamptz,
  -- One process at a time sends for it.
  leased_until timestamptz,
  lease uuid,
  created_at timestamptz not null,
  primary key (address_id, id),
  constraint push_subscription_app_password_fkey foreign key (address_id, app_password_id)
    references app_password (address_id, id) on delete cascade
);

create index push_subscription_due_at on push_subscription (due_at) where due_at is not null;
create index push_subscription_app_password_id on push_subscription (address_id, app_password_id)
  where app_password_id is not null;
