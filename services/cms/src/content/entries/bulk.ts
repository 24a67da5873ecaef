import type { BulkInput, BulkResults } from '@stoa/cms-model/entries.ts'
import { AppError, Fault, translateFault } from '@stoa/kit/errors.ts'
import type { Ctx } from '../../context.ts'
import { faults } from '../../errors.ts'
import { requireEdit } from './rights.ts'
import { applyStatus, rightFor } from './status.ts'
import { applyTerms, type TermsOf } from './terms.ts'
import { restoreEntry, trashEntry } from './trash.ts'
import { openEntry } from './write.ts'

/** Makes the same change to each entry separately: one that is refused does not stop the others. */
export const changeEntries = async (ctx: Ctx, input: BulkInput): Promise<BulkResults> => {
  const results: BulkResults['results'] = []
  for (const id of input.ids) results.push(await attempt(ctx, id, () => changeOne(ctx, id, input)))
  return { results }
}

const changeOne = async (ctx: Ctx, id: string, { action, terms = [] }: BulkInput): Promise<unknown> => {
  switch (action) {
    case 'trash':
      return trashEntry(ctx, id, null)
    case 'restore':
      return restoreEntry(ctx, id, {}, null)
    case 'terms':
      return ctx.tx(async (tx) => {
        const opened = await openEntry(ctx, tx, id, { wanted: null, may: requireEdit })
        await applyTerms(ctx, tx, opened, byTaxonomy(terms))
      })
    case 'publish':
    case 'unpublish':
    case 'draft':
      return ctx.tx(async (tx) => {
        const opened = await openEntry(ctx, tx, id, { wanted: null, may: rightFor(action) })
        await applyStatus(ctx, tx, opened, { action })
      })
  }
}

const byTaxonomy = (terms: NonNullable<BulkInput['terms']>): TermsOf[] => {
  const names = [...new Set(terms.map(({ taxonomy }) => taxonomy))]
  return names.map((taxonomy) => ({
    taxonomy,
    terms: terms.filter((term) => term.taxonomy === taxonomy).map(({ slug }) => slug),
  }))
}

const attempt = async (ctx: Ctx, id: string, run: () => Promise<unknown>): Promise<BulkResults['results'][number]> => {
  try {
    await run()
    return { id, ok: true }
  } catch (raised) {
    const { code, message } = refusalOf(ctx, raised)
    return { id, ok: false, code, error: message }
  }
}

const refusalOf = (ctx: Ctx, raised: unknown): AppError => {
  if (raised instanceof AppError) return raised
  if (raised instanceof Fault) return translateFault(faults, raised)
  ctx.log.error({ err: raised }, 'an entry of several could not be changed')
  return faults.internal({}, raised)
}
