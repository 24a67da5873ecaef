import type Stripe from 'stripe'
import type { ProviderTransaction } from '../provider.ts'
import { idOrNull, toDate, toDateOrNull } from './client.ts'

export type MoneyObjects = {
  invoices: readonly Stripe.Invoice[]
  charges: readonly Stripe.Charge[]
  creditNotes: readonly Stripe.CreditNote[]
  balance: readonly Stripe.CustomerBalanceTransaction[]
}

/** Charges, refunds and credits with an amount above zero, newest first. */
export const toTransactions = (objects: MoneyObjects): ProviderTransaction[] =>
  [
    ...objects.invoices.flatMap((invoice) => fromInvoice(invoice, objects.charges)),
    ...objects.charges.flatMap((charge) => fromRefunds(charge, objects.invoices)),
    ...objects.creditNotes.flatMap(fromCreditNote),
    ...objects.balance.flatMap(fromBalance),
  ].toSorted((one, other) => other.created_at.getTime() - one.created_at.getTime())

const NO_INVOICE = { tax_cents: 0, number: null, invoice_url: null, period_start: null, period_end: null }

/** A draft is not yet anything; one over nothing, as at the start of a trial, is left out. */
const fromInvoice = (invoice: Stripe.Invoice, charges: readonly Stripe.Charge[]): ProviderTransaction[] => {
  const { id, status, total, currency, number, status_transitions: moments } = invoice
  if (status === null || status === 'draft' || total === 0) return []
  // More was given back than charged: Stripe keeps it as credit.
  const isCredit = total < 0
  const paid = status === 'paid' ? invoice.amount_paid : invoice.amount_due
  return [
    {
      reference: id,
      type: isCredit ? 'credit' : 'charge',
      status: isCredit ? 'paid' : statusOf(invoice, chargesOf(invoice, charges)),
      amount_cents: isCredit ? -total : paid,
      tax_cents: Math.abs((invoice.total_taxes ?? []).reduce((sum, { amount }) => sum + amount, 0)),
      currency,
      description: invoice.description ?? invoice.lines.data.at(-1)?.description ?? null,
      number,
      invoice_url: invoice.hosted_invoice_url ?? null,
      ...periodOf(invoice),
      created_at: toDate(invoice.created),
      settled_at: toDateOrNull(moments.paid_at ?? moments.voided_at ?? moments.marked_uncollectible_at),
    },
  ]
}

/** That of an invoice itself is the one before: what it charges for stands in its lines. */
const periodOf = ({ lines }: Stripe.Invoice): Pick<ProviderTransaction, 'period_start' | 'period_end'> => {
  const periods = lines.data.map(({ period }) => period)
  if (periods.length === 0) return { period_start: null, period_end: null }
  return {
    period_start: toDate(Math.min(...periods.map(({ start }) => start))),
    period_end: toDate(Math.max(...periods.map(({ end }) => end))),
  }
}

const statusOf = (invoice: Stripe.Invoice, charges: readonly Stripe.Charge[]): ProviderTransaction['status'] => {
  switch (invoice.status) {
    case 'paid': {
      const refunded = charges.reduce((sum, { amount_refunded }) => sum + amount_refunded, 0)
      return refunded > 0 && refunded >= invoice.amount_paid ? 'refunded' : 'paid'
    }
    case 'void':
      return 'void'
    case 'uncollectible':
      return 'failed'
    default:
      // A debit takes days, in which nothing has failed.
      return invoice.attempted && !charges.some(({ status }) => status === 'pending') ? 'failed' : 'pending'
  }
}

/** The charges that paid the invoice, or tried to. */
const chargesOf = ({ payments }: Stripe.Invoice, charges: readonly Stripe.Charge[]): Stripe.Charge[] => {
  const paidBy = new Set(
    (payments?.data ?? []).flatMap(({ payment }) => [payment.payment_intent, payment.charge].map(idOrNull)),
  )
  return charges.filter(
    ({ id, payment_intent }) => paidBy.has(id) || (payment_intent !== null && paidBy.has(idOrNull(payment_intent))),
  )
}

const REFUND_STATUSES: ReadonlyMap<string, ProviderTransaction['status']> = new Map([
  ['succeeded', 'refunded'],
  ['failed', 'failed'],
  ['canceled', 'void'],
])

const fromRefunds = (charge: Stripe.Charge, invoices: readonly Stripe.Invoice[]): ProviderTransaction[] => {
  const invoice = invoices.find((each) => chargesOf(each, [charge]).length > 0)
  return (charge.refunds?.data ?? []).map(({ id, status, amount, currency, created }) => {
    const known = REFUND_STATUSES.get(status ?? '') ?? 'pending'
    return {
      ...NO_INVOICE,
      reference: id,
      type: 'refund',
      status: known,
      amount_cents: amount,
      currency,
      description: null,
      number: invoice?.number ?? null,
      invoice_url: invoice?.hosted_invoice_url ?? null,
      created_at: toDate(created),
      settled_at: known === 'refunded' ? toDate(created) : null,
    }
  })
}

/** The refunded part of a credit note is a transaction already. */
const fromCreditNote = (note: Stripe.CreditNote): ProviderTransaction[] => {
  const refunded = note.refunds.reduce((sum, { amount_refunded }) => sum + amount_refunded, 0)
  const amount_cents = note.total - refunded
  if (amount_cents <= 0) return []
  return [
    {
      ...NO_INVOICE,
      reference: note.id,
      type: 'credit',
      status: note.status === 'void' ? 'void' : 'paid',
      amount_cents,
      currency: note.currency,
      description: note.memo,
      number: note.number,
      invoice_url: note.pdf,
      created_at: toDate(note.created),
      settled_at: toDate(note.voided_at ?? note.created),
    },
  ]
}

/** Credit that was given. What invoices add and take stands in them. */
const fromBalance = (entry: Stripe.CustomerBalanceTransaction): ProviderTransaction[] =>
  entry.type !== 'adjustment' || entry.amount >= 0
    ? []
    : [
        {
          ...NO_INVOICE,
          reference: entry.id,
          type: 'credit',
          status: 'paid',
          amount_cents: -entry.amount,
          currency: entry.currency,
          description: entry.description,
          created_at: toDate(entry.created),
          settled_at: toDate(entry.created),
        },
      ]
