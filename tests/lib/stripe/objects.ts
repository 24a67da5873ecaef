import type { CreditNote, Invoice, InvoicePayment, Schedule, Subscription } from './billing-objects.ts'

/** Stripe's objects as far as the fake has them; references are ids, `expand` puts objects in their place. */

export type * from './billing-objects.ts'

export type Metadata = Record<string, string>
export type List<T> = { object: 'list'; data: T[]; has_more: boolean; url: string }
export type Address = {
  city: string | null
  country: string | null
  line1: string | null
  line2: string | null
  postal_code: string | null
  state: string | null
}
export type Base<Name extends string> = { id: string; object: Name; created: number; livemode: false }

export type Customer = Base<'customer'> & {
  address: Address | null
  balance: number
  currency: string | null
  default_source: null
  delinquent: boolean
  description: string | null
  discount: null
  email: string | null
  invoice_prefix: string
  invoice_settings: {
    custom_fields: null
    default_payment_method: string | null
    footer: null
    rendering_options: null
  }
  metadata: Metadata
  name: string | null
  next_invoice_sequence: number
  phone: string | null
  preferred_locales: string[]
  shipping: null
  tax_exempt: 'none' | 'exempt' | 'reverse'
  test_clock: null
}
export type DeletedCustomer = { id: string; object: 'customer'; deleted: true }

export type BalanceTransaction = Base<'customer_balance_transaction'> & {
  amount: number
  checkout_session: null
  credit_note: string | null
  currency: string
  customer: string
  description: string | null
  ending_balance: number
  invoice: string | null
  metadata: Metadata
  type: 'adjustment' | 'applied_to_invoice' | 'unapplied_from_invoice' | 'credit_note' | 'initial'
}

export type TaxIdStatus = 'pending' | 'verified' | 'unverified' | 'unavailable'
export type TaxId = Base<'tax_id'> & {
  country: string | null
  customer: string
  owner: { type: 'customer'; customer: string }
  type: string
  value: string
  verification: { status: TaxIdStatus; verified_address: string | null; verified_name: string | null }
}

export type Product = Base<'product'> & {
  active: boolean
  default_price: string | null
  description: string | null
  images: string[]
  marketing_features: []
  metadata: Metadata
  name: string
  package_dimensions: null
  shippable: null
  statement_descriptor: null
  tax_code: string | null
  tax_details: null
  type: 'service'
  unit_label: null
  updated: number
  url: null
}

export type Interval = 'day' | 'week' | 'month' | 'year'
export type Recurring = {
  interval: Interval
  interval_count: number
  meter: null
  trial_period_days: null
  usage_type: 'licensed'
}
export type Price = Base<'price'> & {
  active: boolean
  billing_scheme: 'per_unit'
  currency: string
  custom_unit_amount: null
  lookup_key: string | null
  metadata: Metadata
  nickname: string | null
  product: string
  recurring: Recurring | null
  tax_behavior: 'exclusive' | 'inclusive' | 'unspecified'
  tiers_mode: null
  transform_quantity: null
  type: 'recurring' | 'one_time'
  unit_amount: number
  unit_amount_decimal: string
}

export type PaymentMethod = Base<'payment_method'> & {
  allow_redisplay: 'always' | 'limited' | 'unspecified'
  billing_details: {
    address: Address | null
    email: string | null
    name: string | null
    phone: string | null
    tax_id: null
  }
  customer: string | null
  metadata: Metadata
  type: 'card' | 'sepa_debit'
  card?: CardDetails
  sepa_debit?: {
    bank_code: string
    branch_code: string
    country: string
    fingerprint: string
    generated_from: null
    last4: string
  }
}
export type CardDetails = {
  brand: string
  checks: { address_line1_check: null; address_postal_code_check: null; cvc_check: 'pass' }
  country: string
  display_brand: string
  exp_month: number
  exp_year: number
  fingerprint: string
  funding: 'credit'
  generated_from: null
  last4: string
  networks: { available: string[]; preferred: null }
  regulated_status: 'unregulated'
  three_d_secure_usage: { supported: boolean }
  wallet: null
}

export type SetupIntent = Base<'setup_intent'> & {
  client_secret: string
  customer: string | null
  description: string | null
  last_setup_error: unknown
  latest_attempt: null
  mandate: null
  metadata: Metadata
  next_action: unknown
  payment_method: string | null
  payment_method_types: string[]
  status: 'requires_payment_method' | 'requires_confirmation' | 'requires_action' | 'succeeded' | 'canceled'
  usage: 'off_session' | 'on_session'
}

export type PaymentIntent = Base<'payment_intent'> & {
  amount: number
  amount_capturable: number
  amount_received: number
  canceled_at: number | null
  capture_method: 'automatic'
  client_secret: string
  confirmation_method: 'automatic'
  currency: string
  customer: string
  description: string | null
  last_payment_error: unknown
  latest_charge: string | null
  metadata: Metadata
  next_action: unknown
  payment_method: string | null
  payment_method_types: string[]
  setup_future_usage: 'off_session' | null
  status: 'requires_payment_method' | 'requires_action' | 'processing' | 'succeeded' | 'canceled'
}

export type Charge = Base<'charge'> & {
  amount: number
  amount_captured: number
  amount_refunded: number
  balance_transaction: string | null
  billing_details: PaymentMethod['billing_details']
  captured: boolean
  currency: string
  customer: string
  description: string | null
  disputed: boolean
  failure_code: string | null
  failure_message: string | null
  metadata: Metadata
  outcome: unknown
  paid: boolean
  payment_intent: string
  payment_method: string
  payment_method_details: unknown
  receipt_url: string | null
  refunded: boolean
  status: 'succeeded' | 'pending' | 'failed'
}

export type Refund = Base<'refund'> & {
  amount: number
  balance_transaction: string
  charge: string
  currency: string
  customer: string
  metadata: Metadata
  payment_intent: string
  payment_method: string
  reason: string | null
  receipt_number: null
  status: 'succeeded'
}

export type Dispute = Base<'dispute'> & {
  amount: number
  charge: string
  currency: string
  payment_intent: string
  reason: 'fraudulent'
  status: 'needs_response' | 'won' | 'lost'
}

export type Session = Base<'checkout.session'> & {
  amount_subtotal: number | null
  amount_total: number | null
  automatic_tax: { enabled: boolean; liability: null; status: string | null }
  cancel_url: string | null
  client_reference_id: string | null
  currency: string | null
  customer: string | null
  customer_details: { email: string | null; name: string | null; address: Address | null } | null
  customer_email: string | null
  expires_at: number
  invoice: string | null
  metadata: Metadata
  mode: 'subscription' | 'setup'
  payment_intent: null
  payment_method_types: string[]
  payment_status: 'paid' | 'unpaid' | 'no_payment_required'
  setup_intent: string | null
  status: 'open' | 'complete' | 'expired'
  subscription: string | null
  success_url: string
  tax_id_collection: { enabled: boolean; required: 'never' }
  ui_mode: 'hosted_page'
  url: string | null
}

export type StripeEvent = {
  id: string
  object: 'event'
  api_version: string
  created: number
  data: { object: Record<string, unknown>; previous_attributes?: Record<string, unknown> }
  livemode: false
  pending_webhooks: number
  request: { id: string | null; idempotency_key: string | null }
  type: string
}

export type StripeObject =
  | BalanceTransaction
  | Charge
  | CreditNote
  | Customer
  | Dispute
  | Invoice
  | InvoicePayment
  | PaymentIntent
  | PaymentMethod
  | Price
  | Product
  | Refund
  | Schedule
  | Session
  | SetupIntent
  | Subscription
  | TaxId
