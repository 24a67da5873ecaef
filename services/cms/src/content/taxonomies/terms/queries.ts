import type { Page } from '@stoa/cms-model/lists.ts'
import { sql } from 'kysely'
import type { CmsDb, CmsTx } from '../../../context.ts'
import type { Editor } from '../../../version-conflict.ts'

/** A term without the count of its entries. */
export type TermRecord = {
  id: string
  taxonomyId: string
  slug: string
  name: string
  description: string
  parentId: string | null
  position: number
  version: number
  updatedAt: Date
}

const columns = [
  'id',
  'taxonomy_id',
  'slug',
  'name',
  'description',
  'parent_id',
  'position',
  'version',
  'updated_at',
] as const
type Row = {
  id: string
  taxonomy_id: string
  slug: string
  name: string
  description: string
  parent_id: string | null
  position: number
  version: number
  updated_at: Date
}

export const findTerm = async (db: CmsDb, taxonomyId: string, slug: string): Promise<TermRecord | null> => {
  const row = await db
    .selectFrom('term')
    .select(columns)
    .where('taxonomy_id', '=', taxonomyId)
    .where('slug', '=', slug)
    .executeTakeFirst()
  return row ? toTerm(row) : null
}

/** All terms of the taxonomies `$1`; `path` sorts a parent before its children, and siblings by position. */
const TREE = `with recursive tree as (
    select term.*, array[position] as path from term where taxonomy_id = any($1::uuid[]) and parent_id is null
    union all
    select term.*, path || term.position from term join tree on term.parent_id = tree.id
  )`

export type EmbeddedTerms = { terms: TermRecord[]; total: number }

/** The first terms of each of these taxonomies in the order of the tree, and how many it has. */
export const listFirstTerms = async (
  db: CmsDb,
  taxonomyIds: readonly string[],
  limit: number,
): Promise<Map<string, EmbeddedTerms>> => {
  const rows = await db.query<Row & { total: number }>({
    text: `${TREE}, placed as (
        select *, row_number() over (partition by taxonomy_id order by path, id) as place,
          count(*) over (partition by taxonomy_id) as total
        from tree
      )
      select ${columns.join(', ')}, total from placed where place <= $2 order by taxonomy_id, place`,
    values: [taxonomyIds, limit],
  })
  const found = new Map<string, EmbeddedTerms>()
  for (const row of rows) {
    const of = found.get(row.taxonomy_id) ?? { terms: [], total: row.total }
    of.terms.push(toTerm(row))
    found.set(row.taxonomy_id, of)
  }
  return found
}

export type TermFilter = Page & { taxonomyId: string; q?: string | undefined }

/** Terms in the order of the tree. */
export const listTerms = async (
  db: CmsDb,
  { taxonomyId, q, page, limit }: TermFilter,
): Promise<{ terms: TermRecord[]; total: number }> => {
  const pattern = `%${(q ?? '').replace(/[\\%_]/g, '\\$&')}%`
  const matches = '(name ilike $2 or slug ilike $2)'
  const [counted] = await db.query<{ total: number }>({
    text: `select count(*) as total from term where taxonomy_id = $1 and ${matches}`,
    values: [taxonomyId, pattern],
  })
  const rows = await db.query<Row>({
    text: `${TREE} select ${columns.join(', ')} from tree where ${matches} order by path, id limit $3 offset $4`,
    values: [[taxonomyId], pattern, limit, (page - 1) * limit],
  })
  return { terms: rows.map(toTerm), total: counted?.total ?? 0 }
}

/** Published entries that have each of these terms; a term without any is not in the map. */
export const countEntries = async (db: CmsDb, termIds: readonly string[]): Promise<Map<string, number>> => {
  const rows = await db.query<{ term_id: string; entries: number }>({
    text: `select term_id, count(*) as entries from entry_term join entry on entry.id = entry_id
      where term_id = any($1::uuid[]) and status = 'published' and deleted_at is null
      group by term_id`,
    values: [termIds],
  })
  return new Map(rows.map(({ term_id, entries }) => [term_id, entries]))
}

/** Slugs of this taxonomy that begin like this. */
export const listSlugs = async (db: CmsDb, taxonomyId: string, beginning: string): Promise<Set<string>> => {
  const rows = await db
    .selectFrom('term')
    .select('slug')
    .where('taxonomy_id', '=', taxonomyId)
    .where(sql<boolean>`starts_with(slug, ${beginning})`)
    .execute()
  return new Set(rows.map(({ slug }) => slug))
}

export const countNestedTerms = async (db: CmsDb, taxonomyId: string): Promise<number> => {
  const { count } = await db
    .selectFrom('term')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('taxonomy_id', '=', taxonomyId)
    .where('parent_id', 'is not', null)
    .executeTakeFirstOrThrow()
  return count
}

/** The term and those above it, up to the top; nothing when it is not of this taxonomy. */
export const listAncestors = async (db: CmsDb, taxonomyId: string, id: string): Promise<string[]> => {
  const rows = await db.query<{ id: string }>({
    text: `with recursive above as (
        select id, parent_id from term where id = $2 and taxonomy_id = $1
        union
        select term.id, term.parent_id from term join above on term.id = above.parent_id
      )
      select id from above`,
    values: [taxonomyId, id],
  })
  return rows.map((row) => row.id)
}

/** Levels of the tree below and with this term: 1 when it has no children. */
export const findHeight = async (db: CmsDb, id: string): Promise<number> => {
  const [row] = await db.query<{ height: number }>({
    text: `with recursive below as (
        select id, 1 as level from term where id = $1
        union all
        select term.id, level + 1 from term join below on term.parent_id = below.id
      )
      select max(level) as height from below`,
    values: [id],
  })
  return row?.height ?? 0
}

/** Where terms stand side by side. */
export type Siblings = { taxonomyId: string; parentId: string | null }

export const findEndPosition = async (db: CmsDb, siblings: Siblings): Promise<number> => {
  const [row] = await db.query<{ position: number }>({
    text: `select coalesce(max(position) + 1, 0) as position from term
      where taxonomy_id = $1 and parent_id is not distinct from $2`,
    values: [siblings.taxonomyId, siblings.parentId],
  })
  return row?.position ?? 0
}

/** Moves siblings at or after `from`, and before `to` if there is one, on by this much. Nobody edited them. */
export const shiftSiblings = async (
  tx: CmsTx,
  siblings: Siblings,
  { from, to = null, by }: { from: number; to?: number | null; by: number },
): Promise<void> => {
  await tx.query({
    text: `update term set position = position + $5
      where taxonomy_id = $1 and parent_id is not distinct from $2 and position >= $3 and ($4::int is null or position < $4)`,
    values: [siblings.taxonomyId, siblings.parentId, from, to, by],
  })
}

export const isPositionTaken = async (db: CmsDb, siblings: Siblings, position: number): Promise<boolean> => {
  const rows = await db.query({
    text: `select 1 from term where taxonomy_id = $1 and parent_id is not distinct from $2 and position = $3 limit 1`,
    values: [siblings.taxonomyId, siblings.parentId, position],
  })
  return rows.length > 0
}

/** The time and author of an edit; null stands for the system. */
export type Stamp = { at: Date; by: string | null }

/** Who made the present version. */
export const findLastEditor = async (db: CmsDb, id: string): Promise<Editor | null> =>
  (await db
    .selectFrom('term')
    .innerJoin('account', 'account.id', 'term.updated_by')
    .select(['account.id', 'account.name'])
    .where('term.id', '=', id)
    .executeTakeFirst()) ?? null

export type NewTerm = Omit<TermRecord, 'version' | 'updatedAt'>

export const insertTerm = async (tx: CmsTx, term: NewTerm, { at, by }: Stamp): Promise<TermRecord> => {
  const row = await tx
    .insertInto('term')
    .values({
      id: term.id,
      taxonomy_id: term.taxonomyId,
      slug: term.slug,
      name: term.name,
      description: term.description,
      parent_id: term.parentId,
      position: term.position,
      created_at: at,
      updated_at: at,
      updated_by: by,
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
  return toTerm(row)
}

export type TermChanges = {
  slug?: string
  name?: string
  description?: string
  parentId?: string | null
  position?: number
}

export const updateTerm = async (
  tx: CmsTx,
  id: string,
  changes: TermChanges,
  { at, by }: Stamp,
): Promise<TermRecord> => {
  const { parentId, ...rest } = changes
  const row = await tx
    .updateTable('term')
    .set((set) => ({
      ...rest,
      ...(parentId === undefined ? {} : { parent_id: parentId }),
      version: set('version', '+', 1),
      updated_at: at,
      updated_by: by,
    }))
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()
  return toTerm(row)
}

export const countChildren = async (db: CmsDb, id: string): Promise<number> => {
  const { count } = await db
    .selectFrom('term')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('parent_id', '=', id)
    .executeTakeFirstOrThrow()
  return count
}

/** Gives the children of a term its parent, in their order, the first one at this position. */
export const liftChildren = async (tx: CmsTx, { id, parentId, position }: TermRecord, at: Date): Promise<void> => {
  await tx.query({
    text: `update term set parent_id = $2, position = $3 + place - 1, version = version + 1, updated_at = $4
      from (select id as child, row_number() over (order by position, id) as place from term where parent_id = $1) as lifted
      where term.id = child`,
    values: [id, parentId, position, at],
  })
}

/** Also removes the term from entries. */
export const deleteTerm = async (tx: CmsTx, id: string): Promise<void> => {
  await tx.deleteFrom('term').where('id', '=', id).execute()
}

const toTerm = (row: Row): TermRecord => ({
  id: row.id,
  taxonomyId: row.taxonomy_id,
  slug: row.slug,
  name: row.name,
  description: row.description,
  parentId: row.parent_id,
  position: row.position,
  version: row.version,
  updatedAt: row.updated_at,
})
