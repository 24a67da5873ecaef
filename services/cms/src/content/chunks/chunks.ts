import type { Field } from '@stoa/cms-model/fields/field.ts'
import { type Data, readData } from '@stoa/cms-model/fields/values.ts'
import type { CmsTx } from '../../context.ts'
import { blocksOf } from './blocks.ts'
import { splitText } from './split.ts'
import { textConfigOf } from './text-config.ts'

export { textConfigOf } from './text-config.ts'

/** A few sentences of an entry, under the heading that they stand below. */
export type Chunk = { heading: string; body: string }

/** As much as one passage of an answer can use, and little enough for the passage to be specific. */
export const CHUNK_LENGTH = 800
/** Equal to the limit of an entry's search document: a longer text would slow down saves. */
export const MAX_CHUNKED_LENGTH = 200_000
/** Bounds pages that have a heading above every word. */
export const MAX_CHUNKS = 500

/**
 * The visible text of an entry in chunks, from which visitors' questions are answered. At least one, so that it is
 * found by its title.
 */
export const chunksOf = (fields: readonly Field[], data: Data): Chunk[] => {
  const chunks: Chunk[] = []
  let left = MAX_CHUNKED_LENGTH
  for (const { heading, text } of blocksOf(fields, readData(fields, data, 'visible'))) {
    if (left <= 0 || chunks.length >= MAX_CHUNKS) break
    const kept = text.slice(0, left).toWellFormed()
    left -= kept.length
    const last = chunks.at(-1)
    // Short fields and paragraphs below the same heading belong together.
    if (last && last.heading === heading && last.body.length + kept.length < CHUNK_LENGTH)
      last.body = `${last.body}\n${kept}`
    else chunks.push(...splitText(kept, CHUNK_LENGTH).map((body) => ({ heading, body })))
  }
  return chunks.length > 0 ? chunks.slice(0, MAX_CHUNKS) : [{ heading: '', body: '' }]
}

type Given = Pick<ChunkedEntry, 'id' | 'type' | 'locale' | 'title'> & { data: Data; isLive: boolean }

/** Brings the pieces of entries of one type up to what the public can read of them; of a draft there are none. */
export const writeChunks = (tx: CmsTx, fields: readonly Field[], entries: readonly Given[]): Promise<void> =>
  replaceChunks(
    tx,
    entries.map(({ id, type, locale, title, data, isLive }) => ({
      id,
      type,
      locale,
      title,
      chunks: isLive ? chunksOf(fields, data) : [],
    })),
  )

type ChunkedEntry = { id: string; type: string; locale: string; title: string; chunks: readonly Chunk[] }

/** These entries have these pieces, and no others. What is the same stays untouched: most saves change one place. */
const replaceChunks = async (tx: CmsTx, entries: readonly ChunkedEntry[]): Promise<void> => {
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
