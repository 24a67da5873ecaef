import type { SubscriptionStatus } from '@stoa/mail-model/plans.ts'
import type Stripe from 'stripe'
import type { ProviderSubscription } from '../provider.ts'
import { ask, idOf, toDate, toDateOrNull } from './client.ts'
import { planOfPrice } from './prices.ts'

/**
 * The newest to a plan of ours that has not ended, one that waits for a payment or a card last; else the newest that has.
 * What somebody sells the customer besides, on Stripe's own screens, is none of our business.
 */
export const chooseSubscription = (
  all: readonly Stripe.Subscription[],
): { subscription: Stripe.Subscription | undefined; others: Stripe.Subscription[] } => {
  const newestFirst = all.toSorted((one, other) => other.created - one.created)
  const going = newestFirst.filter((each) => !hasEnded(each))
  const place = (each: Stripe.Subscription): number => 2 * Number(!isOurs(each)) + Number(isIdle(each))
  const [subscription, ...others] = going.toSorted((one, other) => place(one) - place(other))
  return { subscription: subscription ?? newestFirst.find(isOurs) ?? newestFirst[0], others: others.filter(isOurs) }
}

const isOurs = (subscription: Stripe.Subscription): boolean => planOfPrice(itemOf(subscription).price) !== null

const isIdle = ({ status }: Stripe.Subscription): boolean => status === 'incomplete' || status === 'paused'
const hasEnded = ({ status }: Stripe.Subscription): boolean => status === 'canceled' || status === 'incomplete_expired'

const STATUSES: ReadonlyMap<string, SubscriptionStatus> = new Map([
  ['incomplete', 'incomplete'],
  ['incomplete_expired', 'cancelled'],
  ['trialing', 'trialing'],
  ['active', 'active'],
  ['past_due', 'past_due'],
  ['unpaid', 'unpaid'],
  ['paused', 'paused'],
  ['canceled', 'cancelled'],
])

/** One item is what we make; a subscription with more has the plan of the first that is ours. */
export const itemOf = ({ id, items }: Stripe.Subscription): Stripe.SubscriptionItem => {
  const item = items.data.find(({ price }) => planOfPrice(price) !== null) ?? items.data[0]
  if (!item) throw new Error(`the subscription ${id} has no items`)
  return item
}

/** The schedule must have been asked for. */
export const toSubscription = async (
  stripe: Stripe,
  subscription: Stripe.Subscription,
  invoices: readonly Stripe.Invoice[],
): Promise<ProviderSubscription> => {
  const { price, quantity, current_period_start, current_period_end } = itemOf(subscription)
  const ended = hasEnded(subscription)
  const pending = ended ? null : pendingPriceOf(subscription)
  return {
    reference: subscription.id,
    price: price.id,
    pendingPrice: pending,
    plan: planOfPrice(price),
    pendingPlan: pending === null ? null : planOfPrice(await ask(() => stripe.prices.retrieve(pending))),
    priceCents: (price.unit_amount ?? 0) * (quantity ?? 1),
    currency: price.currency,
    status: STATUSES.get(subscription.status) ?? 'unpaid',
    cancelAtPeriodEnd: !ended && isToEnd(subscription),
    periodStart: toDate(current_period_start),
    periodEnd: toDate(current_period_end),
    trialEnd: toDateOrNull(subscription.trial_end),
    cancelledAt: toDateOrNull(subscription.canceled_at),
    endedAt: ended ? toDate(subscription.ended_at ?? subscription.canceled_at ?? subscription.created) : null,
    pastDueAt: pastDueOf(subscription, invoices),
    createdAt: toDate(subscription.created),
  }
}

/** Stripe's own screens may set a date in place of the flag. */
export const isToEnd = ({ cancel_at_period_end, cancel_at }: Stripe.Subscription): boolean =>
  cancel_at_period_end || cancel_at !== null

/** The price of the phase after the current one. */
export const pendingPriceOf = ({ schedule, ...subscription }: Stripe.Subscription): string | null => {
  if (schedule === null || typeof schedule === 'string') return null
  const start = schedule.current_phase?.end_date
  const next = schedule.phases.find((phase) => start !== undefined && phase.start_date >= start)?.items[0]?.price
  const reference = next === undefined ? null : idOf(next)
  return reference === subscription.items.data[0]?.price.id ? null : reference
}

const UNPAID: ReadonlySet<string> = new Set(['past_due', 'unpaid'])
const OWED: ReadonlySet<string> = new Set(['open', 'uncollectible'])

/**
 * When the oldest invoice became due. While a subscription is active, nothing is: its payment may be on its way. After its
 * end, it is due until somebody pays or voids it.
 */
const pastDueOf = (subscription: Stripe.Subscription, invoices: readonly Stripe.Invoice[]): Date | null => {
  const endedUnpaid =
    subscription.status === 'canceled' && subscription.cancellation_details?.reason === 'payment_failed'
  if (!UNPAID.has(subscription.status) && !endedUnpaid) return null
  const dates = invoices
    .filter((invoice) => subscriptionOf(invoice) === subscription.id && OWED.has(invoice.status ?? ''))
    .filter(({ attempted, due_date }) => attempted || due_date !== null)
    .map(({ due_date, status_transitions, created }) => due_date ?? status_transitions.finalized_at ?? created)
  if (dates.length > 0) return toDate(Math.min(...dates))
  return endedUnpaid ? null : toDate(itemOf(subscription).current_period_start)
}

const subscriptionOf = ({ parent }: Stripe.Invoice): string | null => {
  const of = parent?.subscription_details?.subscription
  return of ? idOf(of) : null
}
