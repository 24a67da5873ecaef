-- The owner of the instance looks after its accounts, and everything they do is written down.

-- A plan that the owner gave; it counts unless the account pays for another one.
alter table account add column granted_plan text;
-- Limits in place of the plan's, by their names in the API.
alter table account add column limits jsonb not null default '{}';
alter table account add column suspended_reason text;

-- Texts instead of references: it outlives what it tells about.
create table audit (
  id uuid primary key,
  -- The e-mail address of whoever did it; `host` for a command on the server.
  actor text not null,
  action text not null,
  target text,
  detail jsonb not null,
  created_at timestamptz not null
);

create index audit_created_at on audit (created_at, id);
