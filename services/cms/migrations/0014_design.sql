-- What people set of the looks that the host declares. A surface is here from its first change on.
create table design_surface (
  id text primary key,
  version integer not null default 1,
  updated_at timestamptz not null,
  updated_by uuid references account (id)
);

-- One property each. A value stays when the host no longer declares its property, and counts again when it does.
create table design_override (
  surface_id text not null references design_surface (id),
  key text not null,
  value jsonb not null,
  -- The picture that the value names: looked up when a file is deleted. Who deletes it anyway resets the property in the
  -- same transaction, after the file is gone.
  media_id uuid references media (id) deferrable initially deferred,
  primary key (surface_id, key)
);

create index design_override_media on design_override (media_id) where media_id is not null;
