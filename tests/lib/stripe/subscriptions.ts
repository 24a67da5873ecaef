import { z } from 'zod'
import { ownMethod } from './cards.ts'
import { applyChange, planChange, refuseUnpayable } from './change-price.ts'
import { emit } from './events.ts'
import { invalid, missing } from './fault.ts'
import { flag, integer, listParams, mergeMetadata, metadata, oneOf, params, text, unsettable } from './form.ts'
import { defaultMethod, finalize } from './invoicing.ts'
import { endSubscription } from './lifecycle.ts'
import type { Subscription } from './objects.ts'
import { prorationLines } from './periods.ts'
import { finalizeAndCollect, renew } from './renewal.ts'
import { route } from './route.ts'
import { invoiceFor, itemOf, pricedBy, startSubscription } from './start.ts'
import { allOf, DAY, find, get, nowOf, pageOf, type Store } from './store.ts'

const behaviours = oneOf('allow_incomplete', 'error_if_incomplete', 'default_incomplete')
const prorations = oneOf('create_prorations', 'always_invoice', 'none')
const automaticTax = z.strictObject({ enabled: flag })
export const trialSettings = z.strictObject({
  end_behavior: z.strictObject({ missing_payment_method: oneOf('cancel', 'create_invoice', 'pause') }),
})
const paymentSettings = z.strictObject({ save_default_payment_method: oneOf('off', 'on_subscription').optional() })
const item = { price: text.optional(), quantity: integer.optional(), metadata: metadata.optional() }

const createShape = params({
  customer: text,
  items: z.array(z.strictObject(item)).length(1),
  automatic_tax: automaticTax.optional(),
  cancel_at_period_end: flag.optional(),
  collection_method: oneOf('charge_automatically').optional(),
  currency: text.optional(),
  default_payment_method: text.optional(),
  description: text.optional(),
  metadata: metadata.optional(),
  off_session: flag.optional(),
  payment_behavior: behaviours.optional(),
  payment_settings: paymentSettings.optional(),
  proration_behavior: prorations.optional(),
  trial_end: z.union([z.literal('now'), integer]).optional(),
  trial_period_days: integer.optional(),
  trial_settings: trialSettings.optional(),
})

const create = (store: Store, given: z.output<typeof createShape>): Subscription => {
  const customer = get(store, 'customer', given.customer, 'customer')
  const price = pricedBy(store, given.items[0]?.price, 'items[0][price]')
  const own = given.default_payment_method
    ? ownMethod(store, customer, given.default_payment_method, 'default_payment_method')
    : undefined
  const now = nowOf(store)
  const days = given.trial_period_days ?? 0
  const trialEnd = typeof given.trial_end === 'number' ? given.trial_end : days > 0 ? now + days * DAY : null
  const cancelAtPeriodEnd = given.cancel_at_period_end
  const missingMethod = given.trial_settings?.end_behavior.missing_payment_method
  return startSubscription(store, {
    customer,
    price,
    quantity: given.items[0]?.quantity ?? 1,
    method: own ?? defaultMethod(store, customer),
    keepMethod: own !== undefined || given.payment_settings?.save_default_payment_method === 'on_subscription',
    trialEnd,
    metadata: mergeMetadata({}, given.metadata),
    automaticTax: given.automatic_tax?.enabled ?? false,
    behaviour: given.payment_behavior ?? 'allow_incomplete',
    presence: given.off_session === false ? 'present' : 'later',
    ...(missingMethod && { missingMethod }),
    ...(cancelAtPeriodEnd !== undefined && { cancelAtPeriodEnd }),
  })
}

const updateShape = params({
  items: z
    .array(z.strictObject({ ...item, id: text.optional(), deleted: flag.optional() }))
    .length(1)
    .optional(),
  automatic_tax: automaticTax.optional(),
  billing_cycle_anchor: oneOf('now', 'unchanged').optional(),
  cancel_at: z.union([z.literal(''), integer]).optional(),
  cancel_at_period_end: flag.optional(),
  cancellation_details: z.strictObject({ comment: unsettable.optional(), feedback: unsettable.optional() }).optional(),
  default_payment_method: unsettable.optional(),
  description: unsettable.optional(),
  metadata: metadata.optional(),
  off_session: flag.optional(),
  payment_behavior: behaviours.optional(),
  proration_behavior: prorations.optional(),
  proration_date: integer.optional(),
  trial_end: z.union([z.literal('now'), integer]).optional(),
  trial_settings: trialSettings.optional(),
})
type Update = z.output<typeof updateShape>

const update = (store: Store, given: Update, id: string): Subscription => {
  const subscription = get(store, 'subscription', id)
  const { expand: _, metadata: labels, cancellation_details: details, ...rest } = given
  if (subscription.status === 'canceled' || subscription.status === 'incomplete_expired') {
    if (Object.values(rest).some((value) => value !== undefined)) {
      throw invalid('A canceled subscription can only update its cancellation_details and metadata.')
    }
  }
  const isEndChanged = given.cancel_at_period_end !== undefined || given.cancel_at !== undefined
  if (isEndChanged && subscription.schedule) {
    throw invalid(
      `The subscription is managed by the subscription schedule \`${subscription.schedule}\`, and updating any cancelation behavior directly is not allowed. Please update the schedule instead.`,
    )
  }
  if (given.cancel_at && (given.cancel_at_period_end || given.cancel_at <= nowOf(store))) {
    throw invalid('The end must lie ahead, and be told in one way.', { param: 'cancel_at' })
  }
  if (given.default_payment_method) {
    ownMethod(
      store,
      get(store, 'customer', subscription.customer),
      given.default_payment_method,
      'default_payment_method',
    )
  }
  const before = structuredClone(subscription)
  const planned = planChange(store, subscription, given)
  if (planned) refuseUnpayable(store, subscription, planned, given)
  Object.assign(subscription, plainChanges(store, subscription, given))
  subscription.metadata = mergeMetadata(subscription.metadata, labels)
  if (details) Object.assign(subscription.cancellation_details, details)
  if (planned) applyChange(store, subscription, planned, given.off_session === false ? 'present' : 'later')
  recordChangeEvent(store, before, subscription)
  if (given.trial_end !== undefined) moveTrialEnd(store, subscription, given.trial_end)
  return subscription
}

const recordChangeEvent = (store: Store, before: Subscription, after: Subscription): void => {
  const changed = Object.entries(before).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(after[key as keyof Subscription]),
  )
  if (changed.length > 0) emit(store, 'customer.subscription.updated', after, Object.fromEntries(changed))
}

const plainChanges = (store: Store, subscription: Subscription, given: Update): Partial<Subscription> => {
  const isCancelled = given.cancel_at_period_end
  return {
    ...(given.automatic_tax && {
      automatic_tax: { ...subscription.automatic_tax, enabled: given.automatic_tax.enabled },
    }),
    ...(given.default_payment_method !== undefined && { default_payment_method: given.default_payment_method }),
    ...(given.description !== undefined && { description: given.description }),
    ...(given.trial_settings && { trial_settings: given.trial_settings }),
    ...(given.cancel_at !== undefined && {
      cancel_at: given.cancel_at || null,
      cancel_at_period_end: false,
      canceled_at: given.cancel_at ? nowOf(store) : null,
    }),
    ...(isCancelled !== undefined &&
      isCancelled !== subscription.cancel_at_period_end && {
        cancel_at_period_end: isCancelled,
        cancel_at: isCancelled ? itemOf(subscription).current_period_end : null,
        canceled_at: isCancelled ? nowOf(store) : null,
        cancellation_details: {
          ...subscription.cancellation_details,
          reason: isCancelled ? ('cancellation_requested' as const) : null,
        },
      }),
  }
}

/** The end of the trial is the end of the period; what is over is billed at once. */
const moveTrialEnd = (store: Store, subscription: Subscription, end: number | 'now'): void => {
  if (subscription.status !== 'trialing')
    throw invalid('The fake has trials at the beginning only.', { param: 'trial_end' })
  const at = end === 'now' ? nowOf(store) : end
  subscription.trial_end = at
  subscription.billing_cycle_anchor = at
  itemOf(subscription).current_period_end = at
  if (end !== 'now') return
  renew(store, subscription)
  const invoice = find(store, 'invoice', subscription.latest_invoice ?? '')
  if (invoice?.status === 'draft') finalizeAndCollect(store, invoice)
}

const cancelShape = params({
  invoice_now: flag.optional(),
  prorate: flag.optional(),
  cancellation_details: z.strictObject({ comment: unsettable.optional(), feedback: unsettable.optional() }).optional(),
})

const cancel = (store: Store, given: z.output<typeof cancelShape>, id: string): Subscription => {
  const subscription = get(store, 'subscription', id)
  if (subscription.status === 'canceled' || subscription.status === 'incomplete_expired')
    throw missing('subscription', id)
  if (given.prorate && given.invoice_now) {
    const only = itemOf(subscription)
    const lines = prorationLines(store, subscription, only, {
      price: only.price,
      quantity: 0,
      at: nowOf(store),
      anew: false,
    })
    const period = { start: only.current_period_start, end: nowOf(store) }
    if (lines.length > 0) finalize(store, invoiceFor(store, subscription, lines, 'subscription_update', period))
  }
  if (given.cancellation_details) Object.assign(subscription.cancellation_details, given.cancellation_details)
  return endSubscription(
    store,
    subscription,
    'cancellation_requested',
    subscription.status === 'incomplete' ? 'incomplete_expired' : 'canceled',
  )
}

const statuses = oneOf(
  ...([
    'active',
    'all',
    'canceled',
    'ended',
    'incomplete',
    'incomplete_expired',
    'past_due',
    'paused',
    'trialing',
    'unpaid',
  ] as const),
)

export const subscriptionRoutes = [
  route('POST', '/v1/subscriptions', createShape, create),
  route(
    'GET',
    '/v1/subscriptions',
    listParams({ customer: text.optional(), price: text.optional(), status: statuses.optional() }),
    (store, page) =>
      pageOf(
        allOf(store, 'subscription', page.customer).filter(
          (subscription) =>
            (!page.price || itemOf(subscription).price.id === page.price) && hasStatus(subscription, page.status),
        ),
        page,
        '/v1/subscriptions',
      ),
  ),
  route('GET', '/v1/subscriptions/:', params({}), (store, _, id) => get(store, 'subscription', id)),
  route('POST', '/v1/subscriptions/:', updateShape, update),
  route('DELETE', '/v1/subscriptions/:', cancelShape, cancel),
]

/** Without one, all that were not canceled. */
const hasStatus = ({ status }: Subscription, wished: string | undefined): boolean => {
  if (wished === 'all') return true
  if (wished === undefined) return status !== 'canceled' && status !== 'incomplete_expired'
  if (wished === 'ended') return status === 'canceled' || status === 'incomplete_expired'
  return status === wished
}
