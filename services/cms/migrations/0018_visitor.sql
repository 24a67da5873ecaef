-- What the visitor assistant looks through: the text of published entries in pieces of a few sentences. Written with the
-- entry, so that it never holds more than the public can read.
create table search_chunk (
  entry_id uuid not null references entry (id) on delete cascade,
  n integer not null,
  type text not null,
  locale text not null,
  -- The text search configuration of the language, by its name.
  config text not null,
  title text not null,
  heading text not null,
  body text not null,
  -- Title and heading without accents and case, for typing errors.
  words text not null,
  tsv tsvector not null,
  primary key (entry_id, n)
);
create index search_chunk_tsv_idx on search_chunk using gin (tsv);
create index search_chunk_words_idx on search_chunk using gin (words gin_trgm_ops);

-- Entries that are there already get their pieces as after a change of their type's fields: by a job that goes on where it
-- was interrupted.
update content_type set search_version = search_version + 1;

-- The one row of how the visitor assistant is set up; none while nobody has saved anything.
create table visitor_settings (
  is_only boolean primary key default true check (is_only),
  settings jsonb not null,
  version integer not null,
  updated_at timestamptz not null,
  updated_by uuid references account (id)
);

-- What visitors asked: one row per wording, language and outcome. Nothing here says who asked.
create table visitor_question (
  id uuid primary key,
  -- Of the question without case and superfluous space.
  question_hash bytea not null,
  question text not null,
  locale text not null,
  found boolean not null,
  sources jsonb not null,
  count bigint not null,
  asked_at timestamptz not null,
  unique (question_hash, locale, found)
);
create index visitor_question_asked_idx on visitor_question (asked_at desc, id desc);

-- Table of kit/limits.
create table limit_counter (
  -- A hash of what is counted and for whom.
  key bytea primary key,
  window_start timestamptz not null,
  window_ms bigint not null check (window_ms > 0),
  -- Whether the window before still counts in part.
  is_sliding boolean not null,
  -- Taken in the window that began at window_start, and in the one before it.
  count bigint not null check (count >= 0),
  previous bigint not null check (previous >= 0),
  -- From then on the row counts for nothing.
  ends_at timestamptz not null
);
create index limit_counter_ends_at on limit_counter (ends_at);
