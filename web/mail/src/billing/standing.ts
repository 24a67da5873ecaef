import { type Dunning, dunningAt } from '@stoa/mail-model/dunning.ts'
import { type Entitlement, monthlyCents, type Plan, type Subscription } from '@stoa/mail-model/plans.ts'

/** The subscription while it goes on, also while it is about to end. */
export const runningOf = ({ subscription }: Pick<Entitlement, 'subscription'>): Subscription | null =>
  subscription === null || STOPPED.has(subscription.status) ? null : subscription

/** A subscription that ended, was never paid, or had no card when its trial ended is replaced by a new one. */
const STOPPED: ReadonlySet<Subscription['status']> = new Set(['cancelled', 'incomplete', 'paused'])

/**
 * The plan that is subscribed to: after a long time without payment it is not the one whose limits hold. An account
 * without a subscription is on its own one.
 */
export const subscribedPlan = (entitlement: Entitlement, plans: readonly Plan[]): Plan => {
  const running = runningOf(entitlement)
  return plans.find(({ id }) => id === running?.plan_id) ?? entitlement.plan
}

/** The effect of choosing a plan. */
export type PlanChange =
  /** The plan is the current one. */
  | 'none'
  /** The plan is the current one but set to end: choosing it cancels that. */
  | 'keep'
  /** The plan already starts at the end of the period. */
  | 'scheduled'
  /** The first one that costs something. */
  | 'start'
  | 'upgrade'
  | 'downgrade'
  | 'cancel'

export const changeTo = (plan: Plan, entitlement: Entitlement, plans: readonly Plan[]): PlanChange => {
  const current = subscribedPlan(entitlement, plans)
  const running = runningOf(entitlement)
  const isPaid = running !== null && current.price_cents > 0
  if (!isPaid && plan.price_cents > 0) return 'start'
  if (plan.id === current.id)
    return isPaid && (running.cancel_at_period_end || running.pending_plan_id !== null) ? 'keep' : 'none'
  // Without a paid subscription, the plan's limits end by themselves
  if (!isPaid) return 'scheduled'
  if (plan.price_cents === 0) return running.cancel_at_period_end ? 'scheduled' : 'cancel'
  if (plan.id === running.pending_plan_id) return 'scheduled'
  return monthly(plan) >= monthly(current) ? 'upgrade' : 'downgrade'
}

const monthly = ({ price_cents: cents, interval }: Plan): number => monthlyCents({ cents, interval })

/** How far an unpaid invoice has come; null while everything is paid. A plan that nobody can buy has no clock. */
export const dunningOf = (
  { plan, subscription }: Pick<Entitlement, 'plan' | 'subscription'>,
  now: Date,
): Dunning | null =>
  subscription?.past_due_at && plan.slug !== 'unlimited' ? dunningAt(new Date(subscription.past_due_at), now) : null
