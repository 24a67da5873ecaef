import type { Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import { type PlanName, type Price, priceOf } from '../../hosting/plans/plans.ts'
import { sessionOf } from '../../principal.ts'
import { listPrices } from './price-queries.ts'
import { syncPrices } from './prices.ts'
import { hadPaidSubscription } from './queries.ts'

export type SoldPrice = Price & { reference: string }

/** What a plan costs at the provider. The provider is queried when it is not cached yet. */
export const soldPriceOf = async (ctx: Ctx, plan: PlanName): Promise<SoldPrice> => {
  const known = priceOf(ctx.parts.prices, plan)
  if (isSold(known)) return known
  await syncPrices(ctx.parts)
  const read = new Map(await listPrices(ctx.db)).get(plan)
  return read && isSold(read) ? read : fail('validation_error', { message: "This plan can't be bought right now." })
}

/** The first paid subscription of an account may begin with a trial. */
export const trialDaysFor = async (ctx: Ctx, { trialDays }: Price): Promise<number> =>
  trialDays > 0 && (await hadPaidSubscription(ctx.db, sessionOf(ctx).account.id)) ? 0 : trialDays

const isSold = (price: Price): price is SoldPrice => price.reference !== null
