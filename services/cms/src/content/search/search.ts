import { mediaPath } from '@stoa/cms-model/media.ts'
import type { SearchQuery, SearchResults } from '@stoa/cms-model/search.ts'
import { Fault } from '@stoa/kit/errors.ts'
import type { CmsDb, CmsTx, Ctx } from '../../context.ts'
import {
  type Asked,
  type FoundEntry,
  type FoundMedia,
  findAsked,
  listMatchingEntries,
  listMatchingMedia,
  listSimilarEntries,
  listSimilarMedia,
} from './queries.ts'

export type { Asked }

/** What someone typed, as search documents are compared with it. */
export const parseSearch = (db: CmsDb, q: string): Promise<Asked> => findAsked(db, q)

/** Entries and files by what people remember of them; where nothing has it, what is like it. */
export const searchSite = async (ctx: Ctx, { q, kinds, limit }: SearchQuery): Promise<SearchResults> => {
  const asked = await parseSearch(ctx.db, q)
  const entries = kinds.includes('entry') ? await findEntries(ctx, asked, limit) : []
  const media = kinds.includes('media') ? await findMedia(ctx, asked, limit) : []
  return { entries: entries.map(entryJson), media: media.map((file) => mediaJson(ctx, file)) }
}

const findEntries = async (ctx: Ctx, asked: Asked, limit: number): Promise<FoundEntry[]> => {
  const found = await listMatchingEntries(ctx.db, asked, limit)
  return found.length > 0 ? found : inTime(ctx, (tx) => listSimilarEntries(tx, asked, limit))
}

const findMedia = async (ctx: Ctx, asked: Asked, limit: number): Promise<FoundMedia[]> => {
  const found = await listMatchingMedia(ctx.db, asked, limit)
  return found.length > 0 ? found : inTime(ctx, (tx) => listSimilarMedia(tx, asked, limit))
}

/** Nothing, when the database gave up on it: on a large site too much may be a little like it. */
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
