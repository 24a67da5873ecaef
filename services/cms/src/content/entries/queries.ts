import type { EntryStatus } from '@stoa/cms-model/entries.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import { type Avatar, avatarSql } from '../../avatar.ts'
import type { CmsDb, CmsTx } from '../../context.ts'
import type { Author, Content, Person, StoredEntry } from './record.ts'

/** Every member of a stored entry; for `from entry e` with the people joined. */
export const ENTRY_COLUMNS = `e.id, e.type, e.slug, e.title, e.data, e.status, e.locale, e.translation_of, e.pending, e.version,
  e.live_version, e.live_updated_at, e.published_at, e.publish_at, e.unpublish_at, e.deleted_at, e.created_at, e.updated_at,
  author.id as author_id, author.name as author_name, ${avatarSql('author')} as author_avatar, editor.id as editor_id, editor.name as editor_name,
  remover.id as remover_id, remover.name as remover_name`
export const ENTRY_PEOPLE = `left join account author on author.id = e.author_id
  left join account editor on editor.id = e.updated_by
  left join account remover on remover.id = e.deleted_by`

export type EntryRow = {
  id: string
  type: string
  slug: string
  title: string
  data: unknown
  status: EntryStatus
  locale: string
  translation_of: string | null
  pending: unknown
  version: number
  live_version: number | null
  live_updated_at: Date | null
  published_at: Date | null
  publish_at: Date | null
  unpublish_at: Date | null
  deleted_at: Date | null
  created_at: Date
  updated_at: Date
  author_id: string | null
  author_name: string | null
  author_avatar: Avatar | null
  editor_id: string | null
  editor_name: string | null
  remover_id: string | null
  remover_name: string | null
}

export const findEntry = async (db: CmsDb, id: string): Promise<StoredEntry | null> => {
  const [row] = await db.query<EntryRow>({
    name: 'find-entry',
    text: `select ${ENTRY_COLUMNS} from entry e ${ENTRY_PEOPLE} where e.id = $1`,
    values: [id],
  })
  return row ? toEntry(row) : null
}

/** The entry, which nobody else changes before the transaction ends. */
export const lockEntry = async (tx: CmsTx, id: string): Promise<StoredEntry | null> => {
  const [row] = await tx.query<EntryRow>({
    name: 'lock-entry',
    text: `select ${ENTRY_COLUMNS} from entry e ${ENTRY_PEOPLE} where e.id = $1 for no key update of e`,
    values: [id],
  })
  return row ? toEntry(row) : null
}

export type NewEntry = Content & {
  id: string
  type: string
  locale: string
  translationOf: string | null
  authorId: string | null
}

/** Always a draft. */
export const insertEntry = async (
  tx: CmsTx,
  entry: NewEntry,
  { at, by }: { at: Date; by: string | null },
): Promise<void> => {
  await tx
    .insertInto('entry')
    .values({
      id: entry.id,
      type: entry.type,
      slug: entry.slug,
      title: entry.title,
      data: JSON.stringify(entry.data),
      status: 'draft',
      locale: entry.locale,
      translation_of: entry.translationOf,
      author_id: entry.authorId,
      pending: null,
      live_version: null,
      live_updated_at: null,
      published_at: null,
      publish_at: null,
      unpublish_at: null,
      deleted_at: null,
      deleted_by: null,
      status_before_delete: null,
      created_at: at,
      updated_at: at,
      updated_by: by,
    })
    .execute()
}

/** Writes every member that can change. */
export const updateEntry = async (tx: CmsTx, entry: StoredEntry): Promise<void> => {
  await tx
    .updateTable('entry')
    .set({
      slug: entry.slug,
      title: entry.title,
      data: JSON.stringify(entry.data),
      status: entry.status,
      locale: entry.locale,
      author_id: entry.author?.id ?? null,
      pending: entry.pending === null ? null : JSON.stringify(entry.pending),
      version: entry.version,
      live_version: entry.liveVersion,
      live_updated_at: entry.liveUpdatedAt,
      published_at: entry.publishedAt,
      publish_at: entry.publishAt,
      unpublish_at: entry.unpublishAt,
      deleted_at: entry.deletedAt,
      deleted_by: entry.deletedBy?.id ?? null,
      status_before_delete: entry.deletedAt === null ? null : entry.status,
      updated_at: entry.updatedAt,
      updated_by: entry.updatedBy?.id ?? null,
    })
    .where('id', '=', entry.id)
    .execute()
}

/** Until the transaction ends, nobody else holds this name: for rules about rows that are not there yet. */
export const lockName = async (tx: CmsTx, name: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx)
}

/** Which of these slugs other entries of the type have, those in the trash not counted. */
export const listTakenSlugs = async (
  db: CmsDb,
  { type, slugs, except }: { type: string; slugs: readonly string[]; except: string | null },
): Promise<Set<string>> => {
  const rows = await db.query<{ slug: string }>({
    name: 'list-taken-slugs',
    text: `select slug from entry where type = $1 and slug = any($2::text[]) and deleted_at is null
      and ($3::uuid is null or id <> $3)`,
    values: [type, slugs, except],
  })
  return new Set(rows.map(({ slug }) => slug))
}

/** The highest number behind `base-`; 1 when there is none. */
export const findHighestNumber = async (db: CmsDb, type: string, base: string): Promise<number> => {
  const [row] = await db.query<{ highest: number | null }>({
    text: `select max(substring(slug from length($2) + 2)::bigint) as highest from entry
      where type = $1 and deleted_at is null and slug like $2 || '-%' and substring(slug from length($2) + 2) ~ '^[0-9]{1,15}$'`,
    values: [type, base],
  })
  return row?.highest ?? 1
}

export const hasEntries = async (db: CmsDb, type: string): Promise<boolean> => {
  const row = await db
    .selectFrom('entry')
    .select('id')
    .where('type', '=', type)
    .where('deleted_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export type Relative = { id: string; locale: string }

/** The entry and its translations, or the other translations and their origin; those in the trash left out. */
export const listRelatives = async (db: CmsDb, originId: string): Promise<Relative[]> =>
  db
    .selectFrom('entry')
    .select(['id', 'locale'])
    .where((where) => where.or([where('id', '=', originId), where('translation_of', '=', originId)]))
    .where('deleted_at', 'is', null)
    .execute()

/** Someone who can be an author: not deactivated. */
export const findAuthor = async (db: CmsDb, id: string): Promise<Author | null> => {
  const [row] = await db.query<Author>({
    text: `select a.id, a.name, ${avatarSql('a')} as avatar from account a where a.id = $1 and a.deactivated_at is null`,
    values: [id],
  })
  return row ?? null
}

/** Published entries of a type and language, one more or one less. */
export const addToCount = async (tx: CmsTx, type: string, locale: string, by: number): Promise<void> => {
  await tx.query({
    name: 'add-to-count',
    text: `insert into entry_count (type, locale, published) values ($1, $2, $3)
      on conflict (type, locale) do update set published = entry_count.published + excluded.published`,
    values: [type, locale, by],
  })
}

/** The public knew the entry by this slug until now. Delivery answers for it. */
export const keepOldSlug = async (
  tx: CmsTx,
  { id, type, slug }: Pick<StoredEntry, 'id' | 'type' | 'slug'>,
  at: Date,
): Promise<void> => {
  await tx.query({
    name: 'keep-old-slug',
    text: `insert into entry_old_slug (type, slug, entry_id, left_at) values ($1, $2, $3, $4)
      on conflict (type, slug, entry_id) do update set left_at = excluded.left_at`,
    values: [type, slug, id, at],
  })
}

const dataShape = z.record(z.string(), z.unknown())
const contentShape = z.object({ title: z.string(), slug: z.string(), data: dataShape })

export const toData = (stored: unknown): Record<string, unknown> => dataShape.parse(stored)

export const toEntry = (row: EntryRow): StoredEntry => ({
  id: row.id,
  type: row.type,
  slug: row.slug,
  title: row.title,
  data: toData(row.data),
  status: row.status,
  locale: row.locale,
  translationOf: row.translation_of,
  author: toAuthor(row),
  pending: row.pending === null ? null : contentShape.parse(row.pending),
  version: row.version,
  liveVersion: row.live_version,
  liveUpdatedAt: row.live_updated_at,
  publishedAt: row.published_at,
  publishAt: row.publish_at,
  unpublishAt: row.unpublish_at,
  deletedAt: row.deleted_at,
  deletedBy: toPerson(row.remover_id, row.remover_name),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  updatedBy: toPerson(row.editor_id, row.editor_name),
})

const toAuthor = ({ author_id, author_name, author_avatar }: EntryRow): Author | null => {
  const person = toPerson(author_id, author_name)
  return person && { ...person, avatar: author_avatar }
}

export const toPerson = (id: string | null, name: string | null): Person | null =>
  id === null || name === null ? null : { id, name }
