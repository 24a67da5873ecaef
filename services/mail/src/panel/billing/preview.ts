import type { BillingPreview } from '@stoa/mail-model/billing.ts'
import type { Ctx } from '../../context.ts'
import { currencyOf, findVisiblePlan, type PlanName, planIdOf, priceOf } from '../../hosting/plans/plans.ts'
import { sessionOf } from '../../principal.ts'
import { customerOf } from './customers.ts'
import { inTurn } from './lock.ts'
import { findCustomer } from './payment-queries.ts'
import { paid, stepTo } from './plan-change.ts'
import { soldPriceOf, trialDaysFor } from './plan-price.ts'
import type { PaymentProvider, ProviderPreview } from './provider.ts'
import { findSubscription } from './queries.ts'
import { atProvider, failUnknown, requirePayments } from './refusals.ts'
import { monthAfter } from './subscriptions.ts'

/** What a change to a plan would cost, as the provider computes it. */
export const previewPlan = async (ctx: Ctx, body: { plan_id: string }): Promise<BillingPreview> => {
  const payments = requirePayments(ctx)
  const plan = findVisiblePlan(ctx.config.billing, body.plan_id) ?? failUnknown('plan')
  const { dueNowCents, currency, nextCents, nextAt } = await atProvider(() => amountsOf(ctx, payments, plan))
  return {
    object: 'billing_preview',
    plan_id: planIdOf(plan),
    due_now_cents: dueNowCents,
    currency,
    next_cents: nextCents,
    next_at: nextAt.toISOString(),
  }
}

const amountsOf = async (ctx: Ctx, payments: PaymentProvider, plan: PlanName): Promise<ProviderPreview> => {
  const { id: accountId } = sessionOf(ctx).account
  const row = paid(await findSubscription(ctx.db, accountId))
  if (priceOf(ctx.parts.prices, plan).cents === 0) {
    const nextAt = row?.current_period_end ?? monthAfter(ctx.now())
    return { dueNowCents: 0, currency: currencyOf(ctx.parts.prices), nextCents: 0, nextAt }
  }
  const price = await soldPriceOf(ctx, plan)
  const known = await findCustomer(ctx.db, accountId)
  const customer = known?.reference ?? (await inTurn(ctx, (turn) => customerOf(ctx, payments, turn)))
  const request = { customer, price: price.reference }
  const step = stepTo(ctx, row, plan)
  if (!row?.reference || step === 'discard')
    return payments.preview({ ...request, subscription: null, trialDays: await trialDaysFor(ctx, price) })
  return payments.preview({ ...request, subscription: row.reference, later: step !== 'upgrade' })
}
