import type { CmsTx } from '../../context.ts'
import type { Chunk } from './chunks.ts'
import { textConfigOf } from './text-config.ts'

export type ChunkedEntry = { id: string; type: string; locale: string; title: string; chunks: readonly Chunk[] }

/** These entries have these pieces, and no others. What is the same stays untouched: most saves change one place. */
export const replaceChunks = async (tx: CmsTx, entries: readonly ChunkedEntry[]): Promise<void> => {
  const rows = entries.flatMap((entry) => entry.chunks.map((chunk, n) => ({ ...entry, ...chunk, n })))
  // Drafts are saved most often, and have none.
  if (rows.length === 0) return deleteChunks(tx, entries)
  await tx.query({
    name: 'replace-chunks',
    text: `with given as (
        select * from unnest($2::uuid[], $3::integer[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[])
          as g (entry_id, n, type, locale, config, title, heading, body)
      ),
      gone as (
        delete from search_chunk c where c.entry_id = any ($1::uuid[])
          and not exists (select from given g where g.entry_id = c.entry_id and g.n = c.n)
      )
      insert into search_chunk as c (entry_id, n, type, locale, config, title, heading, body, words, tsv)
      select g.entry_id, g.n, g.type, g.locale, k.name, g.title, g.heading, g.body, lower(unaccent(g.title || ' ' || g.heading)),
        setweight(to_tsvector(k.name::regconfig, unaccent(g.title)), 'A')
          || setweight(to_tsvector(k.name::regconfig, unaccent(g.heading)), 'B')
          || setweight(to_tsvector(k.name::regconfig, unaccent(g.body)), 'C')
      from given g
      -- Older servers know fewer languages.
      cross join lateral (select coalesce((select cfgname::text from pg_ts_config
        where cfgname = g.config and cfgnamespace = 'pg_catalog'::regnamespace), 'simple') as name) k
      on conflict (entry_id, n) do update set type = excluded.type, locale = excluded.locale, config = excluded.config,
        title = excluded.title, heading = excluded.heading, body = excluded.body, words = excluded.words, tsv = excluded.tsv
      where (c.locale, c.config, c.title, c.heading, c.body)
        is distinct from (excluded.locale, excluded.config, excluded.title, excluded.heading, excluded.body)`,
    values: [
      entries.map(({ id }) => id),
      rows.map(({ id }) => id),
      rows.map(({ n }) => n),
      rows.map(({ type }) => type),
      rows.map(({ locale }) => locale),
      rows.map(({ locale }) => textConfigOf(locale)),
      rows.map(({ title }) => title),
      rows.map(({ heading }) => heading),
      rows.map(({ body }) => body),
    ],
  })
}

const deleteChunks = async (tx: CmsTx, entries: readonly ChunkedEntry[]): Promise<void> => {
  await tx.query({
    name: 'delete-chunks',
    text: 'delete from search_chunk where entry_id = any ($1::uuid[])',
    values: [entries.map(({ id }) => id)],
  })
}
