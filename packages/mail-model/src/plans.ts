import { z } from 'zod'
import { listOf, listQuery } from './list.ts'
import { reference } from './objects.ts'
import { moment } from './text.ts'

/** Null is no limit. */
const limit = z.int().nullable()

export const planLimits = z.object({
  domains: limit,
  addresses: limit,
  /** The total of all mailboxes of the account. */
  storage_bytes: limit,
  aliases_per_address: limit,
  /** Recipients in a UTC day and in a calendar month. */
  emails_per_day: limit,
  emails_per_month: limit,
  api_keys: limit,
  webhooks: limit,
  filters: limit,
  /** At the same time. */
  transfers: limit,
})

/** The name of a limit, in the API and in the database. */
export type LimitName = keyof z.infer<typeof planLimits>
/** What the owner of the instance set for one account in place of its plan's limits. */
export type OwnLimits = Partial<Record<LimitName, number>>

const planFeatures = z.object({
  sending_api: z.boolean(),
  webhooks: z.boolean(),
  catch_all: z.boolean(),
  fallback_domain: z.boolean(),
  dns_publish: z.boolean(),
  tracking: z.boolean(),
})

export const plan = z.object({
  object: z.literal('plan'),
  id: z.uuid(),
  slug: z.string(),
  name: z.string(),
  description: z.string(),
  position: z.int(),
  price_cents: z.int(),
  currency: z.string(),
  interval: z.enum(['month', 'year']),
  trial_days: z.int(),
  limits: planLimits,
  features: planFeatures,
})
export type Plan = z.infer<typeof plan>

/** Plans of a month and of a year are compared by this. */
export const monthlyCents = ({ cents, interval }: { cents: number; interval: Plan['interval'] }): number =>
  interval === 'year' ? Math.round(cents / 12) : cents

export const planList = listOf(plan)
export const planListQuery = listQuery({ sort: ['position'], direction: 'asc' })
export type PlanListRequest = z.output<typeof planListQuery>

export const subscriptionStatuses = [
  'incomplete',
  'trialing',
  'active',
  'past_due',
  'unpaid',
  'paused',
  'cancelled',
] as const
export type SubscriptionStatus = (typeof subscriptionStatuses)[number]

export const subscription = z.object({
  object: z.literal('subscription'),
  id: z.uuid(),
  plan_id: z.uuid(),
  status: z.enum(subscriptionStatuses),
  cancel_at_period_end: z.boolean(),
  current_period_start: moment,
  current_period_end: moment,
  trial_end: moment.nullable(),
  cancelled_at: moment.nullable(),
  ended_at: moment.nullable(),
  /** The plan from the end of the period on. */
  pending_plan_id: z.uuid().nullable(),
  /** Since when an invoice is due that was not paid. */
  past_due_at: moment.nullable(),
  created_at: moment,
})
export type Subscription = z.infer<typeof subscription>

export const subscriptionInput = z.object({ plan_id: reference, payment_method_id: reference.nullish() })
export type SubscriptionInput = z.output<typeof subscriptionInput>

export const usage = z.object({
  domains: z.int(),
  addresses: z.int(),
  storage_bytes: z.int(),
  emails_today: z.int(),
  emails_month: z.int(),
  api_keys: z.int(),
  webhooks: z.int(),
  filters: z.int(),
  transfers_active: z.int(),
})
export type Usage = z.infer<typeof usage>

/** What the account may do, and what it uses. */
export const entitlement = z.object({
  object: z.literal('entitlement'),
  plan,
  subscription: subscription.nullable(),
  limits: planLimits,
  features: planFeatures,
  usage,
  period_start: moment,
  period_end: moment,
})
export type Entitlement = z.infer<typeof entitlement>
