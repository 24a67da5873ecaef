-- What accounts subscribed to, and what invoices say about them.

create table subscription (
  id uuid primary key,
  account_id uuid not null references account (id) on delete cascade,
  -- The name of a plan.
  plan text not null,
  status text not null,
  cancel_at_period_end boolean not null default false,
  current_period_start timestamptz not null,
  current_period_end timestamptz not null,
  trial_end timestamptz,
  cancelled_at timestamptz,
  ended_at timestamptz,
  created_at timestamptz not null,
  constraint subscription_status_check check (
    status in ('incomplete', 'trialing', 'active', 'past_due', 'unpaid', 'paused', 'cancelled')
  )
);

create unique index subscription_live_key on subscription (account_id) where ended_at is null;
create index subscription_account_id on subscription (account_id);
create index subscription_current_period_end on subscription (current_period_end) where ended_at is null;

create table tax_id (
  account_id uuid primary key references account (id) on delete cascade,
  type text not null,
  value text not null,
  country text,
  status text not null,
  updated_at timestamptz not null,
  constraint tax_id_status_check check (status in ('pending', 'verified', 'unverified', 'unavailable'))
);
