import { eachOnItsOwn, inPages, togetherOrEach } from '@stoa/kit/db/batches.ts'
import type { Database, Tx } from '@stoa/kit/db/database.ts'
import { newId } from '@stoa/kit/ids.ts'
import type { Log } from '@stoa/kit/log.ts'
import type { Subscription, SubscriptionInput } from '@stoa/mail-model/plans.ts'
import type { Config } from '../../config.ts'
import type { Ctx } from '../../context.ts'
import { fail, failMember } from '../../errors.ts'
import { findVisiblePlan, lockPlan, type PlanName, planIdOf, priceOf } from '../../hosting/plans/plans.ts'
import { sessionOf } from '../../principal.ts'
import type { Tables } from '../../tables.ts'
import { inTurn } from './lock.ts'
import { findMethod } from './payment-queries.ts'
import { changePlan, paid } from './plan-change.ts'
import {
  deleteTaxId,
  findSubscription,
  insertSubscription,
  listAccounts,
  listOverdue,
  lockOverdue,
  type SubscriptionRow,
  updatePlans,
  updateSubscription,
} from './queries.ts'
import { atProvider, failUnknown, requirePayments } from './refusals.ts'
import { requestSync } from './sync/sync.ts'

export type Subscribed = { subscription: Subscription; isNew: boolean }

/**
 * Puts the account on a plan: a dearer one at once, a cheaper one from the end of the period on, one without a price by
 * cancelling what is paid for. What was to end or to change goes on when the plan is asked for again.
 */
export const subscribe = async (ctx: Ctx, body: SubscriptionInput): Promise<Subscribed> => {
  const accountId = sessionOf(ctx).account.id
  const plan = findVisiblePlan(ctx.config.billing, body.plan_id) ?? failUnknown('plan')
  const methodId = body.payment_method_id
  const method = methodId ? await findMethod(ctx.db, { accountId, id: methodId }) : undefined
  if (methodId && !method) failUnknown('payment method')
  const { payments, prices } = ctx.parts
  if (!payments && priceOf(prices, plan).cents > 0)
    failMember('plan_id', 'this plan is paid for through POST /api/billing/checkout/subscription')
  if (!payments) return subscribeHere(ctx, plan)
  return inTurn(ctx, (turn) =>
    atProvider(async () => {
      const { row, isNew, isSame } = await changePlan(ctx, { payments, turn, goal: { plan, method } })
      if (!row) return subscribeHere(ctx, plan)
      if (isSame && row.plan === plan) failSame()
      return { subscription: subscriptionJson(row), isNew }
    }),
  )
}

/** A plan without a price needs no payment provider. */
const subscribeHere = (ctx: Ctx, plan: PlanName): Promise<Subscribed> => {
  const { account } = sessionOf(ctx)
  return ctx.tx(async (tx) => {
    await lockPlan(tx, account.id)
    const before = await findSubscription(tx, account.id)
    if (paid(before)) failPaid(ctx)
    if (before?.plan === plan) return { subscription: subscriptionJson(await resume(tx, before)), isNew: false }
    const now = ctx.now()
    if (before) await updateSubscription(tx, before, { status: 'cancelled', cancelled_at: now, ended_at: now })
    const row = await insertSubscription(tx, {
      id: newId(),
      account_id: account.id,
      plan,
      status: 'active',
      current_period_start: now,
      current_period_end: monthAfter(now),
      created_at: now,
    })
    await updatePlans(tx, { billing: ctx.config.billing, accountIds: [account.id], now })
    return { subscription: subscriptionJson(row), isNew: true }
  })
}

/** The plan stays until the end of the period that has begun. */
export const cancelSubscription = (ctx: Ctx): Promise<Subscription> => {
  const { payments } = ctx.parts
  if (!payments) return cancelHere(ctx)
  return inTurn(ctx, (turn) =>
    atProvider(async () => {
      const { row } = await changePlan(ctx, { payments, turn, goal: { plan: 'free', method: undefined } })
      return row ? subscriptionJson(row) : cancelHere(ctx)
    }),
  )
}

const cancelHere = (ctx: Ctx): Promise<Subscription> => {
  const { account } = sessionOf(ctx)
  return ctx.tx(async (tx) => {
    await lockPlan(tx, account.id)
    const row =
      (await findSubscription(tx, account.id)) ?? fail('not_found', { message: "You don't have a subscription." })
    if (row.cancel_at_period_end) return subscriptionJson(row)
    if (paid(row)) failPaid(ctx)
    return subscriptionJson(await updateSubscription(tx, row, { cancel_at_period_end: true, cancelled_at: ctx.now() }))
  })
}

/**
 * The account goes: its subscription ends at once, also at the provider as soon as that can be reached, and what its
 * invoices would say is forgotten.
 */
export const closeBilling = async (tx: Tx<Tables>, accountId: string, now: Date): Promise<void> => {
  const row = await findSubscription(tx, accountId)
  if (row)
    await updateSubscription(tx, row, { status: 'cancelled', cancelled_at: row.cancelled_at ?? now, ended_at: now })
  await deleteTaxId(tx, accountId)
  await requestSync(tx, { accountId }, now)
}

export const subscriptionJson = (row: SubscriptionRow): Subscription => ({
  object: 'subscription',
  id: row.id,
  plan_id: planIdOf(row.plan),
  status: row.status,
  cancel_at_period_end: row.cancel_at_period_end,
  current_period_start: row.current_period_start.toISOString(),
  current_period_end: row.current_period_end.toISOString(),
  trial_end: row.trial_end?.toISOString() ?? null,
  cancelled_at: row.cancelled_at?.toISOString() ?? null,
  ended_at: row.ended_at?.toISOString() ?? null,
  pending_plan_id: row.pending_plan === null ? null : planIdOf(row.pending_plan),
  past_due_at: row.past_due_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
})

type BillingParts = { database: Database<Tables>; config: Pick<Config, 'billing'>; log: Log }

const ACCOUNTS_AT_ONCE = 500

/** After BILLING was switched, every account is on the plan that it should be on. Gives how many were on another one. */
export const applyBilling = async (parts: BillingParts, now: Date): Promise<number> => {
  const { database, config, log } = parts
  const update = (accountIds: readonly string[]) =>
    database.tx((tx) => updatePlans(tx, { billing: config.billing, accountIds, now }))
  let changed = 0
  for (let after: string | null = null; ; ) {
    const ids: string[] = await listAccounts(database.db, { after, limit: ACCOUNTS_AT_ONCE })
    changed += await togetherOrEach(ids, update, (err, accountId) =>
      log.error({ err, accountId }, 'an account could not be put on its plan'),
    )
    if (ids.length < ACCOUNTS_AT_ONCE) return changed
    after = ids.at(-1) ?? null
  }
}

/** The service starts all the same: `renewSubscriptions` applies it again. */
export const applyBillingAtStart = async (parts: BillingParts, now: Date): Promise<void> => {
  await applyBilling(parts, now).catch((err: unknown) =>
    parts.log.error({ err }, 'accounts could not be put on their plans; this is tried again within the hour'),
  )
}

const BATCH = 100

/** Begins the next period of subscriptions, and ends those that were canceled. */
export const renewSubscriptions = async (parts: BillingParts & { now: Date }): Promise<void> => {
  const { database, log, now } = parts
  await eachOnItsOwn(
    inPages<string>(BATCH, (after, limit) => listOverdue(database.db, { now, after, limit })),
    (id) => database.tx((tx) => renew(tx, id, now)),
    (err, subscriptionId) => log.error({ err, subscriptionId }, 'a subscription could not be renewed'),
  )
  await applyBilling(parts, now)
}

/** Through all months that have passed. */
const renew = async (tx: Tx<Tables>, id: string, now: Date): Promise<void> => {
  for (let row = await lockOverdue(tx, id, now); row; row = await lockOverdue(tx, id, now))
    await (row.cancel_at_period_end ? end(tx, row) : begin(tx, row))
}

const end = (tx: Tx<Tables>, row: SubscriptionRow) =>
  updateSubscription(tx, row, { status: 'cancelled', ended_at: row.current_period_end })

const begin = (tx: Tx<Tables>, row: SubscriptionRow) =>
  updateSubscription(tx, row, {
    current_period_start: row.current_period_end,
    current_period_end: monthAfter(row.current_period_end),
  })

const resume = (tx: Tx<Tables>, row: SubscriptionRow): Promise<SubscriptionRow> | SubscriptionRow =>
  row.cancel_at_period_end
    ? updateSubscription(tx, row, { cancel_at_period_end: false, cancelled_at: null })
    : failSame()

/** A paid subscription can be changed only at the provider. It may have begun this moment. */
const failPaid = (ctx: Ctx): never => {
  requirePayments(ctx)
  return fail('conflict', { message: 'Your subscription has just changed. Try again.' })
}

const failSame = (): never => fail('conflict', { message: "You're already subscribed to this plan." })

/** The same day of the next month, or the last day of a shorter one. */
export const monthAfter = (moment: Date): Date => {
  const next = new Date(moment)
  next.setUTCDate(1)
  next.setUTCMonth(next.getUTCMonth() + 1)
  const days = new Date(Date.UTC(next.getUTCFullYear(), next.getUTCMonth() + 1, 0)).getUTCDate()
  next.setUTCDate(Math.min(moment.getUTCDate(), days))
  return next
}
