import type { InvoiceLine, Price, Recurring, Subscription, SubscriptionItem } from './objects.ts'
import { DAY, get, newId, type Store } from './store.ts'

/** `times` intervals after the anchor; a day that a month does not have is its last. */
export const addIntervals = (anchor: number, { interval, interval_count }: Recurring, times: number): number => {
  const count = interval_count * times
  if (interval === 'day') return anchor + count * DAY
  if (interval === 'week') return anchor + count * 7 * DAY
  const date = new Date(anchor * 1000)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + count * (interval === 'year' ? 12 : 1))
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, last))
  return Math.floor(date.getTime() / 1000)
}

/** The end of the period that begins at `start`. */
export const periodEnd = (start: number, anchor: number, recurring: Recurring): number => {
  let times = 1
  while (addIntervals(anchor, recurring, times) <= start) times += 1
  return addIntervals(anchor, recurring, times)
}

export const ONCE: Recurring = {
  interval: 'month',
  interval_count: 1,
  meter: null,
  trial_period_days: null,
  usage_type: 'licensed',
}
export const recurringOf = (price: Price): Recurring => price.recurring ?? ONCE

export type LineSpec = {
  item: Pick<SubscriptionItem, 'id' | 'quantity'>
  subscription: string | null
  price: Price
  amount: number
  period: { start: number; end: number }
  description: string
  proration?: boolean
}

export const lineOf = ({
  item,
  subscription,
  price,
  amount,
  period,
  description,
  proration = false,
}: LineSpec): InvoiceLine => ({
  id: newId('il', 24),
  object: 'line_item',
  amount,
  currency: price.currency,
  description,
  discount_amounts: [],
  discountable: !proration,
  discounts: [],
  invoice: null,
  livemode: false,
  metadata: {},
  parent: {
    invoice_item_details: null,
    subscription_item_details: {
      invoice_item: proration ? newId('ii', 24) : null,
      proration,
      proration_details: proration ? { credited_items: null } : null,
      subscription,
      subscription_item: item.id,
    },
    type: 'subscription_item_details',
  },
  period,
  pretax_credit_amounts: [],
  pricing: {
    price_details: { price: price.id, product: price.product },
    type: 'price_details',
    unit_amount_decimal: price.unit_amount_decimal,
  },
  quantity: item.quantity,
  subscription,
  subtotal: amount,
  taxes: [],
})

export type PriceChange = {
  price: Price
  quantity: number
  at: number
  /** A new period begins. */
  anew: boolean
}

/** A change of the rhythm, and from nothing to something, begins a new period at once. */
export const beginsAnew = (
  item: SubscriptionItem,
  { price, quantity }: Pick<PriceChange, 'price' | 'quantity'>,
): boolean =>
  item.price.recurring?.interval !== price.recurring?.interval ||
  item.price.recurring?.interval_count !== price.recurring?.interval_count ||
  (item.price.unit_amount * item.quantity === 0 && price.unit_amount * quantity > 0)

/** Back for what is left of the old price, and due for the same time at the new one. */
export const prorationLines = (
  store: Store,
  subscription: Subscription,
  item: SubscriptionItem,
  to: PriceChange,
): InvoiceLine[] => {
  if (subscription.status === 'trialing') return []
  const { current_period_start: start, current_period_end: end } = item
  const left = (end - to.at) / (end - start)
  const nameOf = (price: Price): string => get(store, 'product', price.product).name
  const date = new Date(to.at * 1000).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })
  const back = lineOf({
    item,
    subscription: subscription.id,
    price: item.price,
    amount: -Math.round(item.price.unit_amount * item.quantity * left),
    period: { start: to.at, end },
    description: `Unused time on ${nameOf(item.price)} after ${date}`,
    proration: true,
  })
  const due = lineOf({
    item: { id: item.id, quantity: to.quantity },
    subscription: subscription.id,
    price: to.price,
    amount: Math.round(to.price.unit_amount * to.quantity * (to.anew ? 1 : left)),
    period: { start: to.at, end: to.anew ? addIntervals(to.at, recurringOf(to.price), 1) : end },
    description: to.anew ? nameOf(to.price) : `Remaining time on ${nameOf(to.price)} after ${date}`,
    proration: !to.anew,
  })
  return [back, due].filter(({ amount }) => amount !== 0)
}
