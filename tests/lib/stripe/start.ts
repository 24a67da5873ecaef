import type { PaymentBehaviour } from './billing-objects.ts'
import { change, emit } from './events.ts'
import { invalid, type StripeFault } from './fault.ts'
import { buildInvoice, collect, createInvoice, finalize, type InvoiceSpec } from './invoicing.ts'
import type { Customer, Invoice, InvoiceLine, PaymentMethod, Price, Subscription, SubscriptionItem } from './objects.ts'
import { type Presence, refuseOutright, verdictOf } from './payments.ts'
import { addIntervals, lineOf, recurringOf } from './periods.ts'
import { add, base, get, newId, nowOf, type Store } from './store.ts'

export type NewSubscription = {
  customer: Customer
  price: Price
  quantity: number
  method: PaymentMethod | undefined
  /** The method is remembered as the subscription's own. */
  keepMethod: boolean
  trialEnd: number | null
  metadata: Record<string, string>
  automaticTax: boolean
  behaviour: PaymentBehaviour
  presence: Presence
  missingMethod?: Subscription['trial_settings']['end_behavior']['missing_payment_method']
  cancelAtPeriodEnd?: boolean
}

export const pricedBy = (store: Store, id: string | undefined, param: string): Price => {
  if (id === undefined) throw invalid(`Missing required param: ${param}.`, { code: 'parameter_missing', param })
  const price = get(store, 'price', id, param)
  if (!price.active) throw invalid('The price specified is inactive. This field only accepts active prices.', { param })
  if (!price.recurring) {
    throw invalid(
      'The price specified is set to `type=one_time` but this field only accepts prices with `type=recurring`.',
      { param },
    )
  }
  return price
}

/** Makes it, its first invoice, and pays that; or refuses all of it. */
export const startSubscription = (store: Store, wish: NewSubscription): Subscription => {
  const { customer, price, method, behaviour } = wish
  checkPlace(customer, wish.automaticTax)
  if (customer.currency !== null && customer.currency !== price.currency) {
    const message = `You cannot combine currencies on a single customer. This customer has ${customer.currency}.`
    throw invalid(message, { param: 'currency' })
  }
  const subscription = newSubscription(store, wish)
  const spec = firstInvoice(store, wish, subscription)
  const amount = buildInvoice(store, spec).amount_due
  if (amount > 0) checkPayable(store, wish, amount)
  add(store, subscription)
  const invoice = createInvoice(store, spec)
  subscription.latest_invoice = invoice.id
  emit(store, 'customer.subscription.created', subscription)
  finalize(store, invoice)
  if (invoice.status === 'open' && behaviour !== 'default_incomplete') {
    const refusal = collect(store, invoice, { presence: wish.presence, method })
    // A debit under way is good enough.
    if (!refusal && subscription.status === 'incomplete') {
      change(store, 'customer.subscription.updated', subscription, { status: 'active' })
    }
  }
  return subscription
}

/** Refuses a subscription without a payment method, or when `error_if_incomplete` is set and the bank declines. */
const checkPayable = (store: Store, wish: NewSubscription, amount: number): void => {
  const { customer, price, method, behaviour } = wish
  if (!method && behaviour !== 'default_incomplete') {
    throw invalid(
      'This customer has no attached payment source or default payment method. Please consider adding a default payment method.',
      { code: 'resource_missing' },
    )
  }
  if (method?.type !== 'card' || behaviour !== 'error_if_incomplete') return
  const verdict = verdictOf(store, method, wish.presence)
  const order = { customer: customer.id, amount, currency: price.currency, description: 'Subscription creation' }
  if (verdict) throw refuseOutright(store, order, method, verdict)
}

const newSubscription = (store: Store, wish: NewSubscription): Subscription => {
  const fresh = base(store, 'subscription', 'sub', 24)
  const now = fresh.created
  const end = wish.trialEnd ?? addIntervals(now, recurringOf(wish.price), 1)
  const only: SubscriptionItem = {
    id: newId('si'),
    object: 'subscription_item',
    billing_thresholds: null,
    created: now,
    current_period_end: end,
    current_period_start: now,
    discounts: [],
    metadata: {},
    price: wish.price,
    quantity: wish.quantity,
    subscription: fresh.id,
    tax_rates: [],
  }
  return {
    ...fresh,
    automatic_tax: { disabled_reason: null, enabled: wish.automaticTax, liability: null },
    billing_cycle_anchor: wish.trialEnd ?? now,
    billing_mode: { flexible: null, type: 'classic' },
    cancel_at: wish.cancelAtPeriodEnd ? end : null,
    cancel_at_period_end: wish.cancelAtPeriodEnd ?? false,
    canceled_at: wish.cancelAtPeriodEnd ? now : null,
    cancellation_details: { comment: null, feedback: null, reason: null },
    collection_method: 'charge_automatically',
    currency: wish.price.currency,
    customer: wish.customer.id,
    days_until_due: null,
    default_payment_method: wish.keepMethod ? (wish.method?.id ?? null) : null,
    description: null,
    discounts: [],
    ended_at: null,
    items: { object: 'list', data: [only], has_more: false, url: `/v1/subscription_items?subscription=${fresh.id}` },
    latest_invoice: null,
    metadata: wish.metadata,
    pause_collection: null,
    payment_settings: { payment_method_options: null, payment_method_types: null, save_default_payment_method: 'off' },
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: now,
    status: wish.trialEnd === null ? 'incomplete' : 'trialing',
    test_clock: null,
    trial_end: wish.trialEnd,
    trial_settings: { end_behavior: { missing_payment_method: wish.missingMethod ?? 'create_invoice' } },
    trial_start: wish.trialEnd === null ? null : now,
  }
}

const firstInvoice = (store: Store, wish: NewSubscription, subscription: Subscription): InvoiceSpec => {
  const only = itemOf(subscription)
  const period = { start: only.current_period_start, end: only.current_period_end }
  const line = lineOf({
    item: only,
    subscription: subscription.id,
    price: wish.price,
    amount: wish.trialEnd === null ? wish.price.unit_amount * wish.quantity : 0,
    period,
    description: wish.trialEnd === null ? nameOf(store, wish.price) : `Trial period for ${nameOf(store, wish.price)}`,
  })
  return specOf(store, subscription, [line], 'subscription_create', { start: period.start, end: period.start })
}

export const nameOf = (store: Store, price: Price): string => get(store, 'product', price.product).name

export const itemOf = (subscription: Subscription): SubscriptionItem => {
  const only = subscription.items.data[0]
  if (!only) throw new Error('a subscription without an item')
  return only
}

export const specOf = (
  store: Store,
  subscription: Subscription,
  lines: InvoiceLine[],
  reason: Invoice['billing_reason'],
  period: { start: number; end: number },
): InvoiceSpec => ({
  customer: get(store, 'customer', subscription.customer),
  subscription,
  lines,
  reason,
  period,
  currency: subscription.currency,
  automaticTax: subscription.automatic_tax.enabled,
  taxInclusive: itemOf(subscription).price.tax_behavior === 'inclusive',
  ...(reason === 'subscription_update' && { prorationDate: nowOf(store) }),
})

/** An invoice that becomes the latest of the subscription. */
export const invoiceFor = (...spec: Parameters<typeof specOf>): Invoice => {
  const [store, subscription] = spec
  const invoice = createInvoice(store, specOf(...spec))
  subscription.latest_invoice = invoice.id
  return invoice
}

const checkPlace = (customer: Customer, isTaxed: boolean): void => {
  if (!isTaxed || customer.address?.country) return
  throw invalid(
    "The customer's location isn't recognized. Set a valid customer address in order to automatically calculate tax.",
    {
      code: 'customer_tax_location_invalid',
    },
  )
}

export const noMethod = (): StripeFault =>
  invalid(
    'There is no `default_payment_method` set on this Customer or Invoice. Please set a `default_payment_method` prior to attempting to pay.',
  )
