import type { Plan as PlanJson } from '@stoa/mail-model/plans.ts'
import type { Config } from '../../config.ts'
import { PLANS, type Plan, type PlanFeature, type PlanName, planNameOf } from './plan-limits.ts'

/** What customers are shown of a plan besides what it allows. */
type Offer = { id: string; name: string; description: string; position: number; priceCents: number }

/** The currency of our own amounts. */
const CURRENCY = 'eur'

/** What a plan costs. The reference is the payment provider's; null: it is not sold through one. */
export type Price = {
  reference: string | null
  cents: number
  currency: string
  interval: 'month' | 'year'
  trialDays: number
}

/** The payment provider's prices of plans; our own amounts count for those that it does not have. */
export type PlanPrices = { get(plan: string): Price | undefined }

declare module '../../context.ts' {
  interface Ports {
    readonly prices: PlanPrices
  }
}

/** A plan as the payment provider is to sell it. */
export type PriceOffer = { plan: string; name: string; amountCents: number; currency: string }

/** Ids never change: subscriptions and links name them. */
const OFFERS: Readonly<Record<PlanName, Offer>> = {
  free: {
    id: '019b1c00-0000-7000-8000-000000000001',
    name: 'Free',
    description: 'One domain, to get started.',
    position: 0,
    priceCents: 0,
  },
  starter: {
    id: '019b1c00-0000-7000-8000-000000000002',
    name: 'Starter',
    description: 'For personal and family domains.',
    position: 1,
    priceCents: 500,
  },
  pro: {
    id: '019b1c00-0000-7000-8000-000000000003',
    name: 'Pro',
    description: 'For companies, with all features.',
    position: 2,
    priceCents: 1_500,
  },
  business: {
    id: '019b1c00-0000-7000-8000-000000000004',
    name: 'Business',
    description: 'For many domains and high volume.',
    position: 3,
    priceCents: 4_900,
  },
  unlimited: {
    id: '019b1c00-0000-7000-8000-000000000005',
    name: 'Unlimited',
    description: 'No limits.',
    position: 4,
    priceCents: 0,
  },
}

type Billing = Config['billing']

const FOR_SALE: readonly PlanName[] = ['free', 'starter', 'pro', 'business']
const ALL_PLANS: readonly PlanName[] = [...FOR_SALE, 'unlimited']

/** Plans that nobody pays for. */
export const UNPAID_PLANS: readonly string[] = Object.entries(OFFERS)
  .filter(([, { priceCents }]) => priceCents === 0)
  .map(([name]) => name)

/** The plans that customers see, in order. */
export const visiblePlans = (billing: Billing): readonly PlanName[] => (billing === 'on' ? FOR_SALE : ['unlimited'])

/** The plan of an account that has subscribed to none. The operator of the instance has no limits. */
export const startingPlan = ({ billing, role }: { billing: Billing; role: 'owner' | 'member' }): PlanName =>
  billing === 'on' && role !== 'owner' ? 'free' : 'unlimited'

/** The public id of a plan by its name; one that is not known any more counts as the smallest. */
export const planIdOf = (name: string): string => OFFERS[planNameOf(name)].id

/** The plan of a public id among those that customers see. */
export const findVisiblePlan = (billing: Billing, id: string): PlanName | undefined =>
  visiblePlans(billing).find((name) => OFFERS[name].id === id.toLowerCase())

/** The plan of a public id, also one that customers do not see. */
export const findPlan = (id: string): PlanName | undefined =>
  ALL_PLANS.find((name) => OFFERS[name].id === id.toLowerCase())

/** What the payment provider sells. */
export const PRICE_OFFERS: readonly PriceOffer[] = FOR_SALE.filter((plan) => OFFERS[plan].priceCents > 0).map(
  (plan) => ({ plan, name: OFFERS[plan].name, amountCents: OFFERS[plan].priceCents, currency: CURRENCY }),
)

/** A plan that we give away has no price at the provider. */
export const priceOf = (prices: PlanPrices, plan: PlanName): Price => {
  const { priceCents: cents } = OFFERS[plan]
  const own: Price = { reference: null, cents, currency: currencyOf(prices), interval: 'month', trialDays: 0 }
  return cents === 0 ? own : (prices.get(plan) ?? own)
}

/** The currency of the plans on sale. */
export const currencyOf = (prices: PlanPrices): string =>
  PRICE_OFFERS.map(({ plan }) => prices.get(plan)?.currency).find((currency) => currency !== undefined) ?? CURRENCY

export const planJson = (prices: PlanPrices, given: string): PlanJson => {
  const slug = planNameOf(given)
  const { id, name, description, position } = OFFERS[slug]
  const price = priceOf(prices, slug)
  return {
    object: 'plan',
    id,
    slug,
    name,
    description,
    position,
    price_cents: price.cents,
    currency: price.currency,
    interval: price.interval,
    trial_days: price.trialDays,
    limits: limitsJson(PLANS[slug]),
    features: featuresJson(PLANS[slug]),
  }
}

export const limitsJson = ({ limits }: Plan): PlanJson['limits'] => ({
  domains: limits.domains,
  addresses: limits.addresses,
  storage_bytes: limits.storageBytes,
  aliases_per_address: limits.aliasesPerAddress,
  emails_per_day: limits.emailsPerDay,
  emails_per_month: limits.emailsPerMonth,
  api_keys: limits.apiKeys,
  webhooks: limits.webhooks,
  filters: limits.filters,
  transfers: limits.transfers,
})

export const featuresJson = ({ features }: Plan): PlanJson['features'] => {
  const has = (feature: PlanFeature): boolean => features.has(feature)
  return {
    sending_api: has('sending_api'),
    webhooks: has('webhooks'),
    catch_all: has('catch_all'),
    fallback_domain: has('fallback_domain'),
    dns_publish: has('dns_publish'),
    tracking: has('tracking'),
  }
}
