import type { PaymentBehaviour, ProrationBehaviour } from './billing-objects.ts'
import { invalid, missing } from './fault.ts'
import { buildInvoice, collect, defaultMethod, finalize } from './invoicing.ts'
import type { InvoiceLine, Price, Subscription } from './objects.ts'
import { refuseOutright, verdictOf } from './payments.ts'
import { addIntervals, beginsAnew, type PriceChange, prorationLines, recurringOf } from './periods.ts'
import { invoiceFor, itemOf, noMethod, pricedBy, specOf } from './start.ts'
import { find, get, nowOf, type Store } from './store.ts'

type Given<T> = { [K in keyof T]?: T[K] | undefined }
export type PriceWish = Given<{
  items: Given<{ id: string; price: string; quantity: number; deleted: boolean }>[]
  billing_cycle_anchor: 'now' | 'unchanged'
  default_payment_method: string | null
  off_session: boolean
  payment_behavior: PaymentBehaviour
  proration_behavior: ProrationBehaviour
  proration_date: number
}>

/** A change of the price with the lines that it brings and whether they are billed at once. */
export type PlannedChange = PriceChange & { lines: InvoiceLine[]; isInvoiced: boolean }

/** Without any effect; undefined when nothing would change. `place` is where the wish stands in the request. */
export const planChange = (
  store: Store,
  subscription: Subscription,
  wish: PriceWish,
  place = 'items',
): PlannedChange | undefined => {
  const wished = wish.items?.[0]
  const only = itemOf(subscription)
  if (!wished) return undefined
  if (wished.id === undefined || wished.deleted) {
    throw invalid('The fake bills one item: its id must be named, and it stays.', { param: `${place}[0][id]` })
  }
  if (wished.id !== only.id) throw missing('subscription_item', wished.id, `${place}[0][id]`)
  const price = wished.price === undefined ? only.price : pricedBy(store, wished.price, `${place}[0][price]`)
  const quantity = wished.quantity ?? only.quantity
  if (price.id === only.price.id && quantity === only.quantity) return undefined
  checkCurrency(subscription, price)
  const at = wish.proration_date ?? nowOf(store)
  if (at < only.current_period_start || at > only.current_period_end) {
    throw invalid('Cannot specify proration_date outside of current subscription period.', { param: 'proration_date' })
  }
  const anew =
    subscription.status !== 'trialing' && (wish.billing_cycle_anchor === 'now' || beginsAnew(only, { price, quantity }))
  if (anew && subscription.schedule) {
    throw invalid('The fake does not begin a new period within a schedule: release it first.', { param: place })
  }
  const to = { price, quantity, at, anew }
  const proration = wish.proration_behavior ?? 'create_prorations'
  const all = proration === 'none' && !anew ? [] : prorationLines(store, subscription, only, to)
  const lines = proration === 'none' ? all.filter(({ amount }) => amount > 0) : all
  return { ...to, lines, isInvoiced: lines.length > 0 && (proration === 'always_invoice' || anew) }
}

const checkCurrency = (subscription: Subscription, price: Price): void => {
  if (price.currency === subscription.currency) return
  throw invalid(
    `The price specified only supports \`${price.currency}\`. This doesn't match the expected currency: \`${subscription.currency}\`.`,
    { param: 'items[0][price]' },
  )
}

/** All or nothing: nothing changes when the difference cannot be paid. */
export const refuseUnpayable = (
  store: Store,
  subscription: Subscription,
  { lines, isInvoiced, at }: PlannedChange,
  wish: PriceWish,
): void => {
  if (!isInvoiced || wish.payment_behavior !== 'error_if_incomplete') return
  const customer = get(store, 'customer', subscription.customer)
  const period = { start: itemOf(subscription).current_period_start, end: at }
  const waiting = store.prorations.get(subscription.id) ?? []
  const spec = specOf(store, subscription, structuredClone([...waiting, ...lines]), 'subscription_update', period)
  const amount = buildInvoice(store, spec).amount_due
  if (amount === 0) return
  const method = wish.default_payment_method
    ? get(store, 'payment_method', wish.default_payment_method)
    : defaultMethod(store, customer, subscription)
  if (!method) throw noMethod()
  const presence = wish.off_session === false ? 'present' : 'later'
  const verdict = method.type === 'card' ? verdictOf(store, method, presence) : null
  const order = { customer: customer.id, amount, currency: subscription.currency, description: 'Subscription update' }
  if (verdict) throw refuseOutright(store, order, method, verdict)
}

export const applyChange = (
  store: Store,
  subscription: Subscription,
  planned: PlannedChange,
  presence: 'later' | 'present',
): void => {
  const only = itemOf(subscription)
  const { price, quantity, at, anew, lines, isInvoiced } = planned
  const past = { start: only.current_period_start, end: at }
  only.price = price
  only.quantity = quantity
  if (anew) {
    only.current_period_start = at
    only.current_period_end = addIntervals(at, recurringOf(price), 1)
    subscription.billing_cycle_anchor = at
  }
  followInSchedule(store, subscription)
  const waiting = [...(store.prorations.get(subscription.id) ?? []), ...lines]
  store.prorations.set(subscription.id, waiting)
  if (!isInvoiced) return
  store.prorations.delete(subscription.id)
  const invoice = invoiceFor(store, subscription, waiting, 'subscription_update', past)
  finalize(store, invoice)
  collect(store, invoice, { presence })
}

/** The phase that runs has the price that the subscription has. */
const followInSchedule = (store: Store, subscription: Subscription): void => {
  const schedule = find(store, 'subscription_schedule', subscription.schedule ?? '')
  const current = schedule?.phases.find(({ start_date }) => start_date === schedule.current_phase?.start_date)
  const { price, quantity } = itemOf(subscription)
  if (current) current.items = [{ price: price.id, quantity, metadata: {} }]
}
