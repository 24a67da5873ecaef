import { newId } from '@stoa/kit/ids.ts'
import type { CheckoutSession, SetupCheckoutInput, SubscriptionCheckoutInput } from '@stoa/mail-model/billing.ts'
import type { Ctx } from '../../context.ts'
import { fail, failMember } from '../../errors.ts'
import { currencyOf, findVisiblePlan, planIdOf, priceOf } from '../../hosting/plans/plans.ts'
import { sessionOf } from '../../principal.ts'
import {
  type CheckoutRow,
  deleteOldCheckouts,
  findOpenCheckout,
  insertCheckout,
  updateCheckout,
} from './checkout-queries.ts'
import { customerOf } from './customers.ts'
import { inTurn, SETTLE_MS } from './lock.ts'
import { isIdle } from './next-step.ts'
import { soldPriceOf, trialDaysFor } from './plan-price.ts'
import type { PaymentProvider } from './provider.ts'
import { findSubscription } from './queries.ts'
import { atProvider, failUnknown, requirePayments } from './refusals.ts'
import { type ReturnUrls, readReturnUrls, withCheckout } from './return-urls.ts'
import { syncAccount } from './sync/sync.ts'

const OPEN_MS = 24 * 3_600_000
/** How long one is remembered after it has expired. */
const KEEP_MS = 30 * OPEN_MS

/** Opens the provider's page on which a plan is paid for. The one that is open for the plan is given again. */
export const openSubscriptionCheckout = (ctx: Ctx, body: SubscriptionCheckoutInput): Promise<CheckoutSession> => {
  const payments = requirePayments(ctx)
  const plan = findVisiblePlan(ctx.config.billing, body.plan_id) ?? failUnknown('plan')
  if (priceOf(ctx.parts.prices, plan).cents === 0)
    failMember('plan_id', 'this plan is free: use POST /api/subscription')
  const urls = readReturnUrls(ctx.config.publicUrl, body, `?plan=${planIdOf(plan)}`)
  return inTurn(ctx, (turn) =>
    atProvider(async () => {
      const accountId = sessionOf(ctx).account.id
      const customer = await customerOf(ctx, payments, turn)
      const open = await closeCheckout(ctx, payments, (row) => row.plan === plan && hasUrls(row, urls))
      await syncAccount(ctx.parts, accountId)
      const current = await findSubscription(ctx.db, accountId)
      if (current && current.reference !== null && !isIdle(current))
        fail('conflict', { message: 'You already have a subscription. Change its plan with POST /api/subscription.' })
      turn.requireSettled()
      if (open?.url) return checkoutJson(open)
      const price = await soldPriceOf(ctx, plan)
      const trialDays = await trialDaysFor(ctx, price)
      const row = open ?? (await addCheckout(ctx, { mode: 'subscription', plan, urls }))
      return openAt(ctx, payments, row, { mode: 'subscription', price: price.reference, trialDays, customer })
    }),
  )
}

/** Opens the provider's page on which a payment method is added. */
export const openSetupCheckout = (ctx: Ctx, body: SetupCheckoutInput): Promise<CheckoutSession> => {
  const payments = requirePayments(ctx)
  const urls = readReturnUrls(ctx.config.publicUrl, body)
  return inTurn(ctx, (turn) =>
    atProvider(async () => {
      const customer = await customerOf(ctx, payments, turn)
      const row = await addCheckout(ctx, { mode: 'setup', plan: null, urls })
      return openAt(ctx, payments, row, { mode: 'setup', customer })
    }),
  )
}

/**
 * Closes the page that is open for a subscription, so that nobody pays on it for something else; one that `isKept` stays
 * open, and is given.
 */
export const closeCheckout = async (
  ctx: Ctx,
  payments: PaymentProvider,
  isKept: (row: CheckoutRow) => boolean = () => false,
): Promise<CheckoutRow | undefined> => {
  const row = await findOpenCheckout(ctx.db, sessionOf(ctx).account.id)
  if (!row) return undefined
  const isOver = row.expires_at <= ctx.now()
  if (!isOver && isKept(row) && (await isUsable(ctx, payments, row))) return row
  if (row.reference !== null && !isOver) await payments.expireCheckout(row.reference)
  await ctx.tx((tx) => updateCheckout(tx, row, { status: 'expired' }))
  return undefined
}

/** A checkout without a reference can be retried while the provider may still be creating it: nobody has seen it. */
const isUsable = async (
  ctx: Ctx,
  payments: PaymentProvider,
  { reference, created_at }: CheckoutRow,
): Promise<boolean> =>
  reference === null
    ? ctx.now().getTime() < created_at.getTime() + SETTLE_MS
    : (await payments.readCheckout(reference))?.status === 'open'

const hasUrls = (row: CheckoutRow, urls: ReturnUrls): boolean =>
  row.success_url === urls.successUrl && row.cancel_url === urls.cancelUrl

type NewCheckout = Pick<CheckoutRow, 'mode' | 'plan'> & { urls: ReturnUrls }

const addCheckout = (ctx: Ctx, { urls, ...rest }: NewCheckout): Promise<CheckoutRow> => {
  const now = ctx.now()
  const account_id = sessionOf(ctx).account.id
  const times = { created_at: now, expires_at: new Date(now.getTime() + OPEN_MS) }
  const addresses = { success_url: urls.successUrl, cancel_url: urls.cancelUrl }
  return ctx.tx(async (tx) => {
    await deleteOldCheckouts(tx, account_id, new Date(now.getTime() - KEEP_MS))
    return insertCheckout(tx, { account_id, id: newId(), ...rest, ...addresses, ...times, status: 'open' })
  })
}

type Opening = { customer: string } & ({ mode: 'subscription'; price: string; trialDays: number } | { mode: 'setup' })

const openAt = async (
  ctx: Ctx,
  payments: PaymentProvider,
  row: CheckoutRow,
  opening: Opening,
): Promise<CheckoutSession> => {
  const { reference, url, expiresAt } = await payments.openCheckout({
    ...opening,
    ...withCheckout({ successUrl: row.success_url, cancelUrl: row.cancel_url }, row.id),
    accountId: row.account_id,
    checkoutId: row.id,
    currency: currencyOf(ctx.parts.prices),
    key: `checkout-${row.id}`,
  })
  return checkoutJson(await ctx.tx((tx) => updateCheckout(tx, row, { reference, url, expires_at: expiresAt })))
}

const checkoutJson = ({ id, mode, url, expires_at }: CheckoutRow): CheckoutSession => ({
  object: 'checkout_session',
  id,
  mode,
  url: url ?? '',
  expires_at: expires_at.toISOString(),
})
