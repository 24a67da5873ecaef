import type { Address, Base, Customer, List, Metadata, Price } from './objects.ts'

/** Stripe's objects of invoices and subscriptions. */

export type InvoiceLine = {
  id: string
  object: 'line_item'
  amount: number
  currency: string
  description: string
  discount_amounts: []
  discountable: boolean
  discounts: []
  invoice: string | null
  livemode: false
  metadata: Metadata
  parent: {
    invoice_item_details: null
    subscription_item_details: {
      invoice_item: string | null
      proration: boolean
      proration_details: { credited_items: null } | null
      subscription: string | null
      subscription_item: string
    }
    type: 'subscription_item_details'
  }
  period: { start: number; end: number }
  pretax_credit_amounts: []
  pricing: {
    price_details: { price: string; product: string }
    type: 'price_details'
    unit_amount_decimal: string
  }
  quantity: number
  subscription: string | null
  subtotal: number
  taxes: TotalTax[]
}
export type TotalTax = {
  amount: number
  tax_behavior: 'exclusive' | 'inclusive'
  tax_rate_details: { tax_rate: string }
  taxability_reason: 'standard_rated' | 'reverse_charge'
  taxable_amount: number
  type: 'tax_rate_details'
}

export type InvoiceStatus = 'draft' | 'open' | 'paid' | 'void' | 'uncollectible'
export type Invoice = Base<'invoice'> & {
  account_country: 'DE'
  account_name: string
  amount_due: number
  amount_overpaid: number
  amount_paid: number
  amount_remaining: number
  amount_shipping: 0
  attempt_count: number
  attempted: boolean
  auto_advance: boolean
  automatic_tax: { disabled_reason: null; enabled: boolean; liability: null; provider: null; status: string | null }
  automatically_finalizes_at: number | null
  billing_reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update' | 'manual' | 'upcoming'
  collection_method: 'charge_automatically'
  currency: string
  customer: string
  customer_address: Address | null
  customer_email: string | null
  customer_name: string | null
  customer_tax_exempt: Customer['tax_exempt']
  customer_tax_ids: { type: string; value: string }[]
  default_payment_method: string | null
  description: string | null
  discounts: []
  due_date: number | null
  effective_at: number | null
  ending_balance: number | null
  footer: null
  hosted_invoice_url: string | null
  invoice_pdf: string | null
  last_finalization_error: null
  lines: List<InvoiceLine>
  metadata: Metadata
  next_payment_attempt: number | null
  number: string | null
  parent: {
    quote_details: null
    subscription_details: { metadata: Metadata; subscription: string | null; subscription_proration_date?: number }
    type: 'subscription_details'
  }
  period_end: number
  period_start: number
  post_payment_credit_notes_amount: number
  pre_payment_credit_notes_amount: number
  receipt_number: string | null
  starting_balance: number
  status: InvoiceStatus
  status_transitions: {
    finalized_at: number | null
    marked_uncollectible_at: number | null
    paid_at: number | null
    voided_at: number | null
  }
  subtotal: number
  subtotal_excluding_tax: number
  total: number
  total_discount_amounts: []
  total_excluding_tax: number
  total_taxes: TotalTax[]
  webhooks_delivered_at: number | null
}

export type InvoicePayment = Base<'invoice_payment'> & {
  amount_paid: number | null
  amount_requested: number
  currency: string
  invoice: string
  is_default: boolean
  payment: { payment_intent: string; type: 'payment_intent' }
  status: 'open' | 'paid' | 'canceled'
  status_transitions: { canceled_at: number | null; paid_at: number | null }
}

export type CreditNote = Base<'credit_note'> & {
  amount: number
  currency: string
  customer: string
  customer_balance_transaction: string | null
  invoice: string
  memo: string | null
  metadata: Metadata
  number: string
  out_of_band_amount: number | null
  pdf: string
  post_payment_amount: number
  pre_payment_amount: number
  reason: string | null
  refunds: { amount_refunded: number; refund: string; type: 'refund' }[]
  status: 'issued' | 'void'
  subtotal: number
  total: number
  total_taxes: TotalTax[]
  type: 'pre_payment' | 'post_payment'
  voided_at: number | null
}

export type SubscriptionStatus =
  | 'incomplete'
  | 'incomplete_expired'
  | 'trialing'
  | 'active'
  | 'past_due'
  | 'unpaid'
  | 'paused'
  | 'canceled'
export type SubscriptionItem = {
  id: string
  object: 'subscription_item'
  billing_thresholds: null
  created: number
  current_period_end: number
  current_period_start: number
  discounts: []
  metadata: Metadata
  price: Price
  quantity: number
  subscription: string
  tax_rates: []
}
export type MissingMethod = 'cancel' | 'create_invoice' | 'pause'
export type Subscription = Base<'subscription'> & {
  automatic_tax: { disabled_reason: null; enabled: boolean; liability: null }
  billing_cycle_anchor: number
  billing_mode: { flexible: null; type: 'classic' }
  cancel_at: number | null
  cancel_at_period_end: boolean
  canceled_at: number | null
  cancellation_details: {
    comment: string | null
    feedback: string | null
    reason: 'cancellation_requested' | 'payment_failed' | null
  }
  collection_method: 'charge_automatically'
  currency: string
  customer: string
  days_until_due: null
  default_payment_method: string | null
  description: string | null
  discounts: []
  ended_at: number | null
  items: List<SubscriptionItem>
  latest_invoice: string | null
  metadata: Metadata
  pause_collection: null
  payment_settings: {
    payment_method_options: null
    payment_method_types: null
    save_default_payment_method: 'off' | 'on_subscription'
  }
  pending_setup_intent: string | null
  pending_update: null
  schedule: string | null
  start_date: number
  status: SubscriptionStatus
  test_clock: null
  trial_end: number | null
  trial_settings: { end_behavior: { missing_payment_method: MissingMethod } }
  trial_start: number | null
}

export type SchedulePhase = {
  start_date: number
  end_date: number
  items: { price: string; quantity: number; metadata: Metadata }[]
  currency: string
  metadata: Metadata
  proration_behavior: 'create_prorations' | 'always_invoice' | 'none'
  trial_end: number | null
  automatic_tax: { enabled: boolean }
}
export type Schedule = Base<'subscription_schedule'> & {
  default_settings: { default_payment_method: string | null }
  canceled_at: number | null
  completed_at: number | null
  current_phase: { start_date: number; end_date: number } | null
  customer: string
  end_behavior: 'release' | 'cancel'
  metadata: Metadata
  phases: SchedulePhase[]
  released_at: number | null
  released_subscription: string | null
  status: 'active' | 'canceled' | 'completed' | 'released'
  subscription: string | null
}

export type PaymentBehaviour = 'allow_incomplete' | 'error_if_incomplete' | 'default_incomplete'
export type ProrationBehaviour = 'create_prorations' | 'always_invoice' | 'none'
