import { z } from 'zod'
import { cardFault } from './cards.ts'
import { wholeAddress } from './customers.ts'
import { change, emit } from './events.ts'
import { invalid } from './fault.ts'
import { flag, integer, listParams, mergeMetadata, metadata, oneOf, params, text } from './form.ts'
import { attach, confirmSetup, createSetupIntent } from './methods.ts'
import type { Customer, PaymentMethod, Session } from './objects.ts'
import { verdictOf } from './payments.ts'
import { route } from './route.ts'
import { pricedBy, startSubscription } from './start.ts'
import { add, allOf, base, type CheckoutSecrets, DAY, find, get, nowOf, pageOf, type Store } from './store.ts'
import { trialSettings } from './subscriptions.ts'
import { createTaxId } from './tax-ids.ts'

const shape = params({
  mode: oneOf('subscription', 'setup'),
  success_url: text,
  cancel_url: text.optional(),
  automatic_tax: z.strictObject({ enabled: flag }).optional(),
  allow_promotion_codes: flag.optional(),
  billing_address_collection: oneOf('auto', 'required').optional(),
  client_reference_id: text.max(200).optional(),
  currency: text.optional(),
  customer: text.optional(),
  customer_update: z
    .strictObject({ address: oneOf('auto', 'never').optional(), name: oneOf('auto', 'never').optional() })
    .optional(),
  expires_at: integer.optional(),
  line_items: z
    .array(z.strictObject({ price: text, quantity: integer.optional() }))
    .length(1)
    .optional(),
  locale: text.optional(),
  metadata: metadata.optional(),
  payment_method_collection: oneOf('always').optional(),
  setup_intent_data: z.strictObject({ description: text.optional(), metadata: metadata.optional() }).optional(),
  subscription_data: z
    .strictObject({
      description: text.optional(),
      metadata: metadata.optional(),
      trial_end: integer.optional(),
      trial_period_days: integer.optional(),
      trial_settings: trialSettings.optional(),
    })
    .optional(),
  tax_id_collection: z.strictObject({ enabled: flag, required: oneOf('if_supported', 'never').optional() }).optional(),
  ui_mode: oneOf('hosted_page').optional(),
})
type Wish = z.output<typeof shape>

const create = (store: Store, given: Wish): Session => {
  for (const param of ['success_url', 'cancel_url'] as const) {
    const url = given[param]
    if (url && !/^https?:\/\/[^\s/]/.test(url)) throw invalid('Not a valid URL', { code: 'url_invalid', param })
  }
  const customer = given.customer ? get(store, 'customer', given.customer, 'customer') : null
  checkMode(given)
  if (customer) checkUpdates(given, customer)
  const expiresAt = expiryOf(store, given.expires_at)
  const wished = given.line_items?.[0]
  const price = wished ? pricedBy(store, wished.price, 'line_items[0][price]') : null
  const fresh = base(store, 'checkout.session', 'cs_test', 40)
  const trialDays = given.subscription_data?.trial_period_days
  const trialEnd = given.subscription_data?.trial_end ?? (trialDays ? nowOf(store) + trialDays * DAY : null)
  const amount = price && trialEnd === null ? price.unit_amount * (wished?.quantity ?? 1) : 0
  const intent =
    given.mode === 'setup'
      ? createSetupIntent(store, {
          customer: customer?.id ?? null,
          metadata: mergeMetadata({}, given.setup_intent_data?.metadata),
        })
      : null
  const session = add<Session>(store, {
    ...fresh,
    amount_subtotal: price ? amount : null,
    amount_total: price ? amount : null,
    automatic_tax: { enabled: given.automatic_tax?.enabled ?? false, liability: null, status: null },
    cancel_url: given.cancel_url ?? null,
    client_reference_id: given.client_reference_id ?? null,
    currency: price?.currency ?? given.currency ?? null,
    customer: customer?.id ?? null,
    customer_details: customer && { email: customer.email, name: customer.name, address: customer.address },
    customer_email: null,
    expires_at: expiresAt,
    invoice: null,
    metadata: mergeMetadata({}, given.metadata),
    mode: given.mode,
    payment_intent: null,
    payment_method_types: ['card', 'sepa_debit'],
    payment_status: given.mode === 'setup' ? 'no_payment_required' : 'unpaid',
    setup_intent: intent?.id ?? null,
    status: 'open',
    subscription: null,
    success_url: given.success_url,
    tax_id_collection: { enabled: given.tax_id_collection?.enabled ?? false, required: 'never' },
    ui_mode: 'hosted_page',
    url: `${store.origin}/c/pay/${fresh.id}`,
  })
  store.checkouts.set(session.id, {
    price: price?.id ?? null,
    quantity: wished?.quantity ?? 1,
    trialEnd,
    subscriptionMetadata: mergeMetadata({}, given.subscription_data?.metadata),
    challenged: null,
    missingMethod: given.subscription_data?.trial_settings?.end_behavior.missing_payment_method ?? 'create_invoice',
  })
  return session
}

const checkMode = (given: Wish): void => {
  if (!given.customer)
    throw invalid('The fake wants a customer for each session.', { code: 'parameter_missing', param: 'customer' })
  if (given.mode === 'subscription') {
    if (!given.line_items) {
      throw invalid('Missing required param: line_items.', { code: 'parameter_missing', param: 'line_items' })
    }
    if (given.line_items[0]?.quantity === undefined) {
      throw invalid('Quantity is required. Add `quantity` to `line_items[0]`', {
        code: 'parameter_missing',
        param: 'line_items[0][quantity]',
      })
    }
    if (given.setup_intent_data)
      throw invalid('You can not pass `setup_intent_data` in `subscription` mode.', { param: 'setup_intent_data' })
    return
  }
  for (const param of ['line_items', 'subscription_data', 'payment_method_collection'] as const) {
    if (given[param]) throw invalid(`You can not pass \`${param}\` in \`setup\` mode.`, { param })
  }
  if (!given.currency) {
    throw invalid('Missing required param: currency.', { code: 'parameter_missing', param: 'currency' })
  }
}

const checkUpdates = (given: Wish, customer: Customer): void => {
  if (given.automatic_tax?.enabled && !customer.address?.country && given.customer_update?.address !== 'auto') {
    throw invalid(
      "Automatic tax calculation in Checkout requires a valid address on the Customer. Add a valid address to the Customer or set either `customer_update[address]` to 'auto' or `customer_update[shipping]` to 'auto' to save the address entered in Checkout to the Customer.",
      { code: 'customer_tax_location_invalid' },
    )
  }
  if (given.tax_id_collection?.enabled && given.customer_update?.name !== 'auto') {
    throw invalid(
      'Tax ID collection requires updating business name on the customer. To enable tax ID collection for an existing customer, please set `customer_update[name]` to `auto`.',
    )
  }
}

const expiryOf = (store: Store, wished: number | undefined): number => {
  const now = nowOf(store)
  if (wished === undefined) return now + DAY
  if (wished < now + 30 * 60 || wished > now + DAY) {
    throw invalid(
      'The `expires_at` timestamp must be between 30 minutes and 24 hours from Checkout Session creation.',
      { param: 'expires_at' },
    )
  }
  return wished
}

export const expireSession = (store: Store, session: Session): Session => {
  if (session.status !== 'open') {
    throw invalid(
      `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${session.status}\`.`,
    )
  }
  return change(store, 'checkout.session.expired', session, { status: 'expired', url: null })
}

export type Answers = {
  method: PaymentMethod
  /** The person confirmed at the bank. */
  challenged: boolean
  country?: string
  /** A VAT number of the European Union. */
  vat?: string
}

/** Submits the hosted page: the session completes, requires the bank's confirmation, or is declined. */
export const completeSession = (store: Store, session: Session, answers: Answers): 'complete' | 'challenge' => {
  if (session.status !== 'open') throw invalid(`This session is ${session.status}.`)
  const secrets = store.checkouts.get(session.id)
  const customer = get(store, 'customer', session.customer ?? '')
  if (!secrets) throw invalid('There is no such session.')
  add(store, answers.method)
  const { method } = answers
  if (!answers.challenged && method.type === 'card' && verdictOf(store, method, 'present') === 'challenge') {
    secrets.challenged = method.id
    return 'challenge'
  }
  if (answers.country) {
    change(store, 'customer.updated', customer, { address: wholeAddress({ country: answers.country }) })
  }
  if (answers.vat) createTaxId(store, customer, { type: 'eu_vat', value: answers.vat })
  if (session.mode === 'setup') {
    confirmSetup(store, get(store, 'setup_intent', session.setup_intent ?? ''), method, answers.challenged)
  } else {
    subscribeBySession(store, session, secrets, answers, customer)
  }
  session.customer_details = { email: customer.email, name: customer.name, address: customer.address }
  Object.assign(session, { status: 'complete', url: null })
  emit(store, 'checkout.session.completed', session)
  return 'complete'
}

const subscribeBySession = (
  store: Store,
  session: Session,
  secrets: CheckoutSecrets,
  { method, challenged }: Answers,
  customer: Customer,
): void => {
  const behaviour = store.cards.get(method.id)
  if (behaviour?.attach) throw cardFault(behaviour.attach)
  if (challenged && behaviour?.remembersChallenge) store.cards.set(method.id, { ...behaviour, later: null })
  const subscription = startSubscription(store, {
    customer,
    price: get(store, 'price', secrets.price ?? ''),
    quantity: secrets.quantity,
    method,
    keepMethod: true,
    trialEnd: secrets.trialEnd,
    metadata: secrets.subscriptionMetadata,
    automaticTax: session.automatic_tax.enabled,
    behaviour: 'error_if_incomplete',
    presence: challenged ? 'challenged' : 'present',
    missingMethod: secrets.missingMethod,
  })
  attach(store, method, customer.id)
  const invoice = find(store, 'invoice', subscription.latest_invoice ?? '')
  const isFree = secrets.trialEnd !== null || invoice?.total === 0
  Object.assign(session, {
    subscription: subscription.id,
    invoice: invoice?.id ?? null,
    payment_status: isFree ? 'no_payment_required' : invoice?.status === 'paid' ? 'paid' : 'unpaid',
    amount_total: invoice?.total ?? session.amount_total,
  })
}

export const sessionRoutes = [
  route('POST', '/v1/checkout/sessions', shape, create),
  route(
    'GET',
    '/v1/checkout/sessions',
    listParams({
      customer: text.optional(),
      status: oneOf('open', 'complete', 'expired').optional(),
      subscription: text.optional(),
    }),
    (store, page) =>
      pageOf(
        allOf(store, 'checkout.session', page.customer).filter(
          (session) =>
            (!page.status || session.status === page.status) &&
            (!page.subscription || session.subscription === page.subscription),
        ),
        page,
        '/v1/checkout/sessions',
      ),
  ),
  route('GET', '/v1/checkout/sessions/:', params({}), (store, _, id) => get(store, 'checkout.session', id)),
  route('POST', '/v1/checkout/sessions/:', params({ metadata: metadata.optional() }), (store, given, id) => {
    const session = get(store, 'checkout.session', id)
    session.metadata = mergeMetadata(session.metadata, given.metadata)
    return session
  }),
  route('POST', '/v1/checkout/sessions/:/expire', params({}), (store, _, id) =>
    expireSession(store, get(store, 'checkout.session', id)),
  ),
]
