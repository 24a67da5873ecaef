import type { Page, SortOrder } from '@stoa/cms-model/lists.ts'
import type { MediaSortKey } from '@stoa/cms-model/media.ts'
import type { PostStatus } from '@stoa/cms-model/social.ts'
import type { CmsDb } from '../../context.ts'
import { MEDIA_COLUMNS, MEDIA_FROM, type MediaRow, type StoredMedia, toMedia, UNUSED } from './queries.ts'

export type MediaFilter = Page & {
  /** Parts of what a file is found by, as patterns; all of them. */
  parts: readonly string[]
  folder?: string | undefined
  /** Null: of any type. */
  types: readonly string[] | null
  isUnused: boolean
  lacksAlt: boolean
  /** These only. */
  ids?: readonly string[] | undefined
  createdBy?: string | undefined
  createdFrom?: Date | undefined
  createdBefore?: Date | undefined
  sort: SortOrder<MediaSortKey>
}

const sortColumns: Record<MediaSortKey, string> = {
  createdAt: 'm.created_at',
  updatedAt: 'm.updated_at',
  filename: 'lower(m.filename)',
  size: 'm.size',
}

export const listMediaRows = async (
  db: CmsDb,
  filter: MediaFilter,
): Promise<{ media: StoredMedia[]; total: number }> => {
  const { where, values } = conditionsOf(filter)
  const order = filter.sort.map(({ key, descending }) => sortColumns[key] + (descending ? ' desc' : ''))
  const [counted] = await db.query<{ total: number }>({
    text: `select count(*) as total from media m where ${where}`,
    values,
  })
  const rows = await db.query<MediaRow>({
    text: `select ${MEDIA_COLUMNS} from ${MEDIA_FROM} where ${where} order by ${[...order, 'm.id'].join(', ')}
      limit $${values.length + 1} offset $${values.length + 2}`,
    values: [...values, filter.limit, (filter.page - 1) * filter.limit],
  })
  return { media: rows.map(toMedia), total: counted?.total ?? 0 }
}

const conditionsOf = (filter: MediaFilter) => {
  const { ids, parts, folder, types, isUnused, lacksAlt, createdBy, createdFrom, createdBefore } = filter
  const values: unknown[] = []
  const value = (given: unknown): string => `$${values.push(given)}`
  const conditions = ['true']
  if (ids !== undefined) conditions.push(`m.id = any(${value(ids)}::uuid[])`)
  for (const part of parts) conditions.push(`m.words like ${value(part)}`)
  if (folder !== undefined) conditions.push(`m.folder = ${value(folder)}`)
  if (types !== null) conditions.push(`m.mime_type = any(${value(types)}::text[])`)
  if (isUnused) conditions.push(UNUSED)
  if (lacksAlt) conditions.push("m.mime_type like 'image/%' and m.alt = '' and not m.is_decorative")
  if (createdBy !== undefined) conditions.push(`m.created_by = ${value(createdBy)}`)
  if (createdFrom !== undefined) conditions.push(`m.created_at >= ${value(createdFrom)}`)
  if (createdBefore !== undefined) conditions.push(`m.created_at < ${value(createdBefore)}`)
  return { where: conditions.join(' and '), values }
}

export const listFolderRows = async (
  db: CmsDb,
  { page, limit }: Page,
): Promise<{ folders: { folder: string; count: number }[]; total: number }> => {
  const [counted] = await db.query<{ total: number }>({ text: 'select count(distinct folder) as total from media' })
  const folders = await db.query<{ folder: string; count: number }>({
    text: 'select folder, count(*) as count from media group by folder order by folder limit $1 offset $2',
    values: [limit, (page - 1) * limit],
  })
  return { folders, total: counted?.total ?? 0 }
}

export type EntryUse = {
  id: string
  type: string
  slug: string
  title: string
  status: 'draft' | 'published'
  live: boolean
  deletedAt: Date | null
}

/** Entries whose live or working copy has the file, the latest change first. */
export const listEntryUses = async (
  db: CmsDb,
  mediaId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ uses: EntryUse[]; total: number }> => {
  const links = `(select entry_id, bool_or(is_live) as live from entry_link
    where target_id = $1 and kind = 'media' group by entry_id)`
  const [counted] = await db.query<{ total: number }>({
    name: 'count-media-uses',
    text: `select count(*) as total from ${links} as l`,
    values: [mediaId],
  })
  const uses = await db.query<EntryUse>({
    name: 'list-media-uses',
    text: `select e.id, e.type, coalesce(e.pending ->> 'slug', e.slug) as slug,
        coalesce(e.pending ->> 'title', e.title) as title, e.status, l.live, e.deleted_at as "deletedAt"
      from ${links} as l join entry e on e.id = l.entry_id
      order by e.updated_at desc, e.id limit $2 offset $3`,
    values: [mediaId, limit, offset],
  })
  return { uses, total: counted?.total ?? 0 }
}

export type DesignUse = { surface: string; key: string }

/** The properties of the design that show a file. */
export const listDesignUses = (db: CmsDb, mediaId: string): Promise<DesignUse[]> =>
  db.query({
    name: 'list-media-design-uses',
    text: 'select surface_id as surface, key from design_override where media_id = $1 order by 1, 2',
    values: [mediaId],
  })

export type SocialUse = { id: string; caption: string; status: PostStatus }

/** The posts to social networks that show a file. */
export const listSocialUses = (db: CmsDb, mediaId: string): Promise<SocialUse[]> =>
  db.query({
    name: 'list-media-social-uses',
    text: `select p.id, p.caption, p.status from social_post_media m join social_post p on p.id = m.post_id
      where m.media_id = $1 and p.deleted_at is null order by p.created_at desc, p.id limit ${MAX_SOCIAL_USES}`,
    values: [mediaId],
  })

/** Longer lists are cut: nobody reads further, and the rest is counted. */
const MAX_SOCIAL_USES = 100
