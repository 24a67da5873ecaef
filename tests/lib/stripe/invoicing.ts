import { moveBalance } from './balance.ts'
import { emit } from './events.ts'
import { afterPayment, afterRefusal, subscriptionOf } from './lifecycle.ts'
import type { Charge, Customer, Invoice, InvoiceLine, PaymentMethod, Subscription, TotalTax } from './objects.ts'
import { intentOf, type Presence, payIntent, settleDebit, type Verdict } from './payments.ts'
import { add, all, base, find, get, nowOf, type Store } from './store.ts'

export type InvoiceSpec = {
  customer: Customer
  /** Null for a preview of one that does not exist yet. */
  subscription: Pick<Subscription, 'id' | 'metadata' | 'default_payment_method'> | null
  lines: InvoiceLine[]
  reason: Invoice['billing_reason']
  period: { start: number; end: number }
  currency: string
  automaticTax: boolean
  taxInclusive: boolean
  prorationDate?: number
}

/** An invoice with its totals; neither stored nor sent as an event. */
export const buildInvoice = (store: Store, spec: InvoiceSpec): Invoice => {
  const { customer, lines } = spec
  const fresh = base(store, 'invoice', 'in', 24)
  const sum = lines.reduce((total, { amount }) => total + amount, 0)
  const taxes = taxesOf(store, spec, sum)
  const tax = taxes.reduce((total, { amount }) => total + amount, 0)
  const total = spec.taxInclusive ? sum : sum + tax
  const due = Math.max(0, total + customer.balance)
  for (const line of lines) line.invoice = fresh.id
  const url = `/v1/invoices/${fresh.id}/lines`
  return {
    ...fresh,
    account_country: 'DE',
    account_name: 'Fake Stripe',
    amount_due: due,
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: due,
    amount_shipping: 0,
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    automatic_tax: {
      disabled_reason: null,
      enabled: spec.automaticTax,
      liability: null,
      provider: null,
      status: spec.automaticTax ? 'complete' : null,
    },
    automatically_finalizes_at: null,
    billing_reason: spec.reason,
    collection_method: 'charge_automatically',
    currency: spec.currency,
    customer: customer.id,
    customer_address: customer.address,
    customer_email: customer.email,
    customer_name: customer.name,
    customer_tax_exempt: customer.tax_exempt,
    customer_tax_ids: all(store, 'tax_id')
      .filter((taxId) => taxId.customer === customer.id)
      .map(({ type, value }) => ({ type, value })),
    default_payment_method: null,
    description: null,
    discounts: [],
    due_date: null,
    effective_at: null,
    ending_balance: null,
    footer: null,
    hosted_invoice_url: null,
    invoice_pdf: null,
    last_finalization_error: null,
    lines: { object: 'list', data: lines, has_more: false, url },
    metadata: {},
    next_payment_attempt: null,
    number: null,
    parent: {
      quote_details: null,
      subscription_details: {
        metadata: spec.subscription?.metadata ?? {},
        subscription: spec.subscription?.id ?? null,
        ...(spec.prorationDate !== undefined && { subscription_proration_date: spec.prorationDate }),
      },
      type: 'subscription_details',
    },
    period_end: spec.period.end,
    period_start: spec.period.start,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    starting_balance: customer.balance,
    status: 'draft',
    status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    subtotal: sum,
    subtotal_excluding_tax: spec.taxInclusive ? sum - tax : sum,
    total,
    total_discount_amounts: [],
    total_excluding_tax: total - tax,
    total_taxes: taxes,
    webhooks_delivered_at: null,
  }
}

const taxesOf = (store: Store, spec: InvoiceSpec, sum: number): TotalTax[] => {
  if (!spec.automaticTax || sum <= 0 || !spec.customer.address?.country) return []
  const percent = spec.customer.tax_exempt === 'none' ? store.settings.taxPercent : 0
  const amount = Math.round((sum * percent) / (spec.taxInclusive ? 100 + percent : 100))
  return [
    {
      amount,
      tax_behavior: spec.taxInclusive ? 'inclusive' : 'exclusive',
      tax_rate_details: { tax_rate: 'txr_fake' },
      taxability_reason: spec.customer.tax_exempt === 'reverse' ? 'reverse_charge' : 'standard_rated',
      taxable_amount: spec.taxInclusive ? sum - amount : sum,
      type: 'tax_rate_details',
    },
  ]
}

export const createInvoice = (store: Store, spec: InvoiceSpec): Invoice => {
  const invoice = add(store, buildInvoice(store, spec))
  spec.customer.currency ??= spec.currency
  emit(store, 'invoice.created', invoice)
  return invoice
}

/** Gives it a number and uses up the balance; what is nothing is paid. */
export const finalize = (store: Store, invoice: Invoice): Invoice => {
  const customer = get(store, 'customer', invoice.customer)
  const now = nowOf(store)
  const starting = customer.balance
  const ending = Math.min(0, invoice.total + starting)
  const due = Math.max(0, invoice.total + starting)
  Object.assign(invoice, {
    status: 'open',
    number: `${customer.invoice_prefix}-${String(customer.next_invoice_sequence).padStart(4, '0')}`,
    hosted_invoice_url: `${store.origin}/i/${invoice.id}`,
    invoice_pdf: `${store.origin}/i/${invoice.id}/pdf`,
    effective_at: now,
    automatically_finalizes_at: null,
    starting_balance: starting,
    ending_balance: ending,
    amount_due: due,
    amount_remaining: due,
  })
  customer.next_invoice_sequence += 1
  invoice.status_transitions.finalized_at = now
  if (ending !== starting) {
    moveBalance(store, customer, {
      amount: ending - starting,
      type: 'applied_to_invoice',
      currency: invoice.currency,
      invoice: invoice.id,
    })
  }
  emit(store, 'invoice.finalized', invoice)
  if (due === 0) markPaid(store, invoice, 0)
  return invoice
}

export const markPaid = (store: Store, invoice: Invoice, amount: number): void => {
  const now = nowOf(store)
  invoice.status_transitions.paid_at = now
  Object.assign(invoice, {
    status: 'paid',
    amount_paid: invoice.amount_paid + amount,
    amount_remaining: 0,
    attempted: true,
    next_payment_attempt: null,
    auto_advance: false,
  })
  emit(store, 'invoice.paid', invoice)
  emit(store, 'invoice.payment_succeeded', invoice)
  afterPayment(store, invoice)
}

export type Collected = Verdict | 'no_method'

type Collection = {
  presence: Presence
  method?: PaymentMethod | undefined
  /** A person or a program started the attempt; after the first one, manual attempts do not count as retries. */
  isManual?: boolean
}

/** Tries to get the money of an open invoice. */
export const collect = (
  store: Store,
  invoice: Invoice,
  { presence, method = methodFor(store, invoice), isManual = false }: Collection,
): Collected => {
  if (invoice.status !== 'open' || isProcessing(store, invoice)) return null
  const counts = !isManual || invoice.attempt_count === 0
  invoice.attempted = true
  if (counts) invoice.attempt_count += 1
  if (!method) return refused(store, invoice, 'no_method', counts)
  const { intent, payment } = intentOf(store, invoice)
  const verdict = payIntent(store, intent, method, presence)
  if (verdict) return refused(store, invoice, verdict, counts)
  if (intent.status === 'succeeded') {
    Object.assign(payment, { status: 'paid', amount_paid: intent.amount })
    payment.status_transitions.paid_at = nowOf(store)
    markPaid(store, invoice, intent.amount)
  }
  return null
}

const refused = (store: Store, invoice: Invoice, why: Exclude<Collected, null>, counts = true): Collected => {
  if (why === 'challenge') emit(store, 'invoice.payment_action_required', invoice)
  if (counts) afterRefusal(store, invoice)
  emit(store, 'invoice.payment_failed', invoice)
  return why
}

/** A debit is under way. */
export const isProcessing = (store: Store, invoice: Invoice): boolean =>
  all(store, 'invoice_payment').some(
    (payment) =>
      payment.invoice === invoice.id &&
      find(store, 'payment_intent', payment.payment.payment_intent)?.status === 'processing',
  )

/** The method of the subscription, else that of the customer. */
export const methodFor = (store: Store, invoice: Invoice): PaymentMethod | undefined => {
  const subscription = find(store, 'subscription', subscriptionOf(invoice) ?? '')
  return defaultMethod(store, get(store, 'customer', invoice.customer), subscription)
}

export const defaultMethod = (
  store: Store,
  customer: Customer,
  subscription?: Pick<Subscription, 'default_payment_method'>,
): PaymentMethod | undefined =>
  find(
    store,
    'payment_method',
    subscription?.default_payment_method ?? customer.invoice_settings.default_payment_method ?? '',
  )

/** A debit came to its end. */
export const settle = (store: Store, charge: Charge): void => {
  const { intent, verdict } = settleDebit(store, charge)
  const payment = all(store, 'invoice_payment').find((known) => known.payment.payment_intent === intent.id)
  const invoice = payment && find(store, 'invoice', payment.invoice)
  if (invoice?.status !== 'open' || !payment) return
  if (verdict) {
    refused(store, invoice, verdict)
    return
  }
  Object.assign(payment, { status: 'paid', amount_paid: intent.amount })
  payment.status_transitions.paid_at = nowOf(store)
  markPaid(store, invoice, intent.amount)
}
