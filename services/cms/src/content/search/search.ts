import type { EntryStatus } from '@stoa/cms-model/entries.ts'
import { mediaPath } from '@stoa/cms-model/media.ts'
import type { SearchQuery, SearchResults } from '@stoa/cms-model/search.ts'
import { Fault } from '@stoa/kit/errors.ts'
import type { CmsDb, CmsTx, Ctx } from '../../context.ts'

/** What someone typed, as search documents are compared with it. */
export const parseSearch = async (db: CmsDb, q: string): Promise<SearchWords> => {
  const [asked] = await db.query<SearchWords>({
    name: 'find-asked',
    text: String.raw`select plain, '%' || regexp_replace(plain, '([\\%_])', '\\\1', 'g') || '%' as part,
        case when numnode(words) = 0 then null else words::text || ':*' end as words
      from (select lower(unaccent($1::text)) as plain, plainto_tsquery('simple', unaccent($1::text)) as words) as given`,
    values: [q],
  })
  if (!asked) throw new Error('A select without a table has one row')
  return asked
}

/** Entries and files by what people remember of them; where nothing has it, what is like it. */
export const searchSite = async (ctx: Ctx, { q, kinds, limit }: SearchQuery): Promise<SearchResults> => {
  const asked = await parseSearch(ctx.db, q)
  const entries = kinds.includes('entry') ? await findEntries(ctx, asked, limit) : []
  const media = kinds.includes('media') ? await findMedia(ctx, asked, limit) : []
  return { entries: entries.map(entryJson), media: media.map((file) => mediaJson(ctx, file)) }
}

const findEntries = async (ctx: Ctx, asked: SearchWords, limit: number): Promise<FoundEntry[]> => {
  const found = await listMatchingEntries(ctx.db, asked, limit)
  return found.length > 0 ? found : inTime(ctx, (tx) => listSimilarEntries(tx, asked, limit))
}

const findMedia = async (ctx: Ctx, asked: SearchWords, limit: number): Promise<FoundMedia[]> => {
  const found = await listMatchingMedia(ctx.db, asked, limit)
  return found.length > 0 ? found : inTime(ctx, (tx) => listSimilarMedia(tx, asked, limit))
}

/** Returns nothing if the database timed out: on a large site too much may be a little similar. */
const inTime = <T>(ctx: Ctx, find: (tx: CmsTx) => Promise<T[]>): Promise<T[]> =>
  ctx.tx(find).catch((raised: unknown) => {
    if (!(raised instanceof Fault) || raised.kind !== 'unavailable') throw raised
    ctx.log.info('a search for something similar took too long')
    return []
  })

const entryJson = (found: FoundEntry): SearchResults['entries'][number] => ({
  id: found.id,
  type: found.type,
  slug: found.slug,
  title: found.title,
  status: found.status,
  locale: found.locale,
  updatedAt: found.updatedAt.toISOString(),
})

const mediaJson = ({ config }: Ctx, found: FoundMedia): SearchResults['media'][number] => ({
  id: found.id,
  filename: found.filename,
  url: config.publicUrl + mediaPath(found),
  mimeType: found.mimeType,
  alt: found.alt,
  caption: found.caption,
  folder: found.folder,
})

/** The candidates that are ranked: a word that every text has must not make a search slow. */
const MAX_CANDIDATES = 1_000
/** Looking for what is only like it costs as much as there is like it; then it is better to find nothing. */
const SIMILAR_MS = 500
/** The similarity of a word with two letters swapped; only used when nothing has the words themselves. */
const SIMILAR_ENOUGH = 0.45

/** What was asked for. */
export type SearchWords = {
  /** Without accents and case. */
  plain: string
  /** `plain` as a pattern for a part of a text. */
  part: string
  /** All words, the last one also where it only begins a word; null when there is no word in it. */
  words: string | null
}

type FoundEntry = {
  id: string
  type: string
  slug: string
  title: string
  status: EntryStatus
  locale: string
  updatedAt: Date
}

/** Entries outside of the trash whose working copy has the words, or whose title or slug has the part. */
const listMatchingEntries = (db: CmsDb, { plain, part, words }: SearchWords, limit: number): Promise<FoundEntry[]> =>
  // Without a name: the best plan depends on how rare the words are.
  db.query({
    text: rankedEntries(
      's.full_document @@ $3::tsquery or s.words like $4',
      'coalesce(ts_rank(found.full_document, $3::tsquery), 0)',
    ),
    values: [plain, limit, words, part],
  })

/** Entries whose title or slug is like it, for typing errors. */
const listSimilarEntries = async (tx: CmsTx, { plain }: SearchWords, limit: number): Promise<FoundEntry[]> => {
  await hurry(tx)
  return tx.query({ text: rankedEntries('$1::text <% s.words', '0'), values: [plain, limit] })
}

const rankedEntries = (matches: string, rank: string): string => `with found as (
    select s.entry_id, s.full_document, s.words from entry_search s join entry e on e.id = s.entry_id
    where (${matches}) and e.deleted_at is null limit ${MAX_CANDIDATES}
  )
  select e.id, e.type, e.status, e.locale, e.updated_at as "updatedAt",
    coalesce(e.pending ->> 'slug', e.slug) as slug, coalesce(e.pending ->> 'title', e.title) as title
  from found join entry e on e.id = found.entry_id
  order by word_similarity($1::text, found.words) + ${rank} desc, e.updated_at desc, e.id
  limit $2`

type FoundMedia = {
  id: string
  filename: string
  hash: string
  mimeType: string
  alt: string
  caption: string
  folder: string
}

/** Files whose name, texts or folder have the part. */
const listMatchingMedia = (db: CmsDb, { plain, part }: SearchWords, limit: number): Promise<FoundMedia[]> =>
  db.query({ text: rankedMedia('m.words like $3'), values: [plain, limit, part] })

const listSimilarMedia = async (tx: CmsTx, { plain }: SearchWords, limit: number): Promise<FoundMedia[]> => {
  await hurry(tx)
  return tx.query({ text: rankedMedia('$1::text <% m.words'), values: [plain, limit] })
}

const rankedMedia = (matches: string): string => `with found as (
    select m.id from media m where ${matches} limit ${MAX_CANDIDATES}
  )
  select m.id, m.filename, m.hash, m.mime_type as "mimeType", m.alt, m.caption, m.folder
  from found join media m on m.id = found.id
  order by word_similarity($1::text, m.words) desc, m.created_at desc, m.id
  limit $2`

const hurry = async (tx: CmsTx): Promise<void> => {
  await tx.query({
    text: `select set_config('statement_timeout', $1, true), set_config('pg_trgm.word_similarity_threshold', $2, true)`,
    values: [String(SIMILAR_MS), String(SIMILAR_ENOUGH)],
  })
}
