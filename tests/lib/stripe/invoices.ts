import type { z } from 'zod'
import { cardFault, ownMethod } from './cards.ts'
import { change, emit } from './events.ts'
import { invalid, StripeFault } from './fault.ts'
import { flag, listParams, mergeMetadata, metadata, oneOf, params, text } from './form.ts'
import { collect, finalize, isProcessing, markPaid, methodFor } from './invoicing.ts'
import { endSubscription, subscriptionOf, voidInvoice } from './lifecycle.ts'
import type { Invoice } from './objects.ts'
import { route } from './route.ts'
import { noMethod } from './start.ts'
import { allOf, find, get, nowOf, pageOf, type Store } from './store.ts'

const payShape = params({
  forgive: flag.optional(),
  off_session: flag.optional(),
  paid_out_of_band: flag.optional(),
  payment_method: text.optional(),
})

const pay = (store: Store, given: z.output<typeof payShape>, id: string): Invoice => {
  const invoice = get(store, 'invoice', id)
  if (invoice.status === 'paid') throw invalid('Invoice is already paid', { code: 'invoice_already_paid' })
  if (invoice.status === 'void') throw unexpected(invoice, 'paid')
  if (isProcessing(store, invoice))
    throw invalid('A payment of this invoice is processing.', { code: 'payment_intent_unexpected_state' })
  if (invoice.status === 'draft') finalize(store, invoice)
  if (given.paid_out_of_band) {
    markPaid(store, invoice, invoice.amount_remaining)
    return invoice
  }
  const customer = get(store, 'customer', invoice.customer)
  const method = given.payment_method
    ? ownMethod(store, customer, given.payment_method, 'payment_method')
    : methodFor(store, invoice)
  if (!method) throw noMethod()
  if (invoice.status === 'uncollectible') invoice.status = 'open'
  const refusal = collect(store, invoice, {
    presence: given.off_session === false ? 'present' : 'later',
    method,
    isManual: true,
  })
  if (refusal === 'challenge') {
    throw new StripeFault(402, {
      type: 'card_error',
      code: 'invoice_payment_intent_requires_action',
      message:
        'This payment requires additional user action before it can be completed successfully. Payment can be completed using the PaymentIntent associated with the invoice.',
    })
  }
  if (refusal && refusal !== 'no_method') throw cardFault(refusal, { payment_method: method })
  return invoice
}

const unexpected = ({ status }: Invoice, wished: string): StripeFault =>
  invalid(`This invoice can't be ${wished} because it is ${status}.`, { code: 'invoice_not_editable' })

const voidOne = (store: Store, id: string): Invoice => {
  const invoice = get(store, 'invoice', id)
  if (invoice.status !== 'open' && invoice.status !== 'uncollectible') throw unexpected(invoice, 'voided')
  voidInvoice(store, invoice)
  const subscription = find(store, 'subscription', subscriptionOf(invoice) ?? '')
  if (subscription?.status === 'incomplete') {
    endSubscription(store, subscription, 'cancellation_requested', 'incomplete_expired')
  }
  return invoice
}

const markUncollectible = (store: Store, id: string): Invoice => {
  const invoice = get(store, 'invoice', id)
  if (invoice.status !== 'open') throw unexpected(invoice, 'marked uncollectible')
  invoice.status_transitions.marked_uncollectible_at = nowOf(store)
  Object.assign(invoice, { auto_advance: false, next_payment_attempt: null })
  return change(store, 'invoice.marked_uncollectible', invoice, { status: 'uncollectible' })
}

const listShape = listParams({
  collection_method: text.optional(),
  customer: text.optional(),
  status: oneOf('draft', 'open', 'paid', 'uncollectible', 'void').optional(),
  subscription: text.optional(),
})

export const invoiceRoutes = [
  route('GET', '/v1/invoices', listShape, (store, page) =>
    pageOf(
      allOf(store, 'invoice', page.customer).filter(
        (invoice) =>
          (!page.status || invoice.status === page.status) &&
          (!page.subscription || subscriptionOf(invoice) === page.subscription),
      ),
      page,
      '/v1/invoices',
    ),
  ),
  route('GET', '/v1/invoices/:', params({}), (store, _, id) => get(store, 'invoice', id)),
  route(
    'POST',
    '/v1/invoices/:',
    params({ metadata: metadata.optional(), auto_advance: flag.optional(), description: text.optional() }),
    (store, given, id) => {
      const invoice = get(store, 'invoice', id)
      return change(store, 'invoice.updated', invoice, {
        metadata: mergeMetadata(invoice.metadata, given.metadata),
        ...(given.auto_advance !== undefined && { auto_advance: given.auto_advance }),
        ...(given.description && { description: given.description }),
      })
    },
  ),
  route('POST', '/v1/invoices/:/pay', payShape, pay),
  route('POST', '/v1/invoices/:/finalize', params({ auto_advance: flag.optional() }), (store, _, id) => {
    const invoice = get(store, 'invoice', id)
    if (invoice.status !== 'draft') throw unexpected(invoice, 'finalized')
    return finalize(store, invoice)
  }),
  route('POST', '/v1/invoices/:/void', params({}), (store, _, id) => voidOne(store, id)),
  route('POST', '/v1/invoices/:/mark_uncollectible', params({}), (store, _, id) => markUncollectible(store, id)),
  route('POST', '/v1/invoices/:/send', params({}), (store, _, id) => {
    const invoice = get(store, 'invoice', id)
    emit(store, 'invoice.sent', invoice)
    return invoice
  }),
  route('GET', '/v1/invoices/:/lines', params({}), (store, _, id) => get(store, 'invoice', id).lines),
]
