import type { InstanceSubscriptionList, InstanceSubscriptionListRequest } from '@stoa/mail-model/billing.ts'
import { toList } from '@stoa/mail-model/list.ts'
import type { Ctx } from '../../context.ts'
import { currencyOf } from '../../hosting/plans/plans.ts'
import { listInstanceSubscriptions, sumSubscriptions } from './instance-queries.ts'
import { subscriptionJson } from './subscriptions.ts'

/** The subscriptions of all accounts, and what they bring in. */
export const getInstanceSubscriptions = async (
  ctx: Ctx,
  list: InstanceSubscriptionListRequest,
): Promise<InstanceSubscriptionList> => {
  const [{ rows, total }, totals] = await Promise.all([
    listInstanceSubscriptions(ctx.db, list),
    sumSubscriptions(ctx.db),
  ])
  const data = rows.map((row) => ({
    ...subscriptionJson(row),
    account_id: row.account_id,
    email: row.email,
    price_cents: row.price_cents,
    currency: row.currency,
  }))
  return {
    ...toList(list, total, data),
    totals: {
      active: totals.active,
      past_due: totals.pastDue,
      monthly_cents: totals.monthlyCents,
      currency: currencyOf(ctx.parts.prices),
    },
  }
}
