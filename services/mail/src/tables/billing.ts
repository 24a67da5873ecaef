import type { SubscriptionStatus } from '@stoa/mail-model/plans.ts'
import type { Generated } from 'kysely'

/** What customers subscribed to, and what their invoices say. */
export type BillingTables = {
  subscription: SubscriptionTable
  tax_id: TaxIdTable
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
}

export type TaxIdTable = {
  account_id: string
  type: string
  value: string
  country: string | null
  status: 'pending' | 'verified' | 'unverified' | 'unavailable'
  updated_at: Date
}
