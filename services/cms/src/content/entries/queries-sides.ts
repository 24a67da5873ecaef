import type { CmsDb, CmsTx } from '../../context.ts'

export type Link = { entryId: string; isLive: boolean; kind: 'media' | 'entry'; targetId: string }

/** These entries have these links, and no others. What a text names may not be there: that is no link. */
export const replaceLinks = async (tx: CmsTx, entryIds: readonly string[], links: readonly Link[]): Promise<void> => {
  const values = [
    links.map(({ entryId }) => entryId),
    links.map(({ isLive }) => isLive),
    links.map(({ kind }) => kind),
    links.map(({ targetId }) => targetId),
  ]
  const wanted = 'select * from unnest($1::uuid[], $2::boolean[], $3::text[], $4::uuid[])'
  await tx.query({
    name: 'remove-links',
    text: `delete from entry_link where entry_id = any ($5::uuid[])
      and (entry_id, is_live, kind, target_id) not in (${wanted})`,
    values: [...values, entryIds],
  })
  if (links.length === 0) return
  await tx.query({
    name: 'add-links',
    text: `insert into entry_link (entry_id, is_live, kind, target_id)
      select * from (${wanted}) as wanted (entry_id, is_live, kind, target_id)
      where case kind when 'media' then exists (select from media where id = target_id)
        else exists (select from entry where id = target_id) end
      on conflict do nothing`,
    values,
  })
}

export type SearchTexts = {
  entryId: string
  words: string
  full: { title: string; text: string }
  /** Null: nothing for visitors to find. */
  visible: { title: string; text: string } | null
  /** Keys of the values that are not right for their field any more, in the row and in its unpublished changes. */
  misfits: { stored: readonly string[]; pending: readonly string[] }
}

/** Replaces the search data of entries, for this version of their type's fields. */
export const replaceSearch = async (
  tx: CmsTx,
  searchVersion: number,
  entries: readonly SearchTexts[],
): Promise<void> => {
  const document = (title: string, text: string) =>
    `setweight(to_tsvector('simple', unaccent(${title})), 'A') || setweight(to_tsvector('simple', unaccent(${text})), 'B')`
  await tx.query({
    name: 'replace-search',
    text: `insert into entry_search (entry_id, public_document, full_document, words, fields_version, misfits, pending_misfits)
      select id, case when live_title is null then null else ${document('live_title', 'live_text')} end,
        ${document('title', 'text')}, lower(unaccent(words)), $7, misfits::text[], pending_misfits::text[]
      from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $8::text[], $9::text[])
        as given (id, live_title, live_text, title, text, words, misfits, pending_misfits)
      on conflict (entry_id) do update set public_document = excluded.public_document,
        full_document = excluded.full_document, words = excluded.words, fields_version = excluded.fields_version,
        misfits = excluded.misfits, pending_misfits = excluded.pending_misfits`,
    values: [
      entries.map(({ entryId }) => entryId),
      entries.map(({ visible }) => visible?.title ?? null),
      entries.map(({ visible }) => visible?.text ?? null),
      entries.map(({ full }) => full.title),
      entries.map(({ full }) => full.text),
      entries.map(({ words }) => words),
      searchVersion,
      entries.map(({ misfits }) => arrayLiteral(misfits.stored)),
      entries.map(({ misfits }) => arrayLiteral(misfits.pending)),
    ],
  })
}

/** Keys of fields are letters and digits, with dots between those of lists. */
const arrayLiteral = (keys: readonly string[]): string | null => (keys.length === 0 ? null : `{${keys.join(',')}}`)

export type StoredTemplate = { entryId: string; version: number; template: string }

/** Replaces the templates of published entries, for this state of their type's fields, and deletes those of all others. */
export const replaceTemplates = async (
  tx: CmsTx,
  state: string,
  { written, gone }: { written: readonly StoredTemplate[]; gone: readonly string[] },
): Promise<void> => {
  await tx.query({
    name: 'replace-templates',
    text: `with removed as (delete from entry_template where entry_id = any ($5::uuid[]))
      insert into entry_template (entry_id, version, template, state)
      select *, $4 from unnest($1::uuid[], $2::integer[], $3::text[])
      on conflict (entry_id) do update set version = excluded.version, template = excluded.template, state = excluded.state`,
    values: [
      written.map(({ entryId }) => entryId),
      written.map(({ version }) => version),
      written.map(({ template }) => template),
      state,
      gone,
    ],
  })
}

export type KnownEntry = { id: string; type: string }

/** Which of these entries there are, outside of the trash. */
export const listKnownEntries = (db: CmsDb, ids: readonly string[]): Promise<KnownEntry[]> =>
  db.query({
    name: 'list-known-entries',
    text: 'select id, type from entry where id = any($1::uuid[]) and deleted_at is null',
    values: [ids],
  })

export type KnownMedia = { id: string; mimeType: string }

/** Which of these files there are; they stay until the transaction ends. */
export const keepMedia = (tx: CmsTx, ids: readonly string[]): Promise<KnownMedia[]> =>
  tx.query({
    name: 'keep-media',
    text: 'select id, mime_type as "mimeType" from media where id = any($1::uuid[]) order by id for key share',
    values: [ids],
  })
