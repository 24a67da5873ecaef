-- What customers pay for. The payment provider holds the truth; these tables mirror it, and are written from what is read
-- there, never from the body of a callback.

-- The account at the provider. `sync_due_at` is the queue of customers that are to be read again, and `sync_claims` its
-- fence. Readings are numbered as they begin, and one that began earlier than the one written last is thrown away;
-- `synced_at` is the moment before that one began. An account is not purged before its customer is closed.
create table billing_customer (
  account_id uuid primary key references account (id),
  reference text not null unique,
  balance_cents bigint not null default 0,
  sync_due_at timestamptz,
  sync_claims integer not null default 0,
  sync_attempts integer not null default 0,
  sync_error text,
  readings integer not null default 0,
  reading_written integer not null default 0,
  synced_at timestamptz,
  created_at timestamptz not null
);
create index billing_customer_due on billing_customer (reference, sync_due_at, account_id) where sync_due_at is not null;
create index billing_customer_synced_at on billing_customer (synced_at nulls first);

-- A subscription without a reference is of a plan without a price, and is renewed here.
alter table subscription
  add column reference text unique,
  add column pending_plan text,
  add column past_due_at timestamptz,
  add column price_cents integer not null default 0,
  add column currency text not null default 'eur';

-- The clock of unpaid invoices, beside the account, because each mail asks for it. It outlives a subscription that was
-- cancelled for not being paid.
alter table account add column past_due_at timestamptz;
create index account_past_due_at on account (past_due_at) where past_due_at is not null;

-- What the account was told of its unpaid invoices, each step once. The clock is the moment that the steps count from:
-- `past_due_at`, or the end of a trial.
create table dunning_notice (
  account_id uuid not null references account (id) on delete cascade,
  clock_at timestamptz not null,
  step text not null,
  sent_at timestamptz not null,
  primary key (account_id, clock_at, step)
);

create table payment_method (
  account_id uuid not null references account (id) on delete cascade,
  id uuid not null,
  reference text not null unique,
  type text not null,
  brand text,
  last4 text,
  exp_month integer,
  exp_year integer,
  is_default boolean not null,
  created_at timestamptz not null,
  primary key (account_id, id)
);
create unique index payment_method_default on payment_method (account_id) where is_default;

create table payment_transaction (
  account_id uuid not null references account (id) on delete cascade,
  id uuid not null,
  reference text not null unique,
  type text not null check (type in ('charge', 'refund', 'credit')),
  status text not null check (status in ('pending', 'paid', 'failed', 'refunded', 'void')),
  amount_cents bigint not null,
  tax_cents bigint not null,
  currency text not null,
  description text,
  number text,
  invoice_url text,
  period_start timestamptz,
  period_end timestamptz,
  created_at timestamptz not null,
  settled_at timestamptz,
  primary key (account_id, id)
);
create index payment_transaction_created_at on payment_transaction (account_id, created_at desc, id desc);

-- Hosted pages that were opened. The reference is written once the provider has answered.
create table checkout (
  account_id uuid not null references account (id) on delete cascade,
  id uuid not null,
  mode text not null check (mode in ('subscription', 'setup')),
  plan text,
  success_url text not null,
  cancel_url text not null,
  reference text unique,
  url text,
  status text not null check (status in ('open', 'complete', 'expired')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (account_id, id)
);
create unique index checkout_open on checkout (account_id) where mode = 'subscription' and status = 'open';

-- Who is changing what an account pays for: one at a time, also across processes, and not in a transaction, because the
-- provider may be slow. A change whose outcome nobody has seen is tried again with the key that it had.
create table billing_change (
  account_id uuid primary key references account (id) on delete cascade,
  holder uuid,
  held_until timestamptz not null,
  intent text,
  key uuid,
  tried_at timestamptz
);

-- Callbacks that were taken, by the provider's id, so that each is acted on once. Those without a customer of ours are kept
-- only to be recognised.
create table payment_event (
  id text primary key,
  type text not null,
  customer text,
  received_at timestamptz not null
);
create index payment_event_received_at on payment_event (received_at);

-- What the provider says that a plan costs.
create table plan_price (
  plan text primary key,
  reference text not null,
  price_cents integer not null,
  currency text not null,
  interval text not null check (interval in ('month', 'year')),
  trial_days integer not null default 0,
  read_at timestamptz not null
);

-- Credit for whoever invited an account that has paid: once for each.
create table referral_credit (
  referred_id uuid primary key,
  account_id uuid not null references account (id) on delete cascade,
  amount_cents integer not null,
  currency text not null,
  reference text unique,
  created_at timestamptz not null,
  credited_at timestamptz
);
create index referral_credit_account on referral_credit (account_id);

alter table tax_id add column reference text;
