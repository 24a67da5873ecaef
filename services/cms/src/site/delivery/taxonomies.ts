import type { DeliveredTaxonomy } from '@stoa/cms-model/delivery.ts'
import { isForType } from '@stoa/cms-model/taxonomies.ts'
import type { Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import { findTaxonomy, listUsedTerms } from './queries-terms.ts'
import type { View } from './view.ts'

/** A taxonomy as far as entries that the key may read have its terms. One for other types is answered as none. */
export const getTaxonomy = async (ctx: Ctx, view: View, asked: string): Promise<DeliveredTaxonomy> => {
  const found = await findTaxonomy(ctx.db, asked)
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
