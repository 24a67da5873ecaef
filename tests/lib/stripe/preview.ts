import { z } from 'zod'
import { planChange } from './change-price.ts'
import { invalid, missing, StripeFault } from './fault.ts'
import { flag, integer, oneOf, params, text } from './form.ts'
import { buildInvoice } from './invoicing.ts'
import type { Customer, Invoice, InvoiceLine, Price, Subscription } from './objects.ts'
import { addIntervals, lineOf, periodEnd, recurringOf } from './periods.ts'
import { route } from './route.ts'
import { nextPhase } from './schedules.ts'
import { itemOf, nameOf, pricedBy } from './start.ts'
import { get, newId, nowOf, type Store } from './store.ts'

const shape = params({
  automatic_tax: z.strictObject({ enabled: flag }).optional(),
  currency: text.optional(),
  customer: text.optional(),
  preview_mode: oneOf('next', 'recurring').optional(),
  schedule: text.optional(),
  subscription: text.optional(),
  subscription_details: z
    .strictObject({
      items: z
        .array(
          z.strictObject({
            id: text.optional(),
            price: text.optional(),
            quantity: integer.optional(),
            deleted: flag.optional(),
          }),
        )
        .length(1)
        .optional(),
      billing_cycle_anchor: oneOf('now', 'unchanged').optional(),
      cancel_at_period_end: flag.optional(),
      cancel_now: flag.optional(),
      proration_behavior: oneOf('create_prorations', 'always_invoice', 'none').optional(),
      proration_date: integer.optional(),
      trial_end: z.union([z.literal('now'), integer]).optional(),
    })
    .optional(),
})
type Wish = z.output<typeof shape>

/** A preview of an invoice; changes nothing. */
const preview = (store: Store, given: Wish): Invoice => {
  const subscription = given.subscription ? get(store, 'subscription', given.subscription, 'subscription') : null
  const customerId = subscription?.customer ?? given.customer
  if (!customerId)
    throw invalid('You must provide one of `customer`, `subscription` or `schedule`.', {
      code: 'parameter_missing',
      param: 'customer',
    })
  if (subscription && given.customer && given.customer !== subscription.customer) {
    throw missing('subscription', subscription.id, 'subscription')
  }
  const customer = get(store, 'customer', customerId, 'customer')
  return subscription ? ofExisting(store, given, customer, subscription) : ofNew(store, given, customer)
}

type Draft = { lines: InvoiceLine[]; period: { start: number; end: number }; price: Price; prorationDate?: number }

const built = (
  store: Store,
  given: Wish,
  customer: Customer,
  subscription: Subscription | null,
  draft: Draft,
): Invoice => ({
  ...buildInvoice(store, {
    customer,
    subscription,
    lines: draft.lines,
    reason: 'upcoming',
    period: draft.period,
    currency: draft.price.currency,
    automaticTax: given.automatic_tax?.enabled ?? subscription?.automatic_tax.enabled ?? false,
    taxInclusive: draft.price.tax_behavior === 'inclusive',
    ...(draft.prorationDate !== undefined && { prorationDate: draft.prorationDate }),
  }),
  id: newId('upcoming_in', 24),
})

const ofNew = (store: Store, given: Wish, customer: Customer): Invoice => {
  const details = given.subscription_details
  const price = pricedBy(store, details?.items?.[0]?.price, 'subscription_details[items][0][price]')
  const now = nowOf(store)
  const quantity = details?.items?.[0]?.quantity ?? 1
  const trialEnd = typeof details?.trial_end === 'number' ? details.trial_end : null
  const period = { start: now, end: trialEnd ?? addIntervals(now, recurringOf(price), 1) }
  const line = lineOf({
    item: { id: newId('si'), quantity },
    subscription: null,
    price,
    amount: trialEnd === null || given.preview_mode === 'recurring' ? price.unit_amount * quantity : 0,
    period,
    description: nameOf(store, price),
  })
  return built(store, given, customer, null, { lines: [line], period: { start: now, end: now }, price })
}

const ofExisting = (store: Store, given: Wish, customer: Customer, subscription: Subscription): Invoice => {
  const details = given.subscription_details ?? {}
  if (subscription.status === 'canceled' || subscription.status === 'incomplete_expired') throw noUpcoming(customer)
  const item = itemOf(subscription)
  const planned = planChange(store, subscription, details, 'subscription_details[items]')
  const isRecurring = given.preview_mode === 'recurring'
  const waiting = structuredClone(store.prorations.get(subscription.id) ?? [])
  const prorated = isRecurring ? [] : [...waiting, ...(planned?.lines ?? [])]
  if (planned?.isInvoiced && !isRecurring) {
    const { at, price } = planned
    const period = { start: item.current_period_start, end: at }
    return built(store, given, customer, subscription, { lines: prorated, period, price, prorationDate: at })
  }
  const isEnding = details.cancel_at_period_end ?? subscription.cancel_at_period_end
  if (isEnding && prorated.length === 0) throw noUpcoming(customer)
  const next = planned?.price ?? nextPrice(store, subscription)
  const quantity = planned?.quantity ?? item.quantity
  const start = item.current_period_end
  const period = { start, end: periodEnd(start, subscription.billing_cycle_anchor, recurringOf(next)) }
  const renewal = lineOf({
    item: { id: item.id, quantity },
    subscription: subscription.id,
    price: next,
    amount: next.unit_amount * quantity,
    period,
    description: nameOf(store, next),
  })
  return built(store, given, customer, subscription, {
    lines: [...prorated, renewal],
    period: { start: item.current_period_start, end: start },
    price: next,
  })
}

const nextPrice = (store: Store, subscription: Subscription): Price => {
  const phase = nextPhase(store, subscription)
  return phase ? get(store, 'price', phase.items[0]?.price ?? '') : itemOf(subscription).price
}

const noUpcoming = ({ id }: Customer): StripeFault =>
  new StripeFault(404, {
    type: 'invalid_request_error',
    code: 'invoice_upcoming_none',
    message: `No upcoming invoices for customer: ${id}`,
  })

export const previewRoutes = [route('POST', '/v1/invoices/create_preview', shape, preview)]
