import { z } from 'zod'
import { cardFault, type Decline } from './cards.ts'
import { change, emit } from './events.ts'
import { invalid, StripeFault } from './fault.ts'
import { integer, listParams, mergeMetadata, metadata, oneOf, params, text } from './form.ts'
import type { Charge, Invoice, InvoicePayment, PaymentIntent, PaymentMethod, Refund } from './objects.ts'
import { route } from './route.ts'
import { add, all, allOf, base, get, newId, nowOf, pageOf, type Store } from './store.ts'

/** Whether the person is there, and confirmed it at the bank. */
export type Presence = 'later' | 'present' | 'challenged'
export type Verdict = Decline | 'challenge' | null

/** The bank's verdict, without asking it. */
export const verdictOf = (store: Store, method: PaymentMethod, presence: Presence): Verdict => {
  const behaviour = store.cards.get(method.id)
  if (!behaviour) throw invalid('This PaymentMethod may not be used again.', { param: 'payment_method' })
  const verdict = presence === 'later' ? behaviour.later : behaviour.present
  return verdict === 'challenge' && presence === 'challenged' ? null : verdict
}

type Order = { customer: string; amount: number; currency: string; description: string | null }

export const createIntent = (store: Store, { customer, amount, currency, description }: Order): PaymentIntent => {
  const fresh = base(store, 'payment_intent', 'pi', 24)
  const intent = add(store, {
    ...fresh,
    amount,
    amount_capturable: 0,
    amount_received: 0,
    canceled_at: null,
    capture_method: 'automatic' as const,
    client_secret: newId(`${fresh.id}_secret`, 25),
    confirmation_method: 'automatic' as const,
    currency,
    customer,
    description,
    last_payment_error: null,
    latest_charge: null,
    metadata: {},
    next_action: null,
    payment_method: null,
    payment_method_types: ['card', 'sepa_debit'],
    setup_future_usage: 'off_session' as const,
    status: 'requires_payment_method' as const,
  })
  emit(store, 'payment_intent.created', intent)
  return intent
}

/** The intent of an invoice, made when it is needed first. */
export const intentOf = (store: Store, invoice: Invoice): { intent: PaymentIntent; payment: InvoicePayment } => {
  const known = all(store, 'invoice_payment').find((payment) => payment.invoice === invoice.id)
  if (known) return { intent: get(store, 'payment_intent', known.payment.payment_intent), payment: known }
  const { customer, amount_remaining: amount, currency } = invoice
  const intent = createIntent(store, { customer, amount, currency, description: invoice.description })
  const payment = add(store, {
    ...base(store, 'invoice_payment', 'inpay', 24),
    amount_paid: null,
    amount_requested: amount,
    currency,
    invoice: invoice.id,
    is_default: true,
    payment: { payment_intent: intent.id, type: 'payment_intent' as const },
    status: 'open' as const,
    status_transitions: { canceled_at: null, paid_at: null },
  })
  return { intent, payment }
}

/** Asks the bank: takes the money, begins a debit, or records why not. */
export const payIntent = (store: Store, intent: PaymentIntent, method: PaymentMethod, presence: Presence): Verdict => {
  const verdict = method.type === 'sepa_debit' ? null : verdictOf(store, method, presence)
  intent.payment_method = method.id
  if (verdict === 'challenge') {
    Object.assign(intent, { status: 'requires_action', next_action: { type: 'use_stripe_sdk', use_stripe_sdk: {} } })
    emit(store, 'payment_intent.requires_action', intent)
    return verdict
  }
  const charge = createCharge(store, intent, method, verdict)
  Object.assign(intent, { latest_charge: charge.id, next_action: null, last_payment_error: null })
  if (charge.status === 'pending') {
    intent.status = 'processing'
    emit(store, 'charge.pending', charge)
    emit(store, 'payment_intent.processing', intent)
    return null
  }
  if (verdict) refuseIntent(store, intent, charge, verdict)
  else acceptIntent(store, intent, charge)
  return verdict
}

const createCharge = (store: Store, intent: PaymentIntent, method: PaymentMethod, verdict: Decline | null): Charge => {
  const status = verdict ? 'failed' : method.type === 'sepa_debit' ? 'pending' : 'succeeded'
  const fresh = base(store, 'charge', 'ch', 24)
  return add(store, {
    ...fresh,
    amount: intent.amount,
    amount_captured: status === 'failed' ? 0 : intent.amount,
    amount_refunded: 0,
    balance_transaction: status === 'succeeded' ? newId('txn', 24) : null,
    billing_details: method.billing_details,
    captured: status !== 'failed',
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_code: verdict?.code ?? null,
    failure_message: verdict?.message ?? null,
    metadata: {},
    outcome: {
      network_status: verdict ? 'declined_by_network' : 'approved_by_network',
      reason: verdict?.declineCode ?? null,
    },
    paid: status === 'succeeded',
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: {
      type: method.type,
      [method.type]: { last4: method.card?.last4 ?? method.sepa_debit?.last4 },
    },
    receipt_url: status === 'succeeded' ? `${store.origin}/receipts/${fresh.id}` : null,
    refunded: false,
    status,
  })
}

const acceptIntent = (store: Store, intent: PaymentIntent, charge: Charge): void => {
  Object.assign(intent, { status: 'succeeded', amount_received: intent.amount })
  emit(store, 'charge.succeeded', charge)
  emit(store, 'payment_intent.succeeded', intent)
}

const refuseIntent = (store: Store, intent: PaymentIntent, charge: Charge, decline: Decline): void => {
  intent.status = 'requires_payment_method'
  intent.last_payment_error = {
    type: 'card_error',
    code: decline.code,
    decline_code: decline.declineCode,
    message: decline.message,
    charge: charge.id,
  }
  emit(store, 'charge.failed', charge)
  emit(store, 'payment_intent.payment_failed', intent)
}

/** A debit that was pending came through, or came back. */
export const settleDebit = (store: Store, charge: Charge): { intent: PaymentIntent; verdict: Decline | null } => {
  const intent = get(store, 'payment_intent', charge.payment_intent)
  const behaviour = store.cards.get(charge.payment_method)
  const verdict = behaviour?.later && behaviour.later !== 'challenge' ? behaviour.later : null
  if (verdict) {
    Object.assign(charge, { status: 'failed', failure_code: verdict.code, failure_message: verdict.message })
    refuseIntent(store, intent, charge, verdict)
  } else {
    Object.assign(charge, { status: 'succeeded', paid: true, balance_transaction: newId('txn', 24) })
    acceptIntent(store, intent, charge)
  }
  return { intent, verdict }
}

/** All or nothing: what is refused leaves a failed charge and no more. */
export const refuseOutright = (
  store: Store,
  order: Order,
  method: PaymentMethod,
  verdict: Decline | 'challenge',
): StripeFault => {
  const intent = createIntent(store, order)
  payIntent(store, intent, method, 'later')
  intent.status = 'canceled'
  intent.canceled_at = nowOf(store)
  emit(store, 'payment_intent.canceled', intent)
  if (verdict !== 'challenge') return cardFault(verdict, { payment_intent: intent, payment_method: method })
  return new StripeFault(402, {
    type: 'card_error',
    code: 'subscription_payment_intent_requires_action',
    message:
      'Payment for this subscription requires additional user action before it can be completed successfully. Payment can be completed using the PaymentIntent associated with `subscription.latest_invoice`.',
    payment_intent: intent,
  })
}

const refundShape = params({
  charge: text.optional(),
  payment_intent: text.optional(),
  amount: integer.optional(),
  reason: oneOf('duplicate', 'fraudulent', 'requested_by_customer').optional(),
  metadata: metadata.optional(),
})

export const createRefund = (store: Store, given: z.output<typeof refundShape>): Refund => {
  const intent = given.payment_intent ? get(store, 'payment_intent', given.payment_intent, 'payment_intent') : undefined
  const id = given.charge ?? intent?.latest_charge
  if (!id) throw invalid('One of the following params should be provided for this request: payment_intent or charge.')
  const charge = get(store, 'charge', id, 'charge')
  if (charge.refunded) {
    throw invalid(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' })
  }
  const left = charge.amount - charge.amount_refunded
  const amount = given.amount ?? left
  if (charge.status !== 'succeeded' || amount < 1 || amount > left) {
    throw invalid(`Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`, {
      param: 'amount',
    })
  }
  const refund = add(store, {
    ...base(store, 'refund', 're', 24),
    amount,
    balance_transaction: newId('txn', 24),
    charge: charge.id,
    currency: charge.currency,
    customer: charge.customer,
    metadata: mergeMetadata({}, given.metadata),
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason: given.reason ?? null,
    receipt_number: null,
    status: 'succeeded' as const,
  })
  emit(store, 'refund.created', refund)
  change(store, 'charge.refunded', charge, {
    amount_refunded: charge.amount_refunded + amount,
    refunded: amount === left,
  })
  return refund
}

const reads = (name: 'charge' | 'payment_intent', path: string) => [
  route('GET', path, listParams({ customer: text.optional(), payment_intent: text.optional() }), (store, page) => {
    const objects: (Charge | PaymentIntent)[] = allOf(store, name, page.customer)
    const wanted = objects.filter(
      (object) => !page.payment_intent || ('payment_intent' in object && object.payment_intent === page.payment_intent),
    )
    return pageOf(wanted, page, path)
  }),
  route('GET', `${path}/:`, params({}), (store, _, id) => get(store, name, id)),
]

const invoicePayments = listParams({
  invoice: text.optional(),
  payment: z.strictObject({ type: oneOf('payment_intent', 'charge'), payment_intent: text.optional() }).optional(),
  status: oneOf('open', 'paid', 'canceled').optional(),
})

export const paymentRoutes = [
  ...reads('charge', '/v1/charges'),
  ...reads('payment_intent', '/v1/payment_intents'),
  route('POST', '/v1/refunds', refundShape, createRefund),
  route('GET', '/v1/refunds', listParams({ charge: text.optional(), payment_intent: text.optional() }), (store, page) =>
    pageOf(
      all(store, 'refund').filter(
        (refund) =>
          (!page.charge || refund.charge === page.charge) &&
          (!page.payment_intent || refund.payment_intent === page.payment_intent),
      ),
      page,
      '/v1/refunds',
    ),
  ),
  route('GET', '/v1/refunds/:', params({}), (store, _, id) => get(store, 'refund', id)),
  route('GET', '/v1/invoice_payments', invoicePayments, (store, page) =>
    pageOf(
      all(store, 'invoice_payment').filter(
        ({ invoice, payment, status }) =>
          (!page.invoice || invoice === page.invoice) &&
          (!page.payment?.payment_intent || payment.payment_intent === page.payment.payment_intent) &&
          (!page.status || status === page.status),
      ),
      page,
      '/v1/invoice_payments',
    ),
  ),
  route('GET', '/v1/invoice_payments/:', params({}), (store, _, id) => get(store, 'invoice_payment', id)),
]
