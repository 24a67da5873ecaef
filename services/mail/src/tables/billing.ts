import type { SubscriptionStatus } from '@stoa/mail-model/plans.ts'
import type { Generated } from 'kysely'

/** What customers subscribed to and paid, as the payment provider reports it. References are its ids. */
export type BillingTables = {
  billing_change: BillingChangeTable
  billing_customer: BillingCustomerTable
  checkout: CheckoutTable
  dunning_notice: DunningNoticeTable
  payment_event: PaymentEventTable
  payment_method: PaymentMethodTable
  payment_transaction: PaymentTransactionTable
  plan_price: PlanPriceTable
  referral_credit: ReferralCreditTable
  subscription: SubscriptionTable
  tax_id: TaxIdTable
}

export type BillingCustomerTable = {
  account_id: string
  reference: string
  balance_cents: Generated<number>
  sync_due_at: Date | null
  sync_claims: Generated<number>
  sync_attempts: Generated<number>
  sync_error: string | null
  readings: Generated<number>
  reading_written: Generated<number>
  synced_at: Date | null
  created_at: Date
}

/** The lock on what an account pays for, and the change whose outcome is unknown. */
export type BillingChangeTable = {
  account_id: string
  holder: string | null
  held_until: Date
  intent: string | null
  key: string | null
  tried_at: Date | null
}

export type SubscriptionTable = {
  id: string
  account_id: string
  plan: string
  status: SubscriptionStatus
  cancel_at_period_end: Generated<boolean>
  current_period_start: Date
  current_period_end: Date
  trial_end: Date | null
  cancelled_at: Date | null
  ended_at: Date | null
  created_at: Date
  reference: string | null
  pending_plan: string | null
  past_due_at: Date | null
  price_cents: Generated<number>
  currency: Generated<string>
}

export type PaymentMethodTable = {
  account_id: string
  id: string
  reference: string
  type: 'card' | 'sepa_debit' | 'paypal' | 'link'
  brand: string | null
  last4: string | null
  exp_month: number | null
  exp_year: number | null
  is_default: boolean
  created_at: Date
}

export type PaymentTransactionTable = {
  account_id: string
  id: string
  reference: string
  type: 'charge' | 'refund' | 'credit'
  status: 'pending' | 'paid' | 'failed' | 'refunded' | 'void'
  amount_cents: number
  tax_cents: number
  currency: string
  description: string | null
  number: string | null
  invoice_url: string | null
  period_start: Date | null
  period_end: Date | null
  created_at: Date
  settled_at: Date | null
}

export type CheckoutTable = {
  account_id: string
  id: string
  mode: 'subscription' | 'setup'
  plan: string | null
  success_url: string
  cancel_url: string
  reference: string | null
  url: string | null
  status: 'open' | 'complete' | 'expired'
  created_at: Date
  expires_at: Date
}

export type PaymentEventTable = {
  id: string
  type: string
  customer: string | null
  received_at: Date
}

export type PlanPriceTable = {
  plan: string
  reference: string
  price_cents: number
  currency: string
  interval: 'month' | 'year'
  trial_days: Generated<number>
  read_at: Date
}

export type DunningNoticeTable = {
  account_id: string
  clock_at: Date
  step: string
  sent_at: Date
}

export type ReferralCreditTable = {
  referred_id: string
  account_id: string
  amount_cents: number
  currency: string
  reference: string | null
  created_at: Date
  credited_at: Date | null
}

export type TaxIdTable = {
  account_id: string
  type: string
  value: string
  country: string | null
  status: 'pending' | 'verified' | 'unverified' | 'unavailable'
  reference: string | null
  updated_at: Date
}
