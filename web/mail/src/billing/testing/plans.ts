import type { Entitlement, Plan, Subscription } from '@stoa/mail-model/plans.ts'

const limits = {
  domains: null,
  addresses: null,
  storage_bytes: null,
  aliases_per_address: null,
  emails_per_day: null,
  emails_per_month: null,
  api_keys: null,
  webhooks: null,
  filters: null,
  transfers: null,
}
const features = {
  sending_api: true,
  webhooks: true,
  catch_all: true,
  fallback_domain: true,
  dns_publish: true,
  tracking: true,
}

export const planLike = (members: Partial<Plan>): Plan => ({
  object: 'plan',
  id: members.slug ?? 'pro',
  slug: 'pro',
  name: 'Pro',
  description: '',
  position: 0,
  price_cents: 1_500,
  currency: 'eur',
  interval: 'month',
  trial_days: 0,
  limits,
  features,
  ...members,
})

export const subscriptionLike = (members: Partial<Subscription>): Subscription => ({
  object: 'subscription',
  id: 'subscription',
  plan_id: 'pro',
  status: 'active',
  cancel_at_period_end: false,
  current_period_start: '2026-03-01T00:00:00.000Z',
  current_period_end: '2026-04-01T00:00:00.000Z',
  trial_end: null,
  cancelled_at: null,
  ended_at: null,
  pending_plan_id: null,
  past_due_at: null,
  created_at: '2026-03-01T00:00:00.000Z',
  ...members,
})

export const entitlementLike = (plan: Plan, subscription: Subscription | null): Entitlement => ({
  object: 'entitlement',
  plan,
  subscription,
  limits: plan.limits,
  features: plan.features,
  usage: {
    domains: 0,
    addresses: 0,
    storage_bytes: 0,
    emails_today: 0,
    emails_month: 0,
    api_keys: 0,
    webhooks: 0,
    filters: 0,
    transfers_active: 0,
  },
  period_start: '2026-03-01T00:00:00.000Z',
  period_end: '2026-04-01T00:00:00.000Z',
})
