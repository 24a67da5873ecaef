-- Slugs under which published entries could be read and cannot any more: links that somebody kept still lead to them.
create table entry_old_slug (
  type text not null references content_type (name) on delete cascade,
  slug text not null,
  entry_id uuid not null references entry (id) on delete cascade,
  left_at timestamptz not null,
  primary key (type, slug, entry_id)
);
create index entry_old_slug_entry_idx on entry_old_slug (entry_id);

-- What the history still knows.
insert into entry_old_slug (type, slug, entry_id, left_at)
select e.type, r.slug, e.id, max(r.created_at)
from revision r join entry e on e.id = r.entry_id
where r.status = 'published' and r.slug <> e.slug
group by e.type, r.slug, e.id;

-- Long texts, files and what is in lists can be filtered by now: which of their values are not right any more has to be
-- known as well. Only a change of fields makes some.
update content_type set search_version = search_version + 1 where search_version > 0;
