create extension if not exists pg_trgm;
create extension if not exists unaccent;

-- What the site is made of. Fields are a document: adding, changing or removing one touches no entry.
create table content_type (
  name text primary key,
  label text not null,
  label_plural text not null,
  description text not null,
  icon text not null,
  kind text not null check (kind in ('collection', 'single')),
  preview_url text,
  fields jsonb not null,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  updated_by uuid references account (id)
);

-- `title`, `slug` and `data` are what the public sees of a published entry, and the working copy of a draft.
create table entry (
  id uuid primary key,
  type text not null references content_type (name),
  slug text not null,
  title text not null,
  data jsonb not null,
  status text not null check (status in ('draft', 'published')),
  locale text not null,
  translation_of uuid references entry (id),
  author_id uuid references account (id),
  -- Unpublished changes of a published entry: {title, slug, data}.
  pending jsonb,
  -- Every write; the version that delivery shows changes only with what the public sees.
  version integer not null default 1,
  live_version integer,
  live_updated_at timestamptz,
  published_at timestamptz,
  publish_at timestamptz,
  unpublish_at timestamptz,
  -- In the trash; the slug is free meanwhile.
  deleted_at timestamptz,
  deleted_by uuid references account (id),
  status_before_delete text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  updated_by uuid references account (id),
  constraint entry_pending_is_of_published check (pending is null or status = 'published')
);

create unique index entry_slug_key on entry (type, slug) where deleted_at is null;
create unique index entry_translation_key on entry (translation_of, locale) where translation_of is not null and deleted_at is null;
create index entry_delivery_idx on entry (type, published_at desc nulls last, id) where status = 'published' and deleted_at is null;
create index entry_delivery_locale_idx on entry (type, locale, published_at desc nulls last, id) where status = 'published' and deleted_at is null;
create index entry_recent_idx on entry (type, updated_at desc, id) where deleted_at is null;
create index entry_author_idx on entry (author_id);
create index entry_trash_idx on entry (deleted_at desc, id) where deleted_at is not null;
create index entry_publish_at_idx on entry (publish_at) where publish_at is not null and deleted_at is null;
create index entry_unpublish_at_idx on entry (unpublish_at) where unpublish_at is not null and deleted_at is null;

-- Published entries per type and locale, kept by the writes themselves: `meta.total` is exact without counting.
create table entry_count (
  type text not null references content_type (name) on delete cascade,
  locale text not null,
  published integer not null,
  primary key (type, locale)
);

-- Values of unique fields of entries that are not in the trash.
create table entry_unique (
  type text not null references content_type (name) on delete cascade,
  key text not null,
  value text not null,
  entry_id uuid not null references entry (id) on delete cascade,
  constraint entry_unique_value_key primary key (type, key, value)
);
create index entry_unique_entry_id_idx on entry_unique (entry_id);

-- What entries point at, in their live and in their working copy: used-in.
create table entry_link (
  entry_id uuid not null references entry (id) on delete cascade,
  is_live boolean not null,
  kind text not null check (kind in ('media', 'entry')),
  target_id uuid not null,
  primary key (entry_id, is_live, kind, target_id)
);
create index entry_link_target_idx on entry_link (target_id, kind);

-- Two documents per entry: what delivery may find (live, visible fields), and what people may find (working copy).
create table entry_search (
  entry_id uuid primary key references entry (id) on delete cascade,
  public_document tsvector,
  full_document tsvector not null,
  -- Title and slug without accents and case, for prefixes and typing errors.
  words text not null
);
create index entry_search_public_idx on entry_search using gin (public_document);
create index entry_search_full_idx on entry_search using gin (full_document);
create index entry_search_words_idx on entry_search using gin (words gin_trgm_ops);

create table revision (
  id uuid primary key,
  entry_id uuid not null references entry (id) on delete cascade,
  version integer not null,
  title text not null,
  slug text not null,
  data jsonb not null,
  status text not null,
  terms jsonb not null,
  author_id uuid references account (id),
  reason text not null check (reason in ('save', 'publish', 'restore', 'assistant', 'schedule')),
  is_autosave boolean not null,
  changed text[] not null,
  created_at timestamptz not null
);
create index revision_entry_idx on revision (entry_id, version desc, id desc);

create table taxonomy (
  id uuid primary key,
  name text not null,
  label text not null,
  hierarchical boolean not null,
  types text[] not null,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  updated_by uuid references account (id),
  constraint taxonomy_name_key unique (name)
);

create table term (
  id uuid primary key,
  taxonomy_id uuid not null references taxonomy (id) on delete cascade,
  slug text not null,
  name text not null,
  description text not null,
  parent_id uuid references term (id),
  position integer not null,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  updated_by uuid references account (id),
  constraint term_slug_key unique (taxonomy_id, slug)
);
create index term_parent_idx on term (parent_id);

create table entry_term (
  entry_id uuid not null references entry (id) on delete cascade,
  term_id uuid not null references term (id) on delete cascade,
  primary key (entry_id, term_id)
);
create index entry_term_term_idx on entry_term (term_id, entry_id);

-- One row: the site's own settings.
create table site_settings (
  is_only boolean primary key default true check (is_only),
  settings jsonb not null,
  version integer not null default 1,
  updated_at timestamptz not null,
  updated_by uuid references account (id)
);

create table menu (
  name text primary key,
  label text not null,
  items jsonb not null,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  updated_by uuid references account (id)
);

create table media (
  id uuid primary key,
  filename text not null,
  blob_key text not null,
  mime_type text not null,
  size bigint not null,
  width integer,
  height integer,
  hash text not null,
  alt text not null,
  is_decorative boolean not null,
  caption text not null,
  folder text not null,
  focal_x real not null,
  focal_y real not null,
  words text not null,
  version integer not null default 1,
  created_at timestamptz not null,
  created_by uuid references account (id),
  updated_at timestamptz not null,
  updated_by uuid references account (id)
);
create index media_recent_idx on media (created_at desc, id);
create index media_folder_idx on media (folder);
create index media_blob_idx on media (blob_key);
create index media_words_idx on media using gin (words gin_trgm_ops);

-- Renditions made so far, so that they can be removed with their file.
create table rendition (
  media_id uuid not null references media (id) on delete cascade,
  variant text not null,
  blob_key text not null,
  mime_type text not null,
  size bigint not null,
  created_at timestamptz not null,
  primary key (media_id, variant)
);
create index rendition_blob_idx on rendition (blob_key);

create table delivery_key (
  id uuid primary key,
  name text not null,
  key_hash bytea not null unique,
  last4 text not null,
  types text[] not null,
  version integer not null default 1,
  created_at timestamptz not null,
  created_by uuid references account (id),
  last_used_at timestamptz,
  revoked_at timestamptz
);

create table agent_key (
  id uuid primary key,
  account_id uuid not null references account (id),
  name text not null,
  key_hash bytea not null unique,
  last4 text not null,
  grants text[] not null,
  version integer not null default 1,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index agent_key_account_idx on agent_key (account_id);

-- Who did what. Names are kept as they were.
create table activity (
  id uuid primary key,
  at timestamptz not null,
  actor_kind text not null check (actor_kind in ('user', 'agent', 'system')),
  actor_id uuid,
  actor_name text not null,
  via text not null check (via in ('session', 'agent', 'system', 'assistant')),
  action text not null,
  target_kind text not null,
  target_id text,
  target_label text not null,
  changed text[] not null
);
create index activity_at_idx on activity (at desc, id desc);
create index activity_target_idx on activity (target_kind, target_id);
create index activity_actor_idx on activity (actor_id);


-- Saved and unsaved previews. Unlogged: they end with a crash, and unsaved ones with every start anyway.
create unlogged table preview (
  token_hash bytea primary key,
  entry_id uuid not null references entry (id) on delete cascade,
  -- Null: the saved working copy as it is when the link is opened.
  snapshot jsonb,
  bytes integer not null,
  boot_id uuid,
  created_by uuid references account (id),
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  expires_at timestamptz not null
);
create index preview_entry_idx on preview (entry_id);

create unlogged table realtime_ticket (
  token_hash bytea primary key,
  kind text not null check (kind in ('session', 'delivery')),
  session_id uuid references session (id) on delete cascade,
  delivery_key_id uuid references delivery_key (id) on delete cascade,
  expires_at timestamptz not null
);

create unlogged table presence (
  entry_id uuid not null,
  connection_id uuid not null,
  account_id uuid not null,
  since timestamptz not null,
  expires_at timestamptz not null,
  primary key (entry_id, connection_id)
);
