import type { CmsDb, CmsTx } from '../../context.ts'

/** Where to look: languages and content types, and how many places may be looked at for each word. */
export type Scope = {
  readonly locales: readonly string[]
  readonly types: readonly string[]
  /** The text search configuration of each of the languages, each once. */
  readonly configs: readonly string[]
}

/** One way to say a word of the question. `slot` is the word's place. */
export type Phrase = { readonly slot: number; readonly text: string }

export type FoundChunk = {
  readonly entryId: string
  readonly n: number
  /** How much of the question it has, between 0 and 1; words that many places have count for less. */
  readonly coverage: number
  /** The places of the question's words that it has, and what each of them counts for. */
  readonly slots: readonly number[]
  readonly weights: readonly number[]
  /** What all words of the question count for. */
  readonly whole: number
  /** How many places the site has. */
  readonly places: number
}

/** Places that one word may bring into the ranking: a word that has more of them says little. */
const PLACES_PER_WORD = 200
/** Places that are counted to tell how common a word is, and how many there are: beyond it, estimates do. */
const MAX_COUNTED = 1_000
/** On a site with fewer places than this a word is rare or common by accident. */
export const FEW = 100
const MAX_FOUND = 60
/** Words that are looked for, without stop words. */
const MAX_ASKED = 20

/** No visitor's question is worth more of the database than this. */
const SEARCH_MS = 3_000

/**
 * The planner takes an unknown word for a frequent one, and would rather read the whole table than the index; and what
 * counts as similar is a setting.
 */
export const prepareSearch = async (tx: CmsTx): Promise<void> => {
  await tx.query({
    name: 'prepare-chunk-search',
    text: `select set_config('enable_seqscan', 'off', true), set_config('pg_trgm.word_similarity_threshold', '0.3', true),
      set_config('statement_timeout', '${SEARCH_MS}', true)`,
  })
}

/**
 * Places with any of the words, best first: by reciprocal ranks in two lists, where how much of the question a place has counts
 * twice as much as how close together and how high up its words stand. Whether an entry is published, of a type in scope and
 * written under the present fields is asked of the entry itself: a piece alone proves nothing.
 */
export const findChunks = (
  tx: CmsTx,
  { locales, types, configs }: Scope,
  phrases: readonly Phrase[],
): Promise<FoundChunk[]> =>
  tx.query({
    name: 'find-chunks',
    text: `with ${ASKED},
      hit as materialized (
        select a.config, a.slot, p.entry_id, p.n, p.place from asked a cross join lateral (
          select c.entry_id, c.n, row_number() over () as place from search_chunk c
          where c.tsv @@ a.query and c.config = a.config and c.locale = any ($4::text[]) and c.type = any ($5::text[])
          limit ${MAX_COUNTED}) p
      ),
      site as materialized (${PLACES}),
      -- The rarer on this site, the more a word says (inverse document frequency).
      weight as (
        select a.config, a.slot, a.query, ln(1 + greatest(${FEW}, s.places) / (count(h.n) + 1)) as weight
        from asked a cross join site s left join hit h on h.config = a.config and h.slot = a.slot
        group by a.config, a.slot, a.query, s.places
      ),
      whole as (
        select config, string_agg('(' || query::text || ')', ' | ')::tsquery as query, sum(weight) as weight
        from weight group by config
      ),
      place as (select distinct config, entry_id, n from hit where place <= ${PLACES_PER_WORD}),
      ranked as (
        select c.entry_id, c.n, ts_rank_cd(c.tsv, q.query, 32) as rank, m.weight / q.weight as coverage, m.slots, m.weights,
          q.weight as whole
        from place p
        join search_chunk c on c.entry_id = p.entry_id and c.n = p.n
        join whole q on q.config = p.config
        join entry e on e.id = c.entry_id and e.status = 'published' and e.deleted_at is null
          and e.type = any ($5::text[]) and e.locale = any ($4::text[])
        join content_type t on t.name = e.type
        join entry_search s on s.entry_id = e.id and s.fields_version = t.search_version
        cross join lateral (select sum(w.weight) as weight, array_agg(w.slot) as slots,
          array_agg(w.weight) as weights from weight w
          where w.config = p.config and c.tsv @@ w.query) m
      ),
      fused as (
        select *, 1.0 / (60 + row_number() over (order by rank desc, entry_id, n))
          + 2.0 / (60 + row_number() over (order by coverage desc, rank desc, entry_id, n)) as score
        from ranked
      )
      select entry_id as "entryId", n, coverage::float8 as coverage, slots, weights, whole::float8 as whole, site.places
      from fused, site order by score desc, entry_id, n limit ${MAX_FOUND}`,
    values: [configs, phrases.map(({ slot }) => slot), phrases.map(({ text }) => text), locales, types],
  })

/** How many places there are: counted where they are few, elsewhere as the last ANALYZE found. */
const PLACES = `select greatest(count(*), case when count(*) = ${MAX_COUNTED} then max(r.places) end)::float8 as places
  from (select from search_chunk where locale = any ($4::text[]) and type = any ($5::text[]) limit ${MAX_COUNTED}) counted,
    (select reltuples as places from pg_class where oid = 'search_chunk'::regclass) r`

/** What the words of the question are to the index: stop words are none, whether they are written with accents or not. */
const ASKED = `every as (
  select k.config, w.slot, string_agg(distinct '(' || t.query::text || ')', ' | ')::tsquery as query
  from unnest($1::text[]) as k (config)
  cross join unnest($2::integer[], $3::text[]) as w (slot, phrase)
  cross join lateral (select plainto_tsquery(k.config::regconfig, unaccent(w.phrase)) as query) t
  where numnode(t.query) > 0 and numnode(plainto_tsquery(k.config::regconfig, w.phrase)) > 0
  group by k.config, w.slot
),
asked as materialized (
  select config, slot, query from (
    select *, row_number() over (partition by config order by slot) as place from every) numbered
  where place <= ${MAX_ASKED}
)`

/** What a word may be a mistake for: it, or its stem as `given`, is to be compared with the words of the texts. */
export type Similar = { readonly word: string; readonly given: string; readonly texts: readonly string[] }

/** Titles and headings with a word that resembles this one. */
export const findSimilarTitles = (tx: CmsTx, { locales, types }: Scope, words: readonly string[]): Promise<Similar[]> =>
  tx.query({
    name: 'find-similar-titles',
    text: `select w.word, w.word as given, array_agg(p.words) as texts from unnest($1::text[]) as w (word)
      cross join lateral (
        select distinct words from (
          select c.words from search_chunk c
          where lower(unaccent(w.word)) <% c.words and c.locale = any ($2::text[]) and c.type = any ($3::text[])
          limit ${SIMILAR_LOOKED_AT}) looked limit ${SIMILAR_TITLES}) p
      group by w.word`,
    values: [words, locales, types],
  })

/** Words of texts that begin like this one, as the index has them: by their stems. */
export const findSimilarLexemes = (
  tx: CmsTx,
  { locales, types, configs }: Scope,
  words: readonly string[],
): Promise<Similar[]> =>
  tx.query({
    name: 'find-similar-lexemes',
    text: `select s.word, s.stem as given, array_agg(distinct t.lexeme) as texts
      from (select distinct w.word, k.config, l.stem, left(l.stem, greatest(3, length(l.stem) - 3)) as beginning
        from unnest($1::text[]) as w (word) cross join unnest($4::text[]) as k (config)
        cross join unnest(tsvector_to_array(to_tsvector(k.config::regconfig, unaccent(w.word)))) as l (stem)
        where l.stem ~ '^\\w{${SHORTEST_STEM},}$') s
      cross join lateral (
        select c.tsv from search_chunk c where c.tsv @@ (s.beginning || ':*')::tsquery and c.config = s.config
          and c.locale = any ($2::text[]) and c.type = any ($3::text[])
        limit ${SIMILAR_LOOKED_AT}) c
      cross join unnest(c.tsv) t
      where starts_with(t.lexeme, s.beginning)
      group by s.word, s.stem`,
    values: [words, locales, types, configs],
  })

const SIMILAR_LOOKED_AT = 300
const SIMILAR_TITLES = 60
const SHORTEST_STEM = 5

/** Which of the words nothing in scope has, not even once. */
export const listUnknownWords = async (
  tx: CmsTx,
  { locales, types, configs }: Scope,
  phrases: readonly Phrase[],
): Promise<number[]> => {
  const rows = await tx.query<{ slot: number }>({
    name: 'list-unknown-words',
    text: `with ${ASKED}
      select a.slot from asked a group by a.slot having not bool_or(exists (
        select from search_chunk c where c.tsv @@ a.query and c.config = a.config
          and c.locale = any ($4::text[]) and c.type = any ($5::text[])))`,
    values: [configs, phrases.map(({ slot }) => slot), phrases.map(({ text }) => text), locales, types],
  })
  return rows.map(({ slot }) => slot)
}

export type Passage = {
  readonly entryId: string
  readonly n: number
  readonly type: string
  readonly slug: string
  readonly locale: string
  /** Where the website shows entries of the type; null when it does not. */
  readonly template: string | null
  readonly title: string
  readonly heading: string
  readonly body: string
}

/** The text of these places, in their order; what is not published any more is left out. */
export const readPassages = (
  db: CmsDb,
  types: readonly string[],
  places: readonly { entryId: string; n: number }[],
): Promise<Passage[]> =>
  db.query({
    name: 'read-passages',
    text: `select e.id as "entryId", c.n, e.type, e.slug, e.locale, t.preview_url as template, e.title, c.heading, c.body
      from unnest($1::uuid[], $2::integer[]) with ordinality as p (entry_id, n, position)
      join search_chunk c on c.entry_id = p.entry_id and c.n = p.n
      join entry e on e.id = c.entry_id and e.status = 'published' and e.deleted_at is null and e.type = any ($3::text[])
      join content_type t on t.name = e.type
      join entry_search s on s.entry_id = e.id and s.fields_version = t.search_version
      order by p.position`,
    values: [places.map(({ entryId }) => entryId), places.map(({ n }) => n), types],
  })

/** The names of text search configurations that this server has, of those named. */
export const listConfigs = async (tx: CmsTx, names: readonly string[]): Promise<string[]> => {
  const rows = await tx.query<{ name: string }>({
    name: 'list-text-configs',
    text: `select cfgname::text as name from pg_ts_config
      where cfgname = any ($1::text[]) and cfgnamespace = 'pg_catalog'::regnamespace`,
    values: [[...names, 'simple']],
  })
  return rows.map(({ name }) => name)
}
