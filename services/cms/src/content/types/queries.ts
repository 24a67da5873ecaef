import type { Page, SortOrder } from '@stoa/cms-model/lists.ts'
import { sql } from 'kysely'
import type { CmsDb, CmsTx } from '../../context.ts'
import type { Editor } from '../../version-conflict.ts'
import type { ContentType } from './content-type.ts'
import { type Rename, renameRecords } from './renames/records.ts'
import { readFields } from './stored-fields.ts'

/** The key of an advisory lock, unique in this database. */
const TYPES_LOCK = 4_300_003

/**
 * One change of types at a time, until the transaction ends: rules such as "what a reference points to exists" look at
 * several rows, and at rows that are not there yet.
 */
export const lockTypes = async (tx: CmsTx): Promise<void> => {
  await sql`select pg_advisory_xact_lock(${TYPES_LOCK})`.execute(tx)
}

/** The transaction can only read from now on: it comes before any other statement. */
export const readOnly = async (tx: CmsTx): Promise<void> => {
  await tx.query({ text: 'set transaction isolation level repeatable read read only' })
}

type TypeRow = {
  name: string
  label: string
  label_plural: string
  description: string
  icon: string
  kind: 'collection' | 'single'
  preview_url: string | null
  fields: string
  renames: unknown
  search_version: number
  version: number
  created_at: Date
  updated_at: Date
}

/** Fields are read as text, which can be looked up in a cache instead of parsed again. */
const COLUMNS =
  'name, label, label_plural, description, icon, kind, preview_url, fields::text as fields, renames, search_version, version, created_at, updated_at'

/** `held` keeps the type as it is until the transaction ends; `changing` also excludes those that hold it. */
export const findTypeRow = async (
  db: CmsDb,
  name: string,
  lock: 'none' | 'held' | 'changing' = 'none',
): Promise<ContentType | null> => {
  const ending = { none: '', held: ' for share', changing: ' for update' }[lock]
  const [row] = await db.query<TypeRow>({
    name: `find-type-${lock}`,
    text: `select ${COLUMNS} from content_type where name = $1${ending}`,
    values: [name],
  })
  return row ? toType(row) : null
}

export const listTypeRows = async (db: CmsDb): Promise<ContentType[]> => {
  const rows = await db.query<TypeRow>({
    name: 'list-all-types',
    text: `select ${COLUMNS} from content_type order by name`,
  })
  return rows.map(toType)
}

const sortColumns = {
  name: 'name',
  label: 'lower(label)',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
} as const
export const typeSortKeys = ['name', 'label', 'createdAt', 'updatedAt'] as const satisfies (keyof typeof sortColumns)[]
export type TypeFilter = Page & { q?: string | undefined; sort: SortOrder<(typeof typeSortKeys)[number]> }

export const listTypePage = async (
  db: CmsDb,
  { q = '', sort, page, limit }: TypeFilter,
): Promise<{ types: ContentType[]; total: number }> => {
  const pattern = `%${q.replace(/[\\%_]/g, '\\$&')}%`
  const order = sort.map(({ key, descending }) => `${sortColumns[key]}${descending ? ' desc' : ''}`)
  const matching = 'from content_type where name ilike $1 or label ilike $1 or label_plural ilike $1'
  const [counted] = await db.query<{ total: number }>({
    name: 'count-types',
    text: `select count(*) as total ${matching}`,
    values: [pattern],
  })
  const rows = await db.query<TypeRow>({
    text: `select ${COLUMNS} ${matching} order by ${[...order, 'name'].join(', ')} limit $2 offset $3`,
    values: [pattern, limit, (page - 1) * limit],
  })
  return { types: rows.map(toType), total: counted?.total ?? 0 }
}

export const countTypes = async (db: CmsDb): Promise<number> => {
  const { count } = await db
    .selectFrom('content_type')
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export type TypeMembers = Omit<ContentType, 'renames' | 'searchVersion' | 'version' | 'createdAt' | 'updatedAt'>
type Change = { at: Date; by: string }

export const insertType = async (tx: CmsTx, type: TypeMembers, { at, by }: Change): Promise<void> => {
  await tx
    .insertInto('content_type')
    .values({ name: type.name, ...toColumns(type), created_at: at, updated_at: at, updated_by: by })
    .execute()
}

export const updateTypeRow = async (tx: CmsTx, type: TypeMembers, { at, by }: Change): Promise<void> => {
  await tx
    .updateTable('content_type')
    .set((set) => ({ ...toColumns(type), version: set('version', '+', 1), updated_at: at, updated_by: by }))
    .where('name', '=', type.name)
    .execute()
}

export const setRenames = async (tx: CmsTx, name: string, renames: readonly Rename[]): Promise<void> => {
  await tx
    .updateTable('content_type')
    .set({ renames: JSON.stringify(renames) })
    .where('name', '=', name)
    .execute()
}

/** Every entry there is waits to be brought up to the fields as they are now. */
export const raiseSearchVersion = async (tx: CmsTx, name: string): Promise<void> => {
  await tx
    .updateTable('content_type')
    .set((set) => ({ search_version: set('search_version', '+', 1) }))
    .where('name', '=', name)
    .execute()
}

/** Marks the templates of the type's entries as outdated; their search data stays. */
export const forgetTemplates = async (tx: CmsTx, name: string): Promise<void> => {
  await tx.updateTable('content_type').set({ templates_synced: -1 }).where('name', '=', name).execute()
}

/** Types of which entries may be behind. */
export const listUnsyncedTypes = async (db: CmsDb): Promise<string[]> => {
  const rows = await db
    .selectFrom('content_type')
    .select('name')
    .where((where) =>
      where.or([
        where('search_synced', '<>', where.ref('search_version')),
        where('templates_synced', '<>', where.ref('search_version')),
      ]),
    )
    .orderBy('name')
    .execute()
  return rows.map(({ name }) => name)
}

/** No entry is behind this state of the fields, and these keys have misfits. False if it is not the present one any more. */
export const setSearchSynced = async (
  tx: CmsTx,
  name: string,
  { searchVersion, misfits }: { searchVersion: number; misfits: string[] },
): Promise<boolean> => {
  const rows = await tx
    .updateTable('content_type')
    .set({ search_synced: searchVersion, templates_synced: searchVersion, misfits })
    .where('name', '=', name)
    .where('search_version', '=', searchVersion)
    .returning('name')
    .execute()
  return rows.length > 0
}

export const deleteTypeRow = async (tx: CmsTx, name: string): Promise<void> => {
  await tx.deleteFrom('content_type').where('name', '=', name).execute()
}

/** How many entries of the type there are, in the trash and outside of it. */
export const countEntries = async (tx: CmsTx, type: string): Promise<{ present: number; trashed: number }> => {
  const [row] = await tx.query<{ present: number; trashed: number }>({
    name: 'count-entries-of-type',
    text: `select count(*) filter (where deleted_at is null) as present,
      count(*) filter (where deleted_at is not null) as trashed from entry where type = $1`,
    values: [type],
  })
  return row ?? { present: 0, trashed: 0 }
}

/** Also in the trash. Asked in two parts because no index has both. */
export const hasAnyEntry = async (tx: CmsTx, type: string): Promise<boolean> => {
  const [row] = await tx.query<{ found: boolean }>({
    name: 'has-any-entry-of-type',
    text: `select exists (select from entry where type = $1 and deleted_at is null)
      or exists (select from entry where type = $1 and deleted_at is not null) as found`,
    values: [type],
  })
  return row?.found ?? false
}

export const findLastEditor = async (db: CmsDb, name: string): Promise<Editor | null> => {
  const row = await db
    .selectFrom('content_type')
    .innerJoin('account', 'account.id', 'content_type.updated_by')
    .select(['account.id', 'account.name'])
    .where('content_type.name', '=', name)
    .executeTakeFirst()
  return row ?? null
}

const toColumns = (type: TypeMembers) => ({
  label: type.label,
  label_plural: type.labelPlural,
  description: type.description,
  icon: type.icon,
  kind: type.kind,
  preview_url: type.previewUrl,
  fields: JSON.stringify(type.fields),
})

const toType = (row: TypeRow): ContentType => ({
  name: row.name,
  label: row.label,
  labelPlural: row.label_plural,
  description: row.description,
  icon: row.icon,
  kind: row.kind,
  previewUrl: row.preview_url,
  fields: readFields(row.fields),
  renames: renameRecords.parse(row.renames),
  searchVersion: row.search_version,
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
