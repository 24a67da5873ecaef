import { z } from 'zod'
import { listOf, listQuery } from './list.ts'
import { deletedOf, reference } from './objects.ts'
import { subscription } from './plans.ts'
import { line, moment } from './text.ts'

export const billingProvider = z.object({
  object: z.literal('billing_provider'),
  provider: z.literal('stripe').nullable(),
  configured: z.boolean(),
  publishable_key: z.string().nullable(),
  currency: z.string(),
})
export type BillingProvider = z.infer<typeof billingProvider>

export const checkoutSession = z.object({
  object: z.literal('checkout_session'),
  id: z.uuid(),
  mode: z.enum(['subscription', 'setup']),
  url: z.string(),
  expires_at: moment,
})
export type CheckoutSession = z.infer<typeof checkoutSession>

const MAX_URL = 2_000
const returnUrls = { success_url: line({ max: MAX_URL }).nullish(), cancel_url: line({ max: MAX_URL }).nullish() }
export const subscriptionCheckoutInput = z.object({ plan_id: reference, ...returnUrls })
export type SubscriptionCheckoutInput = z.output<typeof subscriptionCheckoutInput>
export const setupCheckoutInput = z.object(returnUrls)
export type SetupCheckoutInput = z.output<typeof setupCheckoutInput>

export const paymentMethod = z.object({
  object: z.literal('payment_method'),
  id: z.uuid(),
  type: z.enum(['card', 'sepa_debit', 'paypal', 'link']),
  brand: z.string().nullable(),
  last4: z.string().nullable(),
  exp_month: z.int().nullable(),
  exp_year: z.int().nullable(),
  is_default: z.boolean(),
  created_at: moment,
})
export type PaymentMethod = z.infer<typeof paymentMethod>
export const paymentMethodList = listOf(paymentMethod)
export const paymentMethodListQuery = listQuery({ sort: ['created_at'], direction: 'desc' })
export type PaymentMethodListRequest = z.output<typeof paymentMethodListQuery>
export const paymentMethodDeleted = deletedOf('payment_method')
/** One of them. */
export const paymentMethodInput = z.object({
  reference: line({ min: 1, max: 255 }).nullish(),
  checkout_session_id: reference.nullish(),
})
export type PaymentMethodInput = z.output<typeof paymentMethodInput>

export const transaction = z.object({
  object: z.literal('transaction'),
  id: z.uuid(),
  type: z.enum(['charge', 'refund', 'credit']),
  status: z.enum(['pending', 'paid', 'failed', 'refunded', 'void']),
  amount_cents: z.int(),
  tax_cents: z.int(),
  currency: z.string(),
  description: z.string().nullable(),
  number: z.string().nullable(),
  invoice_url: z.string().nullable(),
  period_start: moment.nullable(),
  period_end: moment.nullable(),
  created_at: moment,
  settled_at: moment.nullable(),
})
export type Transaction = z.infer<typeof transaction>
export const transactionList = listOf(transaction)
export const transactionListQuery = listQuery({ sort: ['created_at', 'amount_cents', 'status'], direction: 'desc' })
export type TransactionListRequest = z.output<typeof transactionListQuery>

export const billingPreviewInput = z.object({ plan_id: reference })
/** What a change of the plan would cost. */
export const billingPreview = z.object({
  object: z.literal('billing_preview'),
  plan_id: z.uuid(),
  due_now_cents: z.int(),
  currency: z.string(),
  next_cents: z.int(),
  next_at: moment,
})
export type BillingPreview = z.infer<typeof billingPreview>

/** A subscription as the owner of the instance sees it. */
export const instanceSubscription = subscription.extend({
  account_id: z.uuid(),
  email: z.string(),
  price_cents: z.int(),
  currency: z.string(),
})
/** With what all running ones bring in a month. */
export const instanceSubscriptionList = listOf(instanceSubscription).extend({
  totals: z.object({
    active: z.int(),
    past_due: z.int(),
    monthly_cents: z.int(),
    currency: z.string(),
  }),
})
export type InstanceSubscriptionList = z.infer<typeof instanceSubscriptionList>
export const instanceSubscriptionListQuery = listQuery({ sort: ['created_at', 'status', 'email'], direction: 'desc' })
export type InstanceSubscriptionListRequest = z.output<typeof instanceSubscriptionListQuery>

export const taxIdTypes = ['eu_vat', 'gb_vat', 'ch_vat', 'no_vat', 'us_ein', 'au_abn', 'ca_bn', 'in_gst'] as const
export type TaxIdType = (typeof taxIdTypes)[number]

export const taxId = z.object({
  object: z.literal('tax_id'),
  type: z.string().nullable(),
  value: z.string().nullable(),
  country: z.string().nullable(),
  status: z.enum(['pending', 'verified', 'unverified', 'unavailable']).nullable(),
})
export type TaxId = z.infer<typeof taxId>

export const taxIdInput = z.object({
  /** Null removes it. */
  value: line({ min: 1, max: 64 }).nullable(),
  type: z.enum(taxIdTypes, { error: `must be one of ${taxIdTypes.join(', ')}` }).nullish(),
  country: z
    .string({ error: 'must be text' })
    .trim()
    .regex(/^[A-Za-z]{2}$/, { error: 'must be a country code of two letters' })
    .transform((code) => code.toUpperCase())
    .nullish(),
})
export type TaxIdInput = z.output<typeof taxIdInput>

export const paymentsReceived = z.object({ received: z.literal(true) })
