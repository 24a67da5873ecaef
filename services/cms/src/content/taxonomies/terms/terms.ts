import { type List, toList } from '@stoa/cms-model/lists.ts'
import { MAX_SLUG_LENGTH, nextFreeSlug, slugFromTitle } from '@stoa/cms-model/slugs.ts'
import type { CreateTermInput, UpdateTermInput } from '@stoa/cms-model/taxonomies.ts'
import { isConflict } from '@stoa/kit/db/errors.ts'
import { newId } from '@stoa/kit/ids.ts'
import type { CmsDb, CmsTx, Ctx } from '../../../context.ts'
import { fail } from '../../../errors.ts'
import { recordChange } from '../../../events/events.ts'
import { personOf } from '../../../principal.ts'
import { refuseOtherVersion, type WantedVersion } from '../../../version-conflict.ts'
import { readSettings } from '../../settings/settings.ts'
import { taxonomyEvent } from '../event.ts'
import { findTaxonomy, lockTaxonomy, type TaxonomyRecord } from '../queries.ts'
import { makeRoom, moveTerm, refuseBadParent } from './positions.ts'
import {
  countChildren,
  countEntries,
  deleteTerm,
  findLastEditor,
  findTerm,
  insertTerm,
  liftChildren,
  listSlugs,
  listTerms as listTermRecords,
  type Stamp,
  shiftSiblings,
  type TermChanges,
  type TermFilter,
  type TermRecord,
  updateTerm as updateTermRecord,
} from './queries.ts'

export type CountedTerm = TermRecord & { count: number }

export const listTerms = async (
  ctx: Ctx,
  taxonomyName: string,
  filter: Omit<TermFilter, 'taxonomyId'>,
): Promise<List<CountedTerm>> => {
  const { id } = (await findTaxonomy(ctx.db, taxonomyName)) ?? fail('NOT_FOUND')
  const { terms, total } = await listTermRecords(ctx.db, { ...filter, taxonomyId: id })
  const counts = await countEntries(
    ctx.db,
    terms.map((term) => term.id),
  )
  const counted = terms.map((term) => ({ ...term, count: counts.get(term.id) ?? 0 }))
  return toList(counted, total, filter)
}

export const getTerm = async (ctx: Ctx, taxonomyName: string, slug: string): Promise<CountedTerm> => {
  const taxonomy = (await findTaxonomy(ctx.db, taxonomyName)) ?? fail('NOT_FOUND')
  return withCount(ctx.db, (await findTerm(ctx.db, taxonomy.id, slug)) ?? fail('NOT_FOUND'))
}

export const createTerm = (ctx: Ctx, taxonomyName: string, input: CreateTermInput): Promise<CountedTerm> =>
  ctx.tx(async (tx) => {
    const taxonomy = (await lockTaxonomy(tx, taxonomyName)) ?? fail('NOT_FOUND')
    const { name, description, parentId } = input
    if (parentId !== null) await refuseBadParent(tx, taxonomy, { parentId, moved: null })
    const id = newId()
    const slug = input.slug ?? (await freeSlug(tx, taxonomy.id, name)) ?? id
    const position = await makeRoom(tx, { taxonomyId: taxonomy.id, parentId }, input.position)
    const term = { id, taxonomyId: taxonomy.id, slug, name, description, parentId, position }
    const created = await insertTerm(tx, term, editBy(ctx)).catch(refuseTakenSlug)
    await recordTerm(ctx, tx, taxonomy, { action: 'term.created', term: created, changed: [] })
    return { ...created, count: 0 }
  })

/** Changes the members sent; terms below it move along. */
export const updateTerm = (
  ctx: Ctx,
  at: { taxonomy: string; slug: string },
  input: UpdateTermInput,
  wanted: WantedVersion,
): Promise<CountedTerm> =>
  ctx.tx(async (tx) => {
    const { taxonomy, present } = await lockForChange(tx, at, wanted)
    const parentId = input.parentId === present.parentId ? undefined : input.parentId
    if (parentId) await refuseBadParent(tx, taxonomy, { parentId, moved: present })
    const position = await moveTerm(tx, present, { parentId, position: input.position })
    const changes = changesOf(present, { ...input, position })
    const changed = Object.keys(changes)
    if (changed.length === 0) return withCount(tx, present)
    const saved = await updateTermRecord(tx, present.id, changes, editBy(ctx)).catch(refuseTakenSlug)
    await recordTerm(ctx, tx, taxonomy, { action: 'term.updated', term: saved, changed })
    return withCount(tx, saved)
  })

/** Removes the term, and that entries have it; the terms below it take its place. */
export const removeTerm = (ctx: Ctx, at: { taxonomy: string; slug: string }, wanted: WantedVersion): Promise<void> =>
  ctx.tx(async (tx) => {
    const { taxonomy, present } = await lockForChange(tx, at, wanted)
    const children = await countChildren(tx, present.id)
    if (children > 0) {
      await shiftSiblings(tx, present, { from: present.position + 1, by: children - 1 })
      await liftChildren(tx, present, ctx.now())
    }
    await deleteTerm(tx, present.id)
    await recordTerm(ctx, tx, taxonomy, { action: 'term.deleted', term: present, changed: [] })
  })

const lockForChange = async (
  tx: CmsTx,
  at: { taxonomy: string; slug: string },
  wanted: WantedVersion,
): Promise<{ taxonomy: TaxonomyRecord; present: TermRecord }> => {
  const taxonomy = (await lockTaxonomy(tx, at.taxonomy)) ?? fail('NOT_FOUND')
  const present = (await findTerm(tx, taxonomy.id, at.slug)) ?? fail('NOT_FOUND')
  await refuseOtherVersion(wanted, present, () => findLastEditor(tx, present.id))
  return { taxonomy, present }
}

const editBy = (ctx: Ctx): Stamp => ({ at: ctx.now(), by: personOf(ctx)?.id ?? null })

const withCount = async (db: CmsDb, term: TermRecord): Promise<CountedTerm> => {
  const counts = await countEntries(db, [term.id])
  return { ...term, count: counts.get(term.id) ?? 0 }
}

const changesOf = (present: TermRecord, input: UpdateTermInput): TermChanges => ({
  ...(input.name === undefined || input.name === present.name ? {} : { name: input.name }),
  ...(input.slug === undefined || input.slug === present.slug ? {} : { slug: input.slug }),
  ...(input.description === undefined || input.description === present.description
    ? {}
    : { description: input.description }),
  ...(input.parentId === undefined || input.parentId === present.parentId ? {} : { parentId: input.parentId }),
  ...(input.position === undefined || input.position === present.position ? {} : { position: input.position }),
})

/** Made of the name; null when the name has no letter that a slug can have. */
const freeSlug = async (tx: CmsTx, taxonomyId: string, name: string): Promise<string | null> => {
  const { locale } = await readSettings(tx)
  const base = slugFromTitle(name, locale)
  if (base === '') return null
  const taken = await listSlugs(tx, taxonomyId, base.slice(0, MAX_SLUG_LENGTH - NUMBER_LENGTH))
  // Slugs that are reserved for entries are free for terms.
  return taken.has(base) ? nextFreeSlug(base, taken) : base
}

/** Room for `-2`, `-3` … at the end of the longest slug. */
const NUMBER_LENGTH = 10

type TermChange = { action: string; term: TermRecord; changed: string[] }

const recordTerm = (ctx: Ctx, tx: CmsTx, taxonomy: TaxonomyRecord, { action, term, changed }: TermChange) =>
  recordChange(ctx, tx, {
    action,
    target: { kind: 'term', id: term.id, label: term.name },
    changed,
    events: [taxonomyEvent(taxonomy)],
  })

const refuseTakenSlug = (raised: unknown): never => {
  if (isConflict(raised, 'term_slug_key'))
    return fail('SLUG_TAKEN', { cause: raised, message: 'Another term in this taxonomy already has this slug' })
  throw raised
}
