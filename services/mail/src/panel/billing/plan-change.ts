import { monthlyCents } from '@stoa/mail-model/plans.ts'
import type { Ctx } from '../../context.ts'
import { error, failMember } from '../../errors.ts'
import { type PlanName, planNameOf, priceOf } from '../../hosting/plans/plans.ts'
import { sessionOf } from '../../principal.ts'
import { closeCheckout } from './checkouts.ts'
import type { BillingAttempt } from './lock.ts'
import { nextStep, type PaidSubscription, type SubscriptionStep } from './next-step.ts'
import { findCustomer, findDefaultMethod, type MethodRow } from './payment-queries.ts'
import { soldPriceOf, trialDaysFor } from './plan-price.ts'
import { type PaymentProvider, ProviderError } from './provider.ts'
import { findSubscription, type SubscriptionRow } from './queries.ts'
import { failOutage, isOutage } from './refusals.ts'
import { expectChange, syncAccount } from './sync/sync.ts'

export type Changed = {
  /** The paid subscription, if there is one now. */
  row: SubscriptionRow | undefined
  isNew: boolean
  /** There was nothing to do, and nothing was under way. */
  isSame: boolean
}

type Goal = { plan: PlanName; method: MethodRow | undefined }

/** A subscription that was never paid goes first; the plan and a cancellation may be two steps. */
const MAX_STEPS = 3

/**
 * Brings the paid subscription of an account to a plan. The provider is read before, so that what it did without our
 * knowing counts, and after each step.
 */
export const changePlan = async (
  ctx: Ctx,
  { payments, turn, goal }: { payments: PaymentProvider; turn: BillingAttempt; goal: Goal },
): Promise<Changed> => {
  const { id: accountId } = sessionOf(ctx).account
  const isFree = priceOf(ctx.parts.prices, goal.plan).cents === 0
  if (!isFree) await closeCheckout(ctx, payments)
  const before = await readState(ctx, goal.plan)
  const intent = isFree ? goal.plan : `${goal.plan} ${(await methodOf(ctx, goal))?.reference ?? ''}`
  const isSame = before.step === null && !turn.isUnsettled(intent)
  if (isSame) return { row: before.row, isNew: false, isSame }
  let state = before
  for (let tried = 0; state.step !== null; tried += 1) {
    if (tried === MAX_STEPS) throw new Error('the payment provider does not show what it was asked to do')
    const call = await prepare(ctx, { payments, step: state.step, row: state.row, goal })
    const key = await turn.begin(intent)
    await expectChange(ctx.parts, accountId)
    const outage = await attempt(() => call(`${key}-${state.step}`), { turn, isSubscribed: state.row !== undefined })
    state = await readState(ctx, goal.plan)
    if (outage && state.step !== null) return giveUp(outage, turn)
  }
  await turn.settle()
  return { row: state.row, isNew: before.row?.id !== state.row?.id, isSame }
}

/** A rate-limited request has changed nothing; otherwise the change may still arrive. */
const giveUp = async (outage: ProviderError, turn: BillingAttempt): Promise<never> => {
  if (outage.problem === 'rate_limited') await turn.settle()
  return failOutage(outage)
}

type State = { row: SubscriptionRow | undefined; step: SubscriptionStep | null }

const readState = async (ctx: Ctx, plan: PlanName): Promise<State> => {
  const { id: accountId } = sessionOf(ctx).account
  await syncAccount(ctx.parts, accountId)
  const row = paid(await findSubscription(ctx.db, accountId))
  return { row, step: stepTo(ctx, row, plan) }
}

export const paid = (row: SubscriptionRow | undefined): SubscriptionRow | undefined =>
  row?.reference == null ? undefined : row

/** What has to be done so that this subscription becomes one of the plan. */
export const stepTo = (ctx: Ctx, row: SubscriptionRow | undefined, plan: PlanName): SubscriptionStep | null => {
  const wanted = { plan, priceCents: monthlyCents(priceOf(ctx.parts.prices, plan)) }
  return nextStep(row ? currentOf(ctx, row) : null, wanted)
}

const currentOf = (ctx: Ctx, row: SubscriptionRow): PaidSubscription => {
  const { interval } = priceOf(ctx.parts.prices, planNameOf(row.plan))
  return {
    plan: row.plan,
    priceCents: monthlyCents({ cents: row.price_cents, interval }),
    status: row.status,
    cancelAtPeriodEnd: row.cancel_at_period_end,
    pendingPlan: row.pending_plan,
  }
}

type Work = { payments: PaymentProvider; step: SubscriptionStep; row: SubscriptionRow | undefined; goal: Goal }
type Call = (key: string) => Promise<void>

/** The request to the provider for a step. All that we refuse ourselves is refused here, before it is sent. */
const prepare = async (ctx: Ctx, { payments, step, row, goal }: Work): Promise<Call> => {
  if (step === 'subscribe') return prepareSubscribing(ctx, payments, goal)
  const subscription = row?.reference ?? ''
  if (step === 'upgrade' || step === 'downgrade') {
    const { reference: price } = await soldPriceOf(ctx, goal.plan)
    const change = step === 'upgrade' ? payments.changeNow : payments.changeLater
    return withMethod(ctx, { payments, method: goal.method, call: (key) => change({ subscription, price, key }) })
  }
  const calls: Record<Exclude<SubscriptionStep, 'subscribe' | 'upgrade' | 'downgrade'>, Call> = {
    keep: (key) => payments.keepPlan({ subscription, key }),
    resume: (key) => payments.cancelAtPeriodEnd({ subscription, cancel: false, key }),
    cancel: (key) => payments.cancelAtPeriodEnd({ subscription, cancel: true, key }),
    discard: (key) => payments.cancelNow({ subscription, key }),
  }
  return calls[step]
}

/** The payment method that would be charged. */
const methodOf = async (ctx: Ctx, { method }: Goal): Promise<MethodRow | undefined> =>
  method ?? findDefaultMethod(ctx.db, sessionOf(ctx).account.id)

const prepareSubscribing = async (ctx: Ctx, payments: PaymentProvider, goal: Goal): Promise<Call> => {
  const { id: accountId } = sessionOf(ctx).account
  const customer = await findCustomer(ctx.db, accountId)
  const method = await methodOf(ctx, goal)
  if (!customer || !method)
    return failMember('plan_id', `you have no payment method yet: subscribe through ${CHECKOUT}`)
  const price = await soldPriceOf(ctx, goal.plan)
  const trialDays = await trialDaysFor(ctx, price)
  const request = { customer: customer.reference, accountId, price: price.reference, trialDays }
  return (key) => payments.subscribe({ ...request, method: method.reference, key })
}

/** A running subscription is paid with the default method: the given one becomes it, unless the change is refused. */
const withMethod = async (
  ctx: Ctx,
  { payments, method, call }: { payments: PaymentProvider; method: MethodRow | undefined; call: Call },
): Promise<Call> => {
  const { id: accountId } = sessionOf(ctx).account
  const customer = (await findCustomer(ctx.db, accountId))?.reference
  if (!customer || !method || method.is_default) return call
  const former = await findDefaultMethod(ctx.db, accountId)
  return async (key) => {
    await payments.setDefaultMethod({ customer, reference: method.reference })
    try {
      await call(key)
    } catch (refusal) {
      if (former && !isOutage(refusal)) await payments.setDefaultMethod({ customer, reference: former.reference })
      throw refusal
    }
  }
}

/** Gives the error when nobody knows whether it was done. A refusal is known: nothing was done. */
const attempt = async (
  call: () => Promise<void>,
  { turn, isSubscribed }: { turn: BillingAttempt; isSubscribed: boolean },
): Promise<ProviderError | undefined> => {
  try {
    await call()
    return undefined
  } catch (problem) {
    if (isOutage(problem)) return problem
    await turn.settle()
    throw problem instanceof ProviderError ? refusalOf(problem, isSubscribed) : problem
  }
}

const CHECKOUT = 'POST /api/billing/checkout/subscription'
const SETUP = 'POST /api/billing/checkout/setup'

/** On the provider's page people can choose another method and confirm the payment to their bank. */
const refusalOf = (problem: ProviderError, isSubscribed: boolean): Error => {
  const remedy = isSubscribed ? `Add a payment method through ${SETUP}` : `Subscribe through ${CHECKOUT}`
  const reason = { declined: 'was declined', needs_action: 'needs a confirmation from your bank (3-D Secure)' } as const
  if (problem.problem !== 'declined' && problem.problem !== 'needs_action') return problem
  const detail = problem.problem === 'declined' ? `: ${problem.message.replace(/\.+$/, '')}` : ''
  const message = `Your payment method ${reason[problem.problem]}${detail}. ${remedy} instead.`
  return error('validation_error', { message, cause: problem })
}
