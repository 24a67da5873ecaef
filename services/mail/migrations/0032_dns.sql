-- What DNS said about a domain when it was last asked.
create table dns_check (
  domain_id uuid primary key references domain (id) on delete cascade,
  status text not null default 'not_started',
  checked_at timestamptz,
  -- When the job looks again.
  next_check_at timestamptz not null,
  -- When somebody last asked for a check.
  asked_at timestamptz,
  -- Who runs its name servers; null: nobody we know.
  provider text,
  -- By record: {status, found[], message, checkedAt, verifiedAt}
  records jsonb not null default '{}',
  constraint dns_check_status_check check (
    status in ('not_started', 'pending', 'verified', 'partially_verified', 'partially_failed', 'failed')
  )
);

create index dns_check_next_check_at on dns_check (next_check_at);

insert into dns_check (domain_id, next_check_at)
select id, now() from domain where deleted_at is null;
