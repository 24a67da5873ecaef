import { type List, type Page, toList } from '@stoa/cms-model/lists.ts'
import {
  ALL_TYPES,
  type CreateTaxonomyInput,
  isForType,
  MAX_EMBEDDED_TERMS,
  type UpdateTaxonomyInput,
} from '@stoa/cms-model/taxonomies.ts'
import { isConflict } from '@stoa/kit/db/errors.ts'
import { newId } from '@stoa/kit/ids.ts'
import type { CmsDb, CmsTx, Ctx } from '../../context.ts'
import { fail, failFields } from '../../errors.ts'
import { recordChange } from '../../events/events.ts'
import { personOf } from '../../principal.ts'
import { refuseOtherVersion, type WantedVersion } from '../../version-conflict.ts'
import { taxonomyEvent } from './event.ts'
import {
  deleteTaxonomy,
  findLastEditor,
  findTaxonomy,
  insertTaxonomy,
  keepTypes,
  listTaxonomies as listTaxonomyRecords,
  listTypesOfTaxonomies,
  lockTaxonomy,
  removeType,
  type TaxonomyChanges,
  type TaxonomyRecord,
  updateTaxonomy as updateTaxonomyRecord,
} from './queries.ts'
import { countEntries, countNestedTerms, listFirstTerms } from './terms/queries.ts'
import type { CountedTerm } from './terms/terms.ts'

export { resolveTerms, resolveTermsOf, setEntryTerms, setEntryTermsOf, termsOfEntries } from './entry-terms.ts'
export { createTerm } from './terms/terms.ts'

export type TaxonomyWithTerms = TaxonomyRecord & { terms: CountedTerm[]; termCount: number }

export const listTaxonomies = async (ctx: Ctx, page: Page): Promise<List<TaxonomyWithTerms>> => {
  const { taxonomies, total } = await listTaxonomyRecords(ctx.db, page)
  return toList(await withTerms(ctx.db, taxonomies), total, page)
}

export const getTaxonomy = async (ctx: Ctx, name: string): Promise<TaxonomyWithTerms> =>
  withOwnTerms(ctx.db, (await findTaxonomy(ctx.db, name)) ?? fail('NOT_FOUND'))

export const createTaxonomy = (ctx: Ctx, input: CreateTaxonomyInput): Promise<TaxonomyWithTerms> =>
  ctx.tx(async (tx) => {
    await refuseUnknownTypes(tx, input.types)
    const { name, label, hierarchical, types } = input
    const record = { id: newId(), name, label, hierarchical, types }
    const created = await insertTaxonomy(tx, record, changeOf(ctx)).catch(refuseTakenName)
    await recordChange(ctx, tx, {
      action: 'taxonomy.created',
      target: targetOf(created),
      events: [taxonomyEvent(created)],
    })
    return { ...created, terms: [], termCount: 0 }
  })

/** Changes the members sent. Entries keep terms that they have, also where their type is no longer among `types`. */
export const updateTaxonomy = (
  ctx: Ctx,
  name: string,
  input: UpdateTaxonomyInput,
  wanted: WantedVersion,
): Promise<TaxonomyWithTerms> =>
  ctx.tx(async (tx) => {
    const present = await lockForChange(tx, name, wanted)
    const changes = changesOf(present, input)
    const changed = Object.keys(changes)
    if (changed.length === 0) return withOwnTerms(tx, present)
    await refuseUnknownTypes(tx, changes.types ?? [])
    if (changes.hierarchical === false) await refuseNested(tx, present)
    const saved = await updateTaxonomyRecord(tx, present.id, changes, changeOf(ctx)).catch(refuseTakenName)
    await recordChange(ctx, tx, {
      action: 'taxonomy.updated',
      target: targetOf(saved),
      changed,
      events: [{ ...taxonomyEvent(saved), previous: { slug: present.name } }],
    })
    return withOwnTerms(tx, saved)
  })

/** Removes the taxonomy, its terms, and that entries have them. */
export const removeTaxonomy = (ctx: Ctx, name: string, wanted: WantedVersion): Promise<void> =>
  ctx.tx(async (tx) => {
    const present = await lockForChange(tx, name, wanted)
    await deleteTaxonomy(tx, present.id)
    await recordChange(ctx, tx, {
      action: 'taxonomy.deleted',
      target: targetOf(present),
      events: [taxonomyEvent(present)],
    })
  })

/** Of each of these types the names of the taxonomies that it can have terms of, in one statement. */
export const taxonomiesOfTypes = async (db: CmsDb, types: readonly string[]): Promise<Map<string, string[]>> => {
  const taxonomies = await listTypesOfTaxonomies(db)
  const namesFor = (type: string) => taxonomies.filter(({ types }) => isForType(types, type)).map(({ name }) => name)
  return new Map(types.map((type) => [type, namesFor(type)]))
}

/** Takes a deleted type out of all taxonomies. To be called after its row was deleted, so that none can add it again. */
export const forgetType = (ctx: Ctx, tx: CmsTx, type: string): Promise<void> => removeType(tx, type, changeOf(ctx))

const withTerms = async (db: CmsDb, taxonomies: readonly TaxonomyRecord[]): Promise<TaxonomyWithTerms[]> => {
  const found = await listFirstTerms(
    db,
    taxonomies.map(({ id }) => id),
    MAX_EMBEDDED_TERMS,
  )
  const ids = [...found.values()].flatMap(({ terms }) => terms.map(({ id }) => id))
  const counts = await countEntries(db, ids)
  return taxonomies.map((taxonomy) => {
    const { terms, total } = found.get(taxonomy.id) ?? { terms: [], total: 0 }
    const counted = terms.map((term) => ({ ...term, count: counts.get(term.id) ?? 0 }))
    return { ...taxonomy, terms: counted, termCount: total }
  })
}

const withOwnTerms = async (db: CmsDb, taxonomy: TaxonomyRecord): Promise<TaxonomyWithTerms> => {
  const [whole] = await withTerms(db, [taxonomy])
  return whole ?? { ...taxonomy, terms: [], termCount: 0 }
}

const lockForChange = async (tx: CmsTx, name: string, wanted: WantedVersion): Promise<TaxonomyRecord> => {
  const present = (await lockTaxonomy(tx, name)) ?? fail('NOT_FOUND')
  await refuseOtherVersion(wanted, present, () => findLastEditor(tx, present.id))
  return present
}

const changeOf = (ctx: Ctx) => ({ at: ctx.now(), by: personOf(ctx)?.id ?? null })

const changesOf = (present: TaxonomyRecord, input: UpdateTaxonomyInput): TaxonomyChanges => ({
  ...(input.name === undefined || input.name === present.name ? {} : { name: input.name }),
  ...(input.label === undefined || input.label === present.label ? {} : { label: input.label }),
  ...(input.hierarchical === undefined || input.hierarchical === present.hierarchical
    ? {}
    : { hierarchical: input.hierarchical }),
  ...(input.types === undefined || input.types.join() === present.types.join() ? {} : { types: input.types }),
})

const refuseUnknownTypes = async (tx: CmsTx, types: readonly string[]): Promise<void> => {
  const names = types.filter((name) => name !== ALL_TYPES)
  if (names.length === 0) return
  const known = await keepTypes(tx, names)
  const unknown = types.flatMap((name, index) => (name === ALL_TYPES || known.has(name) ? [] : [{ name, index }]))
  if (unknown.length > 0)
    failFields(unknown.map(({ name, index }) => ({ key: `types.${index}`, message: `there is no type "${name}"` })))
}

const refuseNested = async (tx: CmsTx, { id }: TaxonomyRecord): Promise<void> => {
  const nested = await countNestedTerms(tx, id)
  if (nested === 0) return
  fail('INVALID_STATE', {
    message: `Some terms have a parent (${nested}). Move them to the top level before you make the taxonomy flat.`,
    details: { nested },
  })
}

const targetOf = ({ id, label }: TaxonomyRecord) => ({ kind: 'taxonomy', id, label })

const refuseTakenName = (raised: unknown): never => {
  if (isConflict(raised, 'taxonomy_name_key'))
    return fail('NAME_TAKEN', { cause: raised, message: 'Another taxonomy already has this name' })
  throw raised
}
