import type { CmsDb, CmsTx } from '../../context.ts'
import { MOST_WRONG } from './words.ts'

/** Where to look: languages and content types. */
export type Scope = {
  readonly locales: readonly string[]
  readonly types: readonly string[]
  /** The text search configuration of each of the languages, each once. */
  readonly configs: readonly string[]
}

/** One way to say a word or an idea of the question. `slot` is its place; `isOwn` unless only a model says it so. */
export type Phrase = { readonly slot: number; readonly text: string; readonly isOwn: boolean }

export type FoundChunk = {
  readonly entryId: string
  readonly n: number
  /** How much of the question it has, between 0 and 1; words that many places have count for less. */
  readonly coverage: number
  /** How many of the question's words or ideas it has, and how many there are. */
  readonly matched: number
  readonly asked: number
}

/** Places of a word that are looked at: one that has more of them is common, and says little alone. */
const PLACES_PER_WORD = 200
/** Common words say something together: so many of them are combined, and so many places of each combination looked at. */
const MAX_COMBINED = 8
const PLACES_PER_COMBINATION = 50
/** Places that are ranked, those with the rarest words first. */
const MAX_RANKED = 200
const MAX_FOUND = 60
/** Occurrences that are counted for their number: above this, a sample is counted. */
const MAX_COUNTED = 5_000
/** On a site with fewer places than this a word is rare or common by accident. */
const FEW = 100
/** Among more places than this for each that has it, a word is rare and does not get rarer. */
const RARE = 4_000
/** Words that are looked for, without stop words. */
const MAX_ASKED = 20

/** What a word in the text counts for, beside one in a title or heading: a text names much that it is not about. */
const IN_TEXT = 0.85
/** What a model's other word counts for where only the text has it: it may mean something else there. */
const OTHER_IN_TEXT = 0.4
/** What a word counts for that nothing on the site has: the question is rather about something else. */
const IF_UNKNOWN = 1.15

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
 *
 * What it costs does not grow with the site, but for reading the index: each word brings in a few places, and those that have
 * more are combined with each other, the rarest first.
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
        select a.config, a.slot, p.entry_id, p.n, p.page, p.is_own from asked a cross join lateral (
          select c.entry_id, c.n, (c.ctid::text::point)[0] as page, a.own is null or c.tsv @@ a.own as is_own from search_chunk c
          where c.tsv @@ a.query and ${IN_SCOPE('a')} limit ${PLACES_PER_WORD}) p
      ),
      size as materialized (${SIZE}),
      -- The index gives places in the order of the table's pages: how far it came says how many more there are.
      counted as (
        select a.config, a.slot, a.query, a.own, case when count(h.n) < ${PLACES_PER_WORD} then count(h.n)
          else greatest(count(h.n), count(h.n) * s.pages / (max(h.page) + 1)) end as places, s.places as of,
          count(*) filter (where h.is_own) / greatest(1, count(h.n))::float8 as own_share
        from asked a cross join size s left join hit h on h.config = a.config and h.slot = a.slot
        group by a.config, a.slot, a.query, a.own, s.pages, s.places
      ),
      -- The rarer on this site, the more a word says (inverse document frequency), however common a model's other words are.
      weight as materialized (
        select *, ln(1 + least(${RARE}, greatest(${FEW}, of) / (places * own_share + 1)))
          * case when own_share = 0 then ${IF_UNKNOWN} else 1 end as weight
        from counted
      ),
      common as (
        select *, row_number() over (partition by config order by weight desc, slot) as rank
        from weight where places >= ${PLACES_PER_WORD}
      ),
      combination as materialized (
        select f.config, m.query, m.weight from common f cross join lateral (
          select string_agg('(' || o.query::text || ')', ' & ') over up::tsquery as query, sum(o.weight) over up as weight,
            o.rank from common o where o.config = f.config and o.rank between f.rank and ${MAX_COMBINED}
          window up as (order by o.rank)) m
        where f.rank <= 2 and m.rank > f.rank
      ),
      place as materialized (
        select config, entry_id, n from (
          select h.config, h.entry_id, h.n, w.weight from hit h join weight w on w.config = h.config and w.slot = h.slot
          union all
          select o.config, p.entry_id, p.n, o.weight from combination o cross join lateral (
            select c.entry_id, c.n from search_chunk c where c.tsv @@ o.query and ${IN_SCOPE('o')}
            limit ${PLACES_PER_COMBINATION}) p
        ) brought
        group by config, entry_id, n order by sum(weight) desc, entry_id, n limit ${MAX_RANKED}
      ),
      whole as (
        select config, string_agg('(' || query::text || ')', ' | ')::tsquery as query, sum(weight) as weight, count(*) as asked
        from weight group by config
      ),
      ranked as (
        select c.entry_id, c.n, ts_rank_cd(c.tsv, q.query, 32) as rank, m.weight / q.weight as coverage, m.matched,
          q.asked
        from place p
        join search_chunk c on c.entry_id = p.entry_id and c.n = p.n
        join whole q on q.config = p.config
        join entry e on e.id = c.entry_id and e.status = 'published' and e.deleted_at is null
          and e.type = any ($6::text[]) and e.locale = any ($5::text[])
        join content_type t on t.name = e.type
        join entry_search s on s.entry_id = e.id and s.fields_version = t.search_version
        cross join lateral (select ts_filter(c.tsv, '{a,b}') as tsv) top
        cross join lateral (
          select sum(w.weight * case when top.tsv @@ w.query then 1 when w.own is null or c.tsv @@ w.own then ${IN_TEXT} else ${OTHER_IN_TEXT} end)
            as weight, count(*) as matched
          from weight w where w.config = p.config and c.tsv @@ w.query) m
      ),
      fused as (
        select *, 1.0 / (60 + row_number() over (order by rank desc, entry_id, n))
          + 2.0 / (60 + row_number() over (order by coverage desc, rank desc, entry_id, n)) as score
        from ranked
      )
      select entry_id as "entryId", n, coverage::float8 as coverage, matched::integer as matched, asked::integer as asked
      from fused order by score desc, entry_id, n limit ${MAX_FOUND}`,
    values: [configs, ...columnsOf(phrases), locales, types],
  })

const IN_SCOPE = (of: string): string =>
  `c.config = ${of}.config and c.locale = any ($5::text[]) and c.type = any ($6::text[])`

const RELATION = `(select greatest(1, reltuples::float8 / ${MAX_COUNTED}) as share, greatest(1, relpages::float8) as pages
  from pg_class where oid = 'search_chunk'::regclass)`

/** How many places there are in scope, by whole pages from everywhere in the table, always the same; and how many pages it has. */
const SIZE = `select r.pages, count(*) filter (where c.locale = any ($5::text[]) and c.type = any ($6::text[])) * r.share as places
  from ${RELATION} r left join search_chunk c tablesample system (100 / (select share from ${RELATION} s)) repeatable (0) on true
  group by r.pages, r.share`

/**
 * What the words of the question are to the index: stop words are none, whether they are written with accents or not.
 * `own` is null where there are no others.
 */
const ASKED = `every as (
  select k.config, w.slot, string_agg(distinct '(' || t.query::text || ')', ' | ')::tsquery as query,
    case when not bool_and(w.is_own) then string_agg(distinct '(' || t.query::text || ')', ' | ') filter (where w.is_own) end::tsquery
      as own
  from unnest($1::text[]) as k (config)
  cross join unnest($2::integer[], $3::text[], $4::boolean[]) as w (slot, phrase, is_own)
  cross join lateral (select plainto_tsquery(k.config::regconfig, unaccent(w.phrase)) as query) t
  where numnode(t.query) > 0 and numnode(plainto_tsquery(k.config::regconfig, w.phrase)) > 0
  group by k.config, w.slot
),
asked as materialized (
  select config, slot, query, own from (
    select *, row_number() over (partition by config order by slot) as place from every) numbered
  where place <= ${MAX_ASKED}
)`

const columnsOf = (phrases: readonly Phrase[]) => [
  phrases.map(({ slot }) => slot),
  phrases.map(({ text }) => text),
  phrases.map(({ isOwn }) => isOwn),
]

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

/**
 * Words of texts that begin like this one, as the index has them: by their stems. Where there is much to look at, they have to
 * begin with more of it: most mistakes are made near the end.
 */
export const findSimilarLexemes = (
  tx: CmsTx,
  { locales, types, configs }: Scope,
  words: readonly string[],
): Promise<Similar[]> =>
  tx.query({
    name: 'find-similar-lexemes',
    text: `select s.word, s.stem as given, array_agg(distinct t.lexeme) as texts
      from (select distinct w.word, k.config, l.stem,
          left(l.stem, case when m.is_much then greatest(3, length(l.stem) - 3) else 2 end) as beginning
        from (select count(*) = ${MUCH} as is_much from (select from search_chunk limit ${MUCH}) c) m
        cross join unnest($1::text[]) as w (word) cross join unnest($4::text[]) as k (config)
        cross join unnest(tsvector_to_array(to_tsvector(k.config::regconfig, unaccent(w.word)))) as l (stem)
        where l.stem ~ '^\\w{${SHORTEST_STEM},}$') s
      cross join lateral (
        select c.tsv from search_chunk c where c.tsv @@ (s.beginning || ':*')::tsquery and c.config = s.config
          and c.locale = any ($2::text[]) and c.type = any ($3::text[])
        limit ${LEXEMES_LOOKED_AT} / cardinality($1::text[])) c
      cross join unnest(c.tsv) t
      where starts_with(t.lexeme, s.beginning) and abs(length(t.lexeme) - length(s.stem)) <= ${MOST_WRONG}
      group by s.word, s.stem`,
    values: [words, locales, types, configs],
  })

const SIMILAR_LOOKED_AT = 300
const SIMILAR_TITLES = 60
const SHORTEST_STEM = 4
/** Places whose words are compared, of all mistyped words together. */
const LEXEMES_LOOKED_AT = 600
const MUCH = 1_000

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
        select from search_chunk c where c.tsv @@ a.query and ${IN_SCOPE('a')}))`,
    values: [configs, ...columnsOf(phrases), locales, types],
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

/** The text search configurations of these names; `simple` for those that this server does not have. */
export const listConfigs = async (tx: CmsTx, names: readonly string[]): Promise<string[]> => {
  const rows = await tx.query<{ name: string }>({
    name: 'list-text-configs',
    text: `select distinct coalesce(k.cfgname::text, 'simple') as name from unnest($1::text[]) as w (name)
      left join pg_ts_config k on k.cfgname = w.name and k.cfgnamespace = 'pg_catalog'::regnamespace`,
    values: [names],
  })
  return rows.map(({ name }) => name)
}
