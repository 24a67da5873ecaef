import type Stripe from 'stripe'
import type { PaymentProvider } from '../provider.ts'
import { ask, idOf, withKey } from './client.ts'
import { isProblem } from './errors.ts'
import { isToEnd, itemOf, pendingPriceOf } from './read-subscription.ts'

type Change = { subscription: string; key: string }
type PriceChange = Change & { price: string }
type Subscriptions = Pick<
  PaymentProvider,
  'subscribe' | 'changeNow' | 'changeLater' | 'keepPlan' | 'cancelAtPeriodEnd' | 'cancelNow'
>

export const createSubscriptions = (stripe: Stripe, { collectsTax }: { collectsTax: boolean }): Subscriptions => ({
  subscribe: async ({ customer, accountId, price, method, trialDays, key }) => {
    const subscription: Stripe.SubscriptionCreateParams = {
      customer,
      items: [{ price, quantity: 1 }],
      default_payment_method: method,
      payment_behavior: 'error_if_incomplete',
      metadata: { account_id: accountId },
      ...(trialDays > 0 && { trial_period_days: trialDays }),
      ...(collectsTax && { automatic_tax: { enabled: true } }),
    }
    await ask(() => stripe.subscriptions.create(subscription, withKey(key)))
  },
  changeNow: (change) => changeNow(stripe, change),
  changeLater: (change) => changeLater(stripe, change),
  keepPlan: async ({ subscription, key }) => {
    await release(stripe, await readWithSchedule(stripe, subscription), key)
  },
  cancelAtPeriodEnd: (change) => cancelAtPeriodEnd(stripe, change),
  cancelNow: (change) => cancelNow(stripe, change),
})

type WithSchedule = Stripe.Subscription & { schedule: Stripe.SubscriptionSchedule | null }

const readWithSchedule = async (stripe: Stripe, id: string): Promise<WithSchedule> => {
  const subscription = await ask(() => stripe.subscriptions.retrieve(id, { expand: ['schedule'] }))
  const { schedule } = subscription
  if (typeof schedule === 'string') throw new Error(`the schedule of ${id} was not expanded`)
  return { ...subscription, schedule }
}

const release = async (stripe: Stripe, { schedule }: WithSchedule, key: string): Promise<void> => {
  if (schedule) await ask(() => stripe.subscriptionSchedules.release(schedule.id, {}, withKey(key, 'release')))
}

/** Stripe's own screens may have set a date in place of the flag, and set a date beside it. */
const cancelAtPeriodEnd = async (stripe: Stripe, change: Change & { cancel: boolean }): Promise<void> => {
  const { subscription: id, cancel, key } = change
  const before = await readWithSchedule(stripe, id)
  if (cancel === isToEnd(before)) return
  // Stripe refuses to cancel a subscription while it follows a schedule.
  await release(stripe, before, key)
  const flag = { cancel_at_period_end: cancel }
  const update = cancel || before.cancel_at_period_end ? flag : { cancel_at: '' as const }
  await ask(() => stripe.subscriptions.update(id, update, withKey(key)))
}

/** Stripe would credit also what nobody paid for. */
const cancelNow = async (
  stripe: Stripe,
  { subscription: id, credit = false }: Pick<Change, 'subscription'> & { credit?: boolean },
): Promise<void> => {
  const isCredited = credit && (await isPaid(stripe, id))
  try {
    await ask(() => stripe.subscriptions.cancel(id, { prorate: isCredited, invoice_now: isCredited }))
  } catch (error) {
    // Stripe reports a subscription that was already canceled as not found.
    if (!isProblem(error, 'not_found')) throw error
  }
}

const isPaid = async (stripe: Stripe, id: string): Promise<boolean> => {
  const { latest_invoice } = await ask(() => stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] }))
  return typeof latest_invoice === 'object' && latest_invoice?.status === 'paid'
}

/** A payment that is refused leaves everything as it was, also the plan that was to follow. */
const changeNow = async (stripe: Stripe, change: PriceChange): Promise<void> => {
  const { subscription: id, price, key } = change
  const before = await readWithSchedule(stripe, id)
  const pending = pendingPriceOf(before)
  await release(stripe, before, key)
  try {
    const after = await ask(() =>
      stripe.subscriptions.update(
        id,
        {
          items: [{ id: itemOf(before).id, price }],
          proration_behavior: 'always_invoice',
          payment_behavior: 'error_if_incomplete',
          cancel_at_period_end: false,
        },
        withKey(key),
      ),
    )
    // The flag does not take back a date.
    if (isToEnd(after)) await ask(() => stripe.subscriptions.update(id, { cancel_at: '' }, withKey(key, 'resume')))
  } catch (error) {
    if (pending !== null && isProblem(error, 'declined', 'needs_action', 'invalid', 'not_found'))
      await changeLater(stripe, { subscription: id, price: pending, key: `${key}-restore` })
    throw error
  }
}

/** The rest of the period as it is, and one more with the new price, which then goes on without the schedule. */
const changeLater = async (stripe: Stripe, { subscription: id, price, key }: PriceChange): Promise<void> => {
  const before = await readWithSchedule(stripe, id)
  if (isToEnd(before)) await cancelAtPeriodEnd(stripe, { subscription: id, cancel: false, key: `${key}-resume` })
  const schedule =
    before.schedule ??
    (await ask(() => stripe.subscriptionSchedules.create({ from_subscription: id }, withKey(key, 'schedule'))))
  const { interval, interval_count } = await readInterval(stripe, price)
  const current = currentPhaseOf(schedule)
  const phases: Stripe.SubscriptionScheduleUpdateParams.Phase[] = [
    {
      items: current.items.map((item) => ({ price: idOf(item.price), quantity: item.quantity ?? 1 })),
      start_date: current.start_date,
      end_date: current.end_date,
      ...trialOf(current),
      ...taxOf(current),
    },
    { items: [{ price, quantity: 1 }], duration: { interval, interval_count }, ...taxOf(current) },
  ]
  await ask(() =>
    stripe.subscriptionSchedules.update(
      schedule.id,
      { end_behavior: 'release', proration_behavior: 'none', phases },
      withKey(key),
    ),
  )
}

/** A trial that is over is of a phase before. */
const trialOf = ({ trial_end, start_date }: Stripe.SubscriptionSchedule.Phase): { trial_end?: number } =>
  trial_end !== null && trial_end > start_date ? { trial_end } : {}

const taxOf = ({ automatic_tax }: Stripe.SubscriptionSchedule.Phase): { automatic_tax?: { enabled: boolean } } =>
  automatic_tax?.enabled ? { automatic_tax: { enabled: true } } : {}

const currentPhaseOf = ({
  id,
  current_phase,
  phases,
}: Stripe.SubscriptionSchedule): Stripe.SubscriptionSchedule.Phase => {
  const phase = phases.find(({ start_date }) => start_date === current_phase?.start_date) ?? phases[0]
  if (!phase) throw new Error(`the schedule ${id} has no phases`)
  return phase
}

const readInterval = async (stripe: Stripe, price: string): Promise<Stripe.Price.Recurring> => {
  const { recurring } = await ask(() => stripe.prices.retrieve(price))
  if (!recurring) throw new Error(`the price ${price} does not recur`)
  return recurring
}
