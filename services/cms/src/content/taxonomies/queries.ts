import type { Page } from '@stoa/cms-model/lists.ts'
import type { EntryTerm } from '@stoa/cms-model/taxonomies.ts'
import { sql } from 'kysely'
import type { CmsDb, CmsTx } from '../../context.ts'
import type { Editor } from '../../version-conflict.ts'

/** A taxonomy without its terms. */
export type TaxonomyRecord = {
  id: string
  name: string
  label: string
  hierarchical: boolean
  types: string[]
  version: number
  updatedAt: Date
}

const columns = ['id', 'name', 'label', 'hierarchical', 'types', 'version', 'updated_at'] as const
type Row = {
  id: string
  name: string
  label: string
  hierarchical: boolean
  types: string[]
  version: number
  updated_at: Date
}

export const findTaxonomy = async (db: CmsDb, name: string): Promise<TaxonomyRecord | null> => {
  const row = await db.selectFrom('taxonomy').select(columns).where('name', '=', name).executeTakeFirst()
  return row ? toTaxonomy(row) : null
}

/** The taxonomy: neither it nor its terms are changed by anybody else before the transaction ends. */
export const lockTaxonomy = async (tx: CmsTx, name: string): Promise<TaxonomyRecord | null> => {
  const row = await tx
    .selectFrom('taxonomy')
    .select(columns)
    .where('name', '=', name)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row ? toTaxonomy(row) : null
}

export const listTaxonomies = async (
  db: CmsDb,
  { page, limit }: Page,
): Promise<{ taxonomies: TaxonomyRecord[]; total: number }> => {
  const { count } = await db
    .selectFrom('taxonomy')
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const rows = await db
    .selectFrom('taxonomy')
    .select(columns)
    .orderBy('name')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
  return { taxonomies: rows.map(toTaxonomy), total: count }
}

export type Stamp = { at: Date; by: string | null }
export type NewTaxonomy = Omit<TaxonomyRecord, 'version' | 'updatedAt'>

export const insertTaxonomy = async (tx: CmsTx, taxonomy: NewTaxonomy, { at, by }: Stamp): Promise<TaxonomyRecord> => {
  const row = await tx
    .insertInto('taxonomy')
    .values({
      id: taxonomy.id,
      name: taxonomy.name,
      label: taxonomy.label,
      hierarchical: taxonomy.hierarchical,
      types: taxonomy.types,
      created_at: at,
      updated_at: at,
      updated_by: by,
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
  return toTaxonomy(row)
}

export type TaxonomyChanges = { name?: string; label?: string; hierarchical?: boolean; types?: string[] }

export const updateTaxonomy = async (
  tx: CmsTx,
  id: string,
  changes: TaxonomyChanges,
  { at, by }: Stamp,
): Promise<TaxonomyRecord> => {
  const row = await tx
    .updateTable('taxonomy')
    .set((set) => ({ ...changes, version: set('version', '+', 1), updated_at: at, updated_by: by }))
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()
  return toTaxonomy(row)
}

/** Also deletes its terms, and removes them from entries. */
export const deleteTaxonomy = async (tx: CmsTx, id: string): Promise<void> => {
  await tx.deleteFrom('taxonomy').where('id', '=', id).execute()
}

/** Who changed the taxonomy last. */
export const findLastEditor = async (db: CmsDb, id: string): Promise<Editor | null> => {
  const row = await db
    .selectFrom('taxonomy')
    .innerJoin('account', 'account.id', 'taxonomy.updated_by')
    .select(['account.id', 'account.name'])
    .where('taxonomy.id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

/** Which of these are content types; they stay until the transaction ends. */
export const keepTypes = async (tx: CmsTx, names: readonly string[]): Promise<Set<string>> => {
  const rows = await tx.selectFrom('content_type').select('name').where('name', 'in', names).forKeyShare().execute()
  return new Set(rows.map(({ name }) => name))
}

/** Every taxonomy with the types it is for, by name. */
export const listTypesOfTaxonomies = (db: CmsDb): Promise<{ name: string; types: string[] }[]> =>
  db.selectFrom('taxonomy').select(['name', 'types']).orderBy('name').execute()

export const removeType = async (tx: CmsTx, type: string, { at, by }: Stamp): Promise<void> => {
  await tx
    .updateTable('taxonomy')
    .set((set) => ({
      types: sql<string[]>`array_remove(types, ${type})`,
      version: set('version', '+', 1),
      updated_at: at,
      updated_by: by,
    }))
    .where(sql<boolean>`${type} = any(types)`)
    .execute()
}

export type KnownTerm = { taxonomy: string; types: string[]; slug: string | null; id: string | null }

/** The named taxonomies, each with those of the named terms that it has; one row without a term where it has none. */
export const listKnownTerms = (
  db: CmsDb,
  taxonomies: readonly string[],
  slugs: readonly string[],
): Promise<KnownTerm[]> =>
  db.query({
    text: `select x.name as taxonomy, x.types, t.slug, t.id
      from taxonomy x left join term t on t.taxonomy_id = x.id and t.slug = any($2::text[])
      where x.name = any($1::text[])`,
    values: [taxonomies, slugs],
  })

/**
 * Gives the entry exactly these terms of the taxonomies; returns how many were added or removed. A term that is being
 * deleted at this moment is left out, as if it had been deleted right after.
 */
export const replaceEntryTerms = async (
  tx: CmsTx,
  entryId: string,
  termIds: readonly string[],
  taxonomy: string | null,
): Promise<number> => {
  const [row] = await tx.query<{ changed: number }>({
    text: `with reach as (
        select id from taxonomy where $3::text is null or name = $3
      ), wanted as (
        select id from term where id = any($2::uuid[]) and taxonomy_id in (select id from reach) for key share
      ), removed as (
        delete from entry_term using term
        where entry_id = $1 and term.id = term_id and term.taxonomy_id in (select id from reach)
          and term_id not in (select id from wanted)
        returning 1
      ), added as (
        insert into entry_term (entry_id, term_id) select $1, id from wanted on conflict do nothing returning 1
      )
      select (select count(*) from removed) + (select count(*) from added) as changed`,
    values: [entryId, termIds, taxonomy],
  })
  return row?.changed ?? 0
}

/** The terms of these entries, by taxonomy and then by their place in it. */
export const listTermsOfEntries = (
  db: CmsDb,
  entryIds: readonly string[],
): Promise<(EntryTerm & { entryId: string })[]> =>
  db.query({
    name: 'terms-of-entries',
    text: `select et.entry_id as "entryId", t.id, t.slug, t.name, x.name as taxonomy
      from entry_term et join term t on t.id = et.term_id join taxonomy x on x.id = t.taxonomy_id
      where et.entry_id = any($1::uuid[])
      order by x.name, t.position, t.slug`,
    values: [entryIds],
  })

const toTaxonomy = (row: Row): TaxonomyRecord => ({
  id: row.id,
  name: row.name,
  label: row.label,
  hierarchical: row.hierarchical,
  types: row.types,
  version: row.version,
  updatedAt: row.updated_at,
})
