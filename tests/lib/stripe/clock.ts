import { emit } from './events.ts'
import { collect, isProcessing, settle } from './invoicing.ts'
import { endSubscription } from './lifecycle.ts'
import type { Invoice, Subscription } from './objects.ts'
import { finalizeAndCollect, renew } from './renewal.ts'
import { expireSession } from './sessions.ts'
import { itemOf } from './start.ts'
import { all, DAY, type Store } from './store.ts'
import { verifyTaxId } from './tax-ids.ts'

/** Something that happens by itself at a moment. */
type Due = { at: number; run: () => void }

/** Days after which a subscription whose first payment is missing is given up: 23 hours. */
const INCOMPLETE = 23 * 3600
const TRIAL_WARNING = 3 * DAY
const TAX_ID_CHECK = 60

/** Goes forward, and lets everything happen at its moment and in its order. */
export const advanceClock = (store: Store, ms: number): void => {
  const target = store.clock.now() + store.clock.ahead + ms
  for (;;) {
    const next = dueThings(store)
      .filter(({ at }) => at * 1000 <= target)
      .sort((a, b) => a.at - b.at)[0]
    if (!next) break
    store.clock.ahead = Math.max(store.clock.ahead, next.at * 1000 - store.clock.now())
    next.run()
  }
  store.clock.ahead = Math.max(store.clock.ahead, target - store.clock.now())
}

const dueThings = (store: Store): Due[] => [
  ...all(store, 'subscription').flatMap((subscription) => dueOfSubscription(store, subscription)),
  ...all(store, 'invoice').flatMap((invoice) => dueOfInvoice(store, invoice)),
  ...all(store, 'charge')
    .filter(({ status }) => status === 'pending')
    .map((charge) => ({ at: charge.created + store.settings.debitMs / 1000, run: () => settle(store, charge) })),
  ...all(store, 'checkout.session')
    .filter(({ status }) => status === 'open')
    .map((session) => ({ at: session.expires_at, run: () => void expireSession(store, session) })),
  ...all(store, 'tax_id')
    .filter(({ verification }) => verification.status === 'pending')
    .flatMap((taxId) => {
      const status = store.settings.taxIdStatus(taxId)
      return status === 'pending'
        ? []
        : [{ at: taxId.created + TAX_ID_CHECK, run: () => verifyTaxId(store, taxId, status) }]
    }),
]

const dueOfSubscription = (store: Store, subscription: Subscription): Due[] => {
  const { status, created, trial_end } = subscription
  if (status === 'canceled' || status === 'incomplete_expired' || status === 'paused') return []
  if (status === 'incomplete') {
    const expire = () => void endSubscription(store, subscription, 'payment_failed', 'incomplete_expired')
    return [{ at: created + INCOMPLETE, run: expire }]
  }
  const warning = (trial_end ?? 0) - TRIAL_WARNING
  const isWarned = store.events.some(
    ({ type, data }) => type === 'customer.subscription.trial_will_end' && data.object.id === subscription.id,
  )
  const warn = () => void emit(store, 'customer.subscription.trial_will_end', subscription)
  const { cancel_at, cancel_at_period_end } = subscription
  const end = () => void endSubscription(store, subscription, 'cancellation_requested')
  return [
    ...(cancel_at === null || cancel_at_period_end ? [] : [{ at: cancel_at, run: end }]),
    { at: itemOf(subscription).current_period_end, run: () => renew(store, subscription) },
    ...(status === 'trialing' && !isWarned ? [{ at: Math.max(warning, created), run: warn }] : []),
  ]
}

const dueOfInvoice = (store: Store, invoice: Invoice): Due[] => {
  if (invoice.status === 'draft' && invoice.automatically_finalizes_at !== null) {
    return [{ at: invoice.automatically_finalizes_at, run: () => finalizeAndCollect(store, invoice) }]
  }
  if (invoice.status !== 'open' || invoice.next_payment_attempt === null || isProcessing(store, invoice)) return []
  return [{ at: invoice.next_payment_attempt, run: () => retry(store, invoice) }]
}

const retry = (store: Store, invoice: Invoice): void => {
  invoice.next_payment_attempt = null
  collect(store, invoice, { presence: 'later' })
}
