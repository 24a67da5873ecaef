import { HASH_LENGTH, isMediaType, type MediaType } from '@stoa/cms-model/media.ts'
import type { CmsDb, CmsTx } from '../../context.ts'
import type { Editor } from '../../version-conflict.ts'

/** A file of the library as it is stored. */
export type StoredMedia = {
  id: string
  filename: string
  blobKey: string
  mimeType: string
  size: number
  width: number | null
  height: number | null
  hash: string
  alt: string
  decorative: boolean
  caption: string
  folder: string
  focalX: number
  focalY: number
  version: number
  createdAt: Date
  createdBy: Editor | null
  updatedAt: Date
  usageCount: number
}

export type MediaRow = Omit<StoredMedia, 'createdBy'> & { createdById: string | null; createdByName: string | null }

/** Settings use files too; there is one row of them, or none. */
const SETTINGS_USES = `(select count(*) from site_settings s
  where m.id::text in (s.settings ->> 'logoId', s.settings ->> 'socialImageId'))`

const SOCIAL_USES = `from social_post_media pm join social_post sp on sp.id = pm.post_id
  where pm.media_id = m.id and sp.deleted_at is null`

const USAGE = `(select count(distinct l.entry_id) from entry_link l where l.target_id = m.id and l.kind = 'media')
  + ${SETTINGS_USES} + (select count(*) from design_override d where d.media_id = m.id)
  + (select count(*) ${SOCIAL_USES})`

export const MEDIA_COLUMNS = `m.id, m.filename, m.blob_key as "blobKey", m.mime_type as "mimeType", m.size, m.width,
  m.height, m.hash, m.alt, m.is_decorative as decorative, m.caption, m.folder, m.focal_x as "focalX",
  m.focal_y as "focalY", m.version, m.created_at as "createdAt", m.updated_at as "updatedAt",
  c.id as "createdById", c.name as "createdByName", (${USAGE})::int as "usageCount"`

export const MEDIA_FROM = 'media m left join account c on c.id = m.created_by'

export const UNUSED = `not exists (select from entry_link l where l.target_id = m.id and l.kind = 'media')
  and not exists (select from design_override d where d.media_id = m.id) and not exists (select ${SOCIAL_USES}) and ${SETTINGS_USES} = 0`

export const toMedia = ({ createdById, createdByName, ...row }: MediaRow): StoredMedia => ({
  ...row,
  createdBy: createdById === null || createdByName === null ? null : { id: createdById, name: createdByName },
})

export const findMedia = async (db: CmsDb, id: string): Promise<StoredMedia | null> => {
  const [row] = await db.query<MediaRow>({
    name: 'find-media',
    text: `select ${MEDIA_COLUMNS} from ${MEDIA_FROM} where m.id = $1`,
    values: [id],
  })
  return row ? toMedia(row) : null
}

/** The file, which nobody else changes, removes or begins to use before the transaction ends. */
export const lockMedia = async (tx: CmsTx, id: string): Promise<StoredMedia | null> => {
  await tx.query({ text: 'select from media where id = $1 for update', values: [id] })
  return findMedia(tx, id)
}

export type NewMedia = {
  id: string
  filename: string
  blobKey: string
  mimeType: MediaType
  size: number
  width: number | null
  height: number | null
  alt: string
  decorative: boolean
  caption: string
  folder: string
  focalX: number
  focalY: number
}

export type Stamp = { at: Date; by: string | null }

/** The text by which a file is found. */
const words = (filename: string, alt: string, caption: string, folder: string): string =>
  `lower(unaccent(concat_ws(' ', ${filename}, ${alt}, ${caption}, ${folder})))`

export const insertMedia = async (tx: CmsTx, media: NewMedia, { at, by }: Stamp): Promise<void> => {
  await tx.query({
    name: 'insert-media',
    text: `insert into media (id, filename, blob_key, mime_type, size, width, height, hash, alt, is_decorative, caption,
        folder, focal_x, focal_y, words, created_at, created_by, updated_at, updated_by)
      values ($1, $2, $3, $4, $5, $6, $7, $3, $8, $9, $10, $11, $12, $13,
        ${words('$2::text', '$8::text', '$10::text', '$11::text')}, $14, $15, $14, $15)`,
    values: [
      media.id,
      media.filename,
      media.blobKey,
      media.mimeType,
      media.size,
      media.width,
      media.height,
      media.alt,
      media.decorative,
      media.caption,
      media.folder,
      media.focalX,
      media.focalY,
      at,
      by,
    ],
  })
}

export type MediaMembers = Pick<
  StoredMedia,
  'filename' | 'alt' | 'caption' | 'folder' | 'decorative' | 'focalX' | 'focalY'
>

export const updateMediaRow = async (
  tx: CmsTx,
  id: string,
  { filename, alt, caption, folder, decorative, focalX, focalY }: MediaMembers,
  { at, by }: Stamp,
): Promise<void> => {
  await tx.query({
    name: 'update-media',
    text: `update media set filename = $2, alt = $3, caption = $4, folder = $5, is_decorative = $6, focal_x = $7,
        focal_y = $8, words = ${words('$2::text', '$3::text', '$4::text', '$5::text')},
        version = version + 1, updated_at = $9, updated_by = $10
      where id = $1`,
    values: [id, filename, alt, caption, folder, decorative, focalX, focalY, at, by],
  })
}

export type FileContent = {
  filename: string
  blobKey: string
  mimeType: MediaType
  size: number
  width: number | null
  height: number | null
}

/** Gives a file other content; pictures made of the old one are forgotten. */
export const updateContent = async (tx: CmsTx, id: string, content: FileContent, { at, by }: Stamp): Promise<void> => {
  await tx.query({
    name: 'update-media-content',
    text: `update media set filename = $2, blob_key = $3, hash = $3, mime_type = $4, size = $5, width = $6, height = $7,
        words = ${words('$2::text', 'alt', 'caption', 'folder')}, version = version + 1, updated_at = $8, updated_by = $9
      where id = $1`,
    values: [
      id,
      content.filename,
      content.blobKey,
      content.mimeType,
      content.size,
      content.width,
      content.height,
      at,
      by,
    ],
  })
  await tx.deleteFrom('rendition').where('media_id', '=', id).execute()
}

/** Remembers where the file was until now. */
export const insertFormerAddress = async (
  tx: CmsTx,
  { id, hash, filename }: Pick<StoredMedia, 'id' | 'hash' | 'filename'>,
): Promise<void> => {
  await tx.query({
    name: 'insert-former-address',
    text: `insert into media_address (media_id, hash, filename) values ($1, $2, $3) on conflict do nothing`,
    values: [id, hash.slice(0, HASH_LENGTH), filename],
  })
}

/** Whether the file was at this address once. */
export const wasAt = async (
  db: CmsDb,
  { id, hash, filename }: Pick<StoredMedia, 'id' | 'hash' | 'filename'>,
): Promise<boolean> => {
  const rows = await db.query({
    name: 'find-former-address',
    text: 'select from media_address where media_id = $1 and hash = $2 and filename = $3',
    values: [id, hash, filename],
  })
  return rows.length > 0
}

export const deleteMediaRow = async (tx: CmsTx, id: string): Promise<void> => {
  await tx.deleteFrom('media').where('id', '=', id).execute()
}

/** Who changed the file last. */
export const findLastEditor = async (db: CmsDb, id: string): Promise<Editor | null> => {
  const row = await db
    .selectFrom('media')
    .innerJoin('account', 'account.id', 'media.updated_by')
    .select(['account.id', 'account.name'])
    .where('media.id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

/** What is needed to serve a file: one statement, because visitors wait for it. */
export type ServedMedia = Pick<
  StoredMedia,
  'id' | 'filename' | 'blobKey' | 'mimeType' | 'size' | 'width' | 'height' | 'hash' | 'focalX' | 'focalY'
>

export const findServed = async (db: CmsDb, id: string): Promise<ServedMedia | null> => {
  const [row] = await db.query<ServedMedia>({
    name: 'find-served-media',
    text: `select id, filename, blob_key as "blobKey", mime_type as "mimeType", size, width, height, hash,
        focal_x as "focalX", focal_y as "focalY" from media where id = $1`,
    values: [id],
  })
  return row ?? null
}

export type Described = Pick<
  StoredMedia,
  'id' | 'filename' | 'mimeType' | 'size' | 'width' | 'height' | 'hash' | 'alt' | 'caption' | 'focalX' | 'focalY'
>

/** The files of these ids that there are; one statement. */
export const listDescribed = (db: CmsDb, ids: readonly string[]): Promise<Described[]> =>
  db.query({
    name: 'list-described-media',
    text: `select id, filename, mime_type as "mimeType", size, width, height, hash, alt, caption,
        focal_x as "focalX", focal_y as "focalY" from media where id = any($1::uuid[])`,
    values: [ids],
  })

export type StoredRendition = { blobKey: string; mimeType: MediaType; size: number }

export const findRendition = async (db: CmsDb, mediaId: string, variant: string): Promise<StoredRendition | null> => {
  const row = await db
    .selectFrom('rendition')
    .select(['blob_key', 'mime_type', 'size'])
    .where('media_id', '=', mediaId)
    .where('variant', '=', variant)
    .executeTakeFirst()
  if (!row || !isMediaType(row.mime_type)) return null
  return { blobKey: row.blob_key, mimeType: row.mime_type, size: row.size }
}

export type NewRendition = StoredRendition & { mediaId: string; variant: string; madeOf: string; at: Date }

/** Remembers a rendition, unless its file was replaced or removed while it was made. */
export const insertRendition = async (
  tx: CmsTx,
  { mediaId, variant, madeOf, ...made }: NewRendition,
): Promise<void> => {
  await tx.query({
    name: 'insert-rendition',
    text: `insert into rendition (media_id, variant, blob_key, mime_type, size, created_at)
      select id, $3, $4, $5, $6, $7 from media where id = $1 and blob_key = $2 for share
      on conflict (media_id, variant) do update set blob_key = excluded.blob_key, size = excluded.size`,
    values: [mediaId, madeOf, variant, made.blobKey, made.mimeType, made.size, made.at],
  })
}

/** Tables whose `blob_key` names what must be kept: files, and renditions for websites and social networks. */
export const BLOB_TABLES = ['media', 'rendition', 'social_rendition']

/** Which of these blobs are of a file, or of a rendition for websites or social networks. */
export const listUsedBlobs = async (db: CmsDb, keys: readonly string[]): Promise<Set<string>> => {
  const rows = await db.query<{ key: string }>({
    name: 'list-used-blobs',
    text: BLOB_TABLES.map((table) => `select blob_key as key from ${table} where blob_key = any($1::text[])`).join(
      ' union ',
    ),
    values: [keys],
  })
  return new Set(rows.map(({ key }) => key))
}
