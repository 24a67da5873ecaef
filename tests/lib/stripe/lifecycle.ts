import { moveBalance } from './balance.ts'
import { change, emit } from './events.ts'
import type { Invoice, Subscription, SubscriptionStatus } from './objects.ts'
import { all, DAY, find, nowOf, type Store } from './store.ts'

/** Effects of payments on subscriptions. */

export const setStatus = (store: Store, subscription: Subscription, status: SubscriptionStatus): void => {
  change(store, 'customer.subscription.updated', subscription, { status })
}

const isOver = ({ status }: Subscription): boolean => status === 'canceled' || status === 'incomplete_expired'

export const endSubscription = (
  store: Store,
  subscription: Subscription,
  reason: 'cancellation_requested' | 'payment_failed',
  status: 'canceled' | 'incomplete_expired' = 'canceled',
): Subscription => {
  if (isOver(subscription)) return subscription
  const now = nowOf(store)
  const isExpired = status === 'incomplete_expired'
  Object.assign(subscription, {
    status,
    ended_at: now,
    canceled_at: isExpired ? null : (subscription.canceled_at ?? now),
    cancellation_details: { ...subscription.cancellation_details, reason: isExpired ? null : reason },
  })
  const schedule = subscription.schedule && find(store, 'subscription_schedule', subscription.schedule)
  if (schedule) {
    subscription.schedule = null
    change(store, 'subscription_schedule.canceled', schedule, {
      status: 'canceled',
      canceled_at: now,
      current_phase: null,
    })
  }
  store.prorations.delete(subscription.id)
  emit(store, isExpired ? 'customer.subscription.updated' : 'customer.subscription.deleted', subscription)
  // Open invoices stay open and are no longer collected.
  for (const invoice of all(store, 'invoice')) {
    if (subscriptionOf(invoice) !== subscription.id) continue
    if (invoice.status === 'draft' || invoice.status === 'open') {
      invoice.auto_advance = false
      invoice.next_payment_attempt = null
      invoice.automatically_finalizes_at = null
    }
    if (isExpired && invoice.status === 'open') voidInvoice(store, invoice)
  }
  return subscription
}

export const subscriptionOf = (invoice: Invoice): string | null => invoice.parent.subscription_details.subscription

export const voidInvoice = (store: Store, invoice: Invoice): Invoice => {
  invoice.status_transitions.voided_at = nowOf(store)
  Object.assign(invoice, { auto_advance: false, next_payment_attempt: null })
  const applied = (invoice.ending_balance ?? invoice.starting_balance) - invoice.starting_balance
  const customer = find(store, 'customer', invoice.customer)
  if (applied !== 0 && customer) {
    const type = 'unapplied_from_invoice'
    moveBalance(store, customer, { amount: -applied, type, currency: invoice.currency, invoice: invoice.id })
  }
  return change(store, 'invoice.voided', invoice, { status: 'void', amount_remaining: 0 })
}

/** After an invoice was paid. */
export const afterPayment = (store: Store, invoice: Invoice): void => {
  const subscription = find(store, 'subscription', subscriptionOf(invoice) ?? '')
  if (subscription && !isOver(subscription)) {
    const { status } = subscription
    const isLatest = subscription.latest_invoice === invoice.id
    if (status === 'incomplete' || (isLatest && (status === 'past_due' || status === 'unpaid'))) {
      setStatus(store, subscription, 'active')
    }
  }
  markDelinquent(store, invoice.customer)
}

/** After a payment was refused: when it is tried again, and what becomes of the subscription. */
export const afterRefusal = (store: Store, invoice: Invoice): void => {
  const subscription = find(store, 'subscription', subscriptionOf(invoice) ?? '')
  markDelinquent(store, invoice.customer)
  if (!subscription || isOver(subscription) || subscription.status === 'incomplete') return
  const { retryDays, afterRetries } = store.settings
  const days = retryDays[invoice.attempt_count - 1]
  const first = invoice.status_transitions.finalized_at ?? nowOf(store)
  invoice.next_payment_attempt = days === undefined ? null : first + days * DAY
  if (days !== undefined) {
    setStatus(store, subscription, subscription.status === 'unpaid' ? 'unpaid' : 'past_due')
    return
  }
  invoice.auto_advance = false
  if (afterRetries === 'canceled') endSubscription(store, subscription, 'payment_failed')
  else setStatus(store, subscription, afterRetries)
}

const markDelinquent = (store: Store, id: string): void => {
  const customer = find(store, 'customer', id)
  if (!customer) return
  const delinquent = all(store, 'invoice').some(
    (invoice) => invoice.customer === id && invoice.status === 'open' && invoice.attempted,
  )
  change(store, 'customer.updated', customer, { delinquent })
}
