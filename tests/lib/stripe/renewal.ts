import { emit } from './events.ts'
import { collect, finalize } from './invoicing.ts'
import { endSubscription, setStatus } from './lifecycle.ts'
import type { Invoice, Subscription } from './objects.ts'
import { lineOf, periodEnd, recurringOf } from './periods.ts'
import { passPhase } from './schedules.ts'
import { invoiceFor, itemOf, nameOf } from './start.ts'
import { find, type Store } from './store.ts'

export const finalizeAndCollect = (store: Store, invoice: Invoice): void => {
  finalize(store, invoice)
  if (invoice.status === 'open') collect(store, invoice, { presence: 'later' })
}

/** The end of a period: the subscription ends, or begins the next one with an invoice. */
export const renew = (store: Store, subscription: Subscription): void => {
  if (subscription.cancel_at_period_end) return void endSubscription(store, subscription, 'cancellation_requested')
  const before = structuredClone(subscription)
  if (passPhase(store, subscription)) return
  if (subscription.status === 'trialing' && !endTrial(store, subscription)) return
  const item = itemOf(subscription)
  const start = item.current_period_end
  item.current_period_start = start
  item.current_period_end = periodEnd(start, subscription.billing_cycle_anchor, recurringOf(item.price))
  const period = { start, end: item.current_period_end }
  const line = lineOf({
    item,
    subscription: subscription.id,
    price: item.price,
    amount: item.price.unit_amount * item.quantity,
    period,
    description: nameOf(store, item.price),
  })
  const waiting = store.prorations.get(subscription.id) ?? []
  store.prorations.delete(subscription.id)
  const past = { start: itemOf(before).current_period_start, end: start }
  const invoice = invoiceFor(store, subscription, [...waiting, line], 'subscription_cycle', past)
  // An unpaid subscription gets drafts that nobody collects.
  if (subscription.status === 'unpaid') invoice.auto_advance = false
  else invoice.automatically_finalizes_at = start + store.settings.draftMs / 1000
  emit(store, 'customer.subscription.updated', subscription, {
    items: before.items,
    latest_invoice: before.latest_invoice,
  })
}

/** False when the subscription does not go on. */
const endTrial = (store: Store, subscription: Subscription): boolean => {
  const customer = find(store, 'customer', subscription.customer)
  const hasMethod = subscription.default_payment_method ?? customer?.invoice_settings.default_payment_method
  const missing = subscription.trial_settings.end_behavior.missing_payment_method
  const isFree = itemOf(subscription).price.unit_amount === 0
  if (!hasMethod && !isFree && missing === 'cancel') {
    endSubscription(store, subscription, 'cancellation_requested')
    return false
  }
  if (!hasMethod && !isFree && missing === 'pause') {
    setStatus(store, subscription, 'paused')
    emit(store, 'customer.subscription.paused', subscription)
    return false
  }
  setStatus(store, subscription, 'active')
  return true
}
