import type { CmsDb, CmsTx } from '../context.ts'

export type Link = { isLive: boolean; kind: 'media' | 'entry'; targetId: string }

export const replaceLinks = async (tx: CmsTx, entryId: string, links: readonly Link[]): Promise<void> => {
  const values = [
    entryId,
    links.map(({ isLive }) => isLive),
    links.map(({ kind }) => kind),
    links.map(({ targetId }) => targetId),
  ]
  const wanted = 'select * from unnest($2::boolean[], $3::text[], $4::uuid[])'
  await tx.query({
    name: 'remove-links',
    text: `delete from entry_link where entry_id = $1 and (is_live, kind, target_id) not in (${wanted})`,
    values,
  })
  if (links.length === 0) return
  await tx.query({
    name: 'add-links',
    text: `insert into entry_link (entry_id, is_live, kind, target_id) select $1, * from (${wanted}) as w on conflict do nothing`,
    values,
  })
}

export type SearchTexts = {
  words: string
  full: { title: string; text: string }
  /** Null: nothing for visitors to find. */
  visible: { title: string; text: string } | null
}

export const replaceSearch = async (
  tx: CmsTx,
  entryId: string,
  { words, full, visible }: SearchTexts,
): Promise<void> => {
  const document = (title: string, text: string) =>
    `setweight(to_tsvector('simple', unaccent(${title})), 'A') || setweight(to_tsvector('simple', unaccent(${text})), 'B')`
  await tx.query({
    name: 'replace-search',
    text: `insert into entry_search (entry_id, public_document, full_document, words)
      values ($1, case when $2::text is null then null else ${document('$2::text', '$3::text')} end,
        ${document('$4::text', '$5::text')}, lower(unaccent($6)))
      on conflict (entry_id) do update set public_document = excluded.public_document,
        full_document = excluded.full_document, words = excluded.words`,
    values: [entryId, visible?.title ?? null, visible?.text ?? null, full.title, full.text, words],
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
