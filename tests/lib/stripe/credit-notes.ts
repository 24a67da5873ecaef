import type { z } from 'zod'
import { moveBalance } from './balance.ts'
import { change, emit } from './events.ts'
import { invalid } from './fault.ts'
import { integer, listParams, mergeMetadata, metadata, oneOf, params, text } from './form.ts'
import { markPaid } from './invoicing.ts'
import type { CreditNote, Invoice } from './objects.ts'
import { createRefund } from './payments.ts'
import { route } from './route.ts'
import { add, all, allOf, base, get, pageOf, type Store } from './store.ts'

const shape = params({
  invoice: text,
  amount: integer.optional(),
  credit_amount: integer.optional(),
  refund_amount: integer.optional(),
  out_of_band_amount: integer.optional(),
  memo: text.optional(),
  metadata: metadata.optional(),
  reason: oneOf('duplicate', 'fraudulent', 'order_change', 'product_unsatisfactory').optional(),
})
type Wish = z.output<typeof shape>

const create = (store: Store, given: Wish): CreditNote => {
  const invoice = get(store, 'invoice', given.invoice, 'invoice')
  if (invoice.status !== 'open' && invoice.status !== 'paid') {
    throw invalid('Credit notes can only be created for open or paid invoices.', { param: 'invoice' })
  }
  const { credit_amount: credit = 0, refund_amount: refund = 0, out_of_band_amount: outside = 0 } = given
  const amount = given.amount ?? credit + refund + outside
  const isPaid = invoice.status === 'paid'
  const most = isPaid ? invoice.amount_paid - invoice.post_payment_credit_notes_amount : invoice.amount_remaining
  if (amount < 1 || amount > most)
    throw invalid(`The credit note amount must be between 1 and ${most}.`, { param: 'amount' })
  if (isPaid && credit + refund + outside !== amount) {
    throw invalid(
      'The sum of credit amount, refund amount and outside of Stripe amount must equal the credit note amount.',
    )
  }
  const note = add(store, emptyNote(store, invoice, amount, given))
  if (refund > 0)
    note.refunds.push({ amount_refunded: refund, refund: refundOf(store, invoice, refund), type: 'refund' })
  if (credit > 0) {
    note.customer_balance_transaction = moveBalance(store, get(store, 'customer', invoice.customer), {
      amount: -credit,
      type: 'credit_note',
      currency: invoice.currency,
      invoice: invoice.id,
      credit_note: note.id,
    }).id
  }
  emit(store, 'credit_note.created', note)
  applyToInvoice(store, invoice, amount)
  return note
}

const emptyNote = (store: Store, invoice: Invoice, amount: number, given: Wish): CreditNote => {
  const fresh = base(store, 'credit_note', 'cn', 24)
  const isPaid = invoice.status === 'paid'
  const sequence = all(store, 'credit_note').filter((note) => note.invoice === invoice.id).length + 1
  return {
    ...fresh,
    amount,
    currency: invoice.currency,
    customer: invoice.customer,
    customer_balance_transaction: null,
    invoice: invoice.id,
    memo: given.memo ?? null,
    metadata: mergeMetadata({}, given.metadata),
    number: `${invoice.number}-CN-${String(sequence).padStart(2, '0')}`,
    out_of_band_amount: given.out_of_band_amount ?? null,
    pdf: `${store.origin}/cn/${fresh.id}/pdf`,
    post_payment_amount: isPaid ? amount : 0,
    pre_payment_amount: isPaid ? 0 : amount,
    reason: given.reason ?? null,
    refunds: [],
    status: 'issued',
    subtotal: amount,
    total: amount,
    total_taxes: [],
    type: isPaid ? 'post_payment' : 'pre_payment',
    voided_at: null,
  }
}

const refundOf = (store: Store, invoice: Invoice, amount: number): string => {
  const payment = all(store, 'invoice_payment').find((known) => known.invoice === invoice.id && known.status === 'paid')
  if (!payment) throw invalid('This invoice was not paid with a charge.', { param: 'refund_amount' })
  return createRefund(store, { payment_intent: payment.payment.payment_intent, amount }).id
}

const applyToInvoice = (store: Store, invoice: Invoice, amount: number): void => {
  if (invoice.status === 'paid') {
    const post_payment_credit_notes_amount = invoice.post_payment_credit_notes_amount + amount
    change(store, 'invoice.updated', invoice, { post_payment_credit_notes_amount })
    return
  }
  change(store, 'invoice.updated', invoice, {
    amount_due: invoice.amount_due - amount,
    amount_remaining: invoice.amount_remaining - amount,
    pre_payment_credit_notes_amount: invoice.pre_payment_credit_notes_amount + amount,
  })
  if (invoice.amount_remaining === 0) markPaid(store, invoice, 0)
}

export const creditNoteRoutes = [
  route('POST', '/v1/credit_notes', shape, create),
  route('GET', '/v1/credit_notes', listParams({ customer: text.optional(), invoice: text.optional() }), (store, page) =>
    pageOf(
      allOf(store, 'credit_note', page.customer).filter((note) => !page.invoice || note.invoice === page.invoice),
      page,
      '/v1/credit_notes',
    ),
  ),
  route('GET', '/v1/credit_notes/:', params({}), (store, _, id) => get(store, 'credit_note', id)),
]
