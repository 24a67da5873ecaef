import type { Field } from '@stoa/cms-model/fields/field.ts'
import { type List, toList } from '@stoa/cms-model/lists.ts'
import type { CmsDb, CmsTx, Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import { taxonomiesOfTypes } from '../taxonomies/taxonomies.ts'
import { findTypeRow, listTypePage, listTypeRows, type TypeFilter } from './queries.ts'
import type { Rename } from './renames/records.ts'

/** A content type with its fields parsed. */
export type ContentType = {
  name: string
  label: string
  labelPlural: string
  description: string
  icon: string
  kind: 'collection' | 'single'
  previewUrl: string | null
  fields: readonly Field[]
  /** Keys that fields had before, the oldest first: revisions still hold their values under them. */
  renames: readonly Rename[]
  /** Which state of the fields entries must have been written under to be found by their words. */
  searchVersion: number
  version: number
  createdAt: Date
  updatedAt: Date
}

/** A content type as people see it: with the names of the taxonomies whose terms its entries may carry. */
export type TypeRecord = ContentType & { taxonomies: string[] }

export const findType = (db: CmsDb, name: string): Promise<ContentType | null> => findTypeRow(db, name)

/** The type; NOT_FOUND if there is none of that name. */
export const requireType = async (db: CmsDb, name: string): Promise<ContentType> =>
  (await findTypeRow(db, name)) ?? noSuchType(name)

/**
 * The type, unchanged until the transaction ends; others may hold it as well. Code that writes an entry checks it against
 * this one: otherwise a field could become unique, or the type single, between the check and the commit.
 */
export const lockTypeShared = async (tx: CmsTx, name: string): Promise<ContentType> =>
  (await findTypeRow(tx, name, 'held')) ?? noSuchType(name)

/** Every type, by name: 500 at most. */
export const listAllTypes = (db: CmsDb): Promise<ContentType[]> => listTypeRows(db)

export const listTypes = async (ctx: Ctx, filter: TypeFilter): Promise<List<TypeRecord>> => {
  const { types, total } = await listTypePage(ctx.db, filter)
  const names = types.map(({ name }) => name)
  const taxonomies = names.length === 0 ? new Map<string, string[]>() : await taxonomiesOfTypes(ctx.db, names)
  return toList(
    types.map((type) => ({ ...type, taxonomies: taxonomies.get(type.name) ?? [] })),
    total,
    filter,
  )
}

export const getType = async (ctx: Ctx, name: string): Promise<TypeRecord> =>
  withTaxonomies(ctx.db, await requireType(ctx.db, name))

export const withTaxonomies = async (db: CmsDb, type: ContentType): Promise<TypeRecord> => {
  const taxonomies = await taxonomiesOfTypes(db, [type.name])
  return { ...type, taxonomies: taxonomies.get(type.name) ?? [] }
}

export const noSuchType = (name: string): never => fail('NOT_FOUND', { message: `There is no content type '${name}'` })
