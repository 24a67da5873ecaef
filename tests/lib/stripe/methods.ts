import { z } from 'zod'
import { cardFault, makeDebit, ownMethod, testMethod } from './cards.ts'
import { change, emit } from './events.ts'
import { invalid, missing } from './fault.ts'
import { flag, listParams, mergeMetadata, metadata, oneOf, params, text } from './form.ts'
import type { PaymentMethod, SetupIntent } from './objects.ts'
import { route } from './route.ts'
import { add, all, allOf, base, get, newId, pageOf, type Store } from './store.ts'

/** A stored method, or a new one for Stripe's names of test methods. */
const methodOf = (store: Store, id: string, param?: string): PaymentMethod => {
  const made = testMethod(store, id)
  return made ? add(store, made) : get(store, 'payment_method', id, param)
}

/** Gives a method to a customer; a bank that refuses it leaves it with nobody. */
export const attach = (store: Store, method: PaymentMethod, customerId: string): PaymentMethod => {
  const customer = get(store, 'customer', customerId, 'customer')
  if (method.customer === customer.id) return method
  if (method.customer !== null) {
    throw invalid('The payment method you provided has already been attached to a customer.')
  }
  const behaviour = store.cards.get(method.id)
  if (!behaviour) {
    throw invalid(
      'This PaymentMethod was previously used without being attached to a Customer or was detached from a Customer, and may not be used again.',
    )
  }
  if (behaviour.attach) throw cardFault(behaviour.attach)
  method.customer = customer.id
  emit(store, 'payment_method.attached', method)
  return method
}

const detach = (store: Store, id: string): PaymentMethod => {
  const method = get(store, 'payment_method', id)
  if (method.customer === null) {
    throw invalid('The payment method you provided is not attached to a customer so detachment is impossible.')
  }
  const customer = get(store, 'customer', method.customer)
  method.customer = null
  store.cards.delete(method.id)
  emit(store, 'payment_method.detached', method, { customer: customer.id })
  if (customer.invoice_settings.default_payment_method === id) {
    const invoice_settings = { ...customer.invoice_settings, default_payment_method: null }
    change(store, 'customer.updated', customer, { invoice_settings })
  }
  for (const subscription of all(store, 'subscription')) {
    if (subscription.default_payment_method === id) {
      change(store, 'customer.subscription.updated', subscription, { default_payment_method: null })
    }
  }
  return method
}

const createShape = params({
  type: oneOf('card', 'sepa_debit'),
  card: z.strictObject({ token: text }).optional(),
  sepa_debit: z.strictObject({ iban: text }).optional(),
  billing_details: z.strictObject({ name: text.optional(), email: text.optional() }).optional(),
  metadata: metadata.optional(),
})

const create = (store: Store, given: z.output<typeof createShape>): PaymentMethod => {
  if (given.type === 'sepa_debit') {
    if (!given.sepa_debit)
      throw invalid('Missing required param: sepa_debit.', { code: 'parameter_missing', param: 'sepa_debit' })
    const { name, email } = given.billing_details ?? {}
    const debit = makeDebit(store, given.sepa_debit.iban.replace(/\s/g, ''), {
      ...(name && { name }),
      ...(email && { email }),
    })
    return add(store, { ...debit, metadata: mergeMetadata({}, given.metadata) })
  }
  const method = given.card && testMethod(store, given.card.token)
  if (!method) throw missing('token', given.card?.token ?? '', 'card[token]')
  return add(store, { ...method, metadata: mergeMetadata({}, given.metadata) })
}

/** A set-up that a person or the page confirms later. */
export const createSetupIntent = (
  store: Store,
  given: { customer: string | null; metadata?: Record<string, string>; description?: string },
): SetupIntent => {
  const fresh = base(store, 'setup_intent', 'seti', 24)
  const intent = add(store, {
    ...fresh,
    client_secret: newId(`${fresh.id}_secret`, 25),
    customer: given.customer,
    description: given.description ?? null,
    last_setup_error: null,
    latest_attempt: null,
    mandate: null,
    metadata: given.metadata ?? {},
    next_action: null,
    payment_method: null,
    payment_method_types: ['card', 'sepa_debit'],
    status: 'requires_payment_method' as const,
    usage: 'off_session' as const,
  })
  emit(store, 'setup_intent.created', intent)
  return intent
}

/** Saves the method for later; `challenged` is a person who confirmed it at the bank. */
export const confirmSetup = (
  store: Store,
  intent: SetupIntent,
  method: PaymentMethod,
  challenged = false,
): SetupIntent => {
  const behaviour = store.cards.get(method.id)
  if (behaviour?.attach) {
    const { code, declineCode, message } = behaviour.attach
    intent.last_setup_error = { type: 'card_error', code, decline_code: declineCode, message, payment_method: method }
    emit(store, 'setup_intent.setup_failed', intent)
    throw cardFault(behaviour.attach, { setup_intent: intent })
  }
  if (behaviour?.present === 'challenge' && !challenged) {
    intent.status = 'requires_action'
    intent.payment_method = method.id
    intent.next_action = { type: 'use_stripe_sdk', use_stripe_sdk: {} }
    emit(store, 'setup_intent.requires_action', intent)
    return intent
  }
  if (behaviour?.remembersChallenge) store.cards.set(method.id, { ...behaviour, later: null })
  if (intent.customer) attach(store, method, intent.customer)
  Object.assign(intent, { status: 'succeeded', payment_method: method.id, next_action: null, last_setup_error: null })
  emit(store, 'setup_intent.succeeded', intent)
  return intent
}

const setupShape = params({
  customer: text.optional(),
  payment_method: text.optional(),
  confirm: flag.optional(),
  usage: oneOf('off_session', 'on_session').optional(),
  description: text.optional(),
  metadata: metadata.optional(),
  return_url: text.optional(),
})

const createSetup = (store: Store, given: z.output<typeof setupShape>): SetupIntent => {
  if (given.customer) get(store, 'customer', given.customer, 'customer')
  const method = given.payment_method ? methodOf(store, given.payment_method, 'payment_method') : null
  const intent = createSetupIntent(store, {
    customer: given.customer ?? null,
    metadata: mergeMetadata({}, given.metadata),
    ...(given.description && { description: given.description }),
  })
  if (method) Object.assign(intent, { payment_method: method.id, status: 'requires_confirmation' })
  return given.confirm && method ? confirmSetup(store, intent, method) : intent
}

const ofCustomer = (store: Store, customer: string, type: string | undefined) =>
  allOf(store, 'payment_method', customer).filter((method) => !type || method.type === type)

export const methodRoutes = [
  route('POST', '/v1/payment_methods', createShape, create),
  route(
    'GET',
    '/v1/payment_methods',
    listParams({ customer: text.optional(), type: text.optional() }),
    (store, page) => {
      if (page.customer) get(store, 'customer', page.customer, 'customer')
      return pageOf(page.customer ? ofCustomer(store, page.customer, page.type) : [], page, '/v1/payment_methods')
    },
  ),
  route('GET', '/v1/payment_methods/:', params({}), (store, _, id) => methodOf(store, id)),
  route(
    'POST',
    '/v1/payment_methods/:',
    params({ metadata: metadata.optional(), allow_redisplay: oneOf('always', 'limited', 'unspecified').optional() }),
    (store, given, id) => {
      const method = get(store, 'payment_method', id)
      return change(store, 'payment_method.updated', method, {
        metadata: mergeMetadata(method.metadata, given.metadata),
        ...(given.allow_redisplay && { allow_redisplay: given.allow_redisplay }),
      })
    },
  ),
  route('POST', '/v1/payment_methods/:/attach', params({ customer: text }), (store, { customer }, id) =>
    attach(store, methodOf(store, id), customer),
  ),
  route('POST', '/v1/payment_methods/:/detach', params({}), (store, _, id) => detach(store, id)),
  route('GET', '/v1/customers/:/payment_methods', listParams({ type: text.optional() }), (store, page, id) => {
    get(store, 'customer', id)
    return pageOf(ofCustomer(store, id, page.type), page, `/v1/customers/${id}/payment_methods`)
  }),
  route('GET', '/v1/customers/:/payment_methods/:', params({}), (store, _, customer, id) =>
    ownMethod(store, get(store, 'customer', customer), id, 'payment_method'),
  ),
  route('POST', '/v1/setup_intents', setupShape, createSetup),
  route('GET', '/v1/setup_intents', listParams({ customer: text.optional() }), (store, page) =>
    pageOf(allOf(store, 'setup_intent', page.customer), page, '/v1/setup_intents'),
  ),
  route('GET', '/v1/setup_intents/:', params({ client_secret: text.optional() }), (store, _, id) =>
    get(store, 'setup_intent', id),
  ),
  route(
    'POST',
    '/v1/setup_intents/:/confirm',
    params({ payment_method: text.optional(), return_url: text.optional() }),
    (store, given, id) => {
      const intent = get(store, 'setup_intent', id)
      const method = given.payment_method ?? intent.payment_method
      if (!method)
        throw invalid('You must provide a payment method.', { code: 'parameter_missing', param: 'payment_method' })
      return confirmSetup(store, intent, methodOf(store, method, 'payment_method'))
    },
  ),
  route('POST', '/v1/setup_intents/:/cancel', params({}), (store, _, id) => {
    const intent = get(store, 'setup_intent', id)
    if (intent.status === 'succeeded')
      throw invalid('You cannot cancel this SetupIntent because it has a status of succeeded.', {
        code: 'setup_intent_unexpected_state',
      })
    return change(store, 'setup_intent.canceled', intent, { status: 'canceled' })
  }),
]
