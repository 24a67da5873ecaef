import type { DeliveredTaxonomy } from '@stoa/cms-model/delivery.ts'
import { isForType } from '@stoa/cms-model/taxonomies.ts'
import type { CmsDb, Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import { ALL_ENTRIES, ALL_TERMS, type Sources } from './changes.ts'
import { LIVE } from './queries.ts'
import type { View } from './view.ts'

/** A taxonomy as far as entries that the key may read have its terms. One for other types is answered as none. */
export const getTaxonomy = async (
  ctx: Ctx,
  view: View,
  asked: { name: string; sources: Sources },
): Promise<DeliveredTaxonomy> => {
  asked.sources.add(ALL_TERMS).add(ALL_ENTRIES)
  const found = await findTaxonomy(ctx.db, asked.name)
  if (!found || !view.typeNames.some((type) => isForType(found.types, type))) return fail('NOT_FOUND')
  const { id, name, label, hierarchical } = found
  const terms = await listUsedTerms(ctx.db, { taxonomyId: id, types: view.typeNames })
  return {
    name,
    label,
    hierarchical,
    terms: terms.map(({ id, slug, name, description, parentId, position, count }) => ({
      id,
      slug,
      name,
      description,
      parentId,
      position,
      count,
    })),
  }
}

/** A larger tree is no part of one page. */
const MAX_TERMS = 10_000

type TaxonomyRow = Omit<DeliveredTaxonomy, 'terms'> & { id: string; types: string[] }

const findTaxonomy = async (db: CmsDb, name: string): Promise<TaxonomyRow | null> => {
  const [row] = await db.query<TaxonomyRow>({
    name: 'delivery-taxonomy',
    text: 'select id, name, label, hierarchical, types from taxonomy where name = $1',
    values: [name],
  })
  return row ?? null
}

/** Terms that published entries of these types have, with those above them, in the order of the tree. */
const listUsedTerms = (
  db: CmsDb,
  { taxonomyId, types }: { taxonomyId: string; types: readonly string[] },
): Promise<DeliveredTaxonomy['terms']> =>
  db.query({
    name: 'delivery-used-terms',
    text: `with recursive used as (
        select et.term_id, count(*)::int as entries from term t join entry_term et on et.term_id = t.id
        join entry on entry.id = et.entry_id
        where t.taxonomy_id = $1 and entry.type = any($2::text[]) and ${LIVE} group by et.term_id
      ), kept as (
        select id, parent_id from term where id in (select term_id from used)
        union
        select t.id, t.parent_id from term t join kept on t.id = kept.parent_id
      ), tree as (
        select term.*, array[position] as path from term where taxonomy_id = $1 and parent_id is null
        union all
        select term.*, path || term.position from term join tree on term.parent_id = tree.id
      )
      select id, slug, name, description, parent_id as "parentId", position, coalesce(used.entries, 0) as count
      from tree left join used on used.term_id = tree.id where id in (select id from kept)
      order by path, id limit ${MAX_TERMS}`,
    values: [taxonomyId, types],
  })
