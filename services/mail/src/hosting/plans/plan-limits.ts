import type { LimitName, OwnLimits } from '@stoa/mail-model/plans.ts'

/** What a plan allows; null is no limit. */
export type PlanLimits = {
  readonly domains: number | null
  readonly addresses: number | null
  /** The total of all mailboxes of the account. */
  readonly storageBytes: number | null
  readonly aliasesPerAddress: number | null
  /** Recipients in a UTC day and in a calendar month. */
  readonly emailsPerDay: number | null
  readonly emailsPerMonth: number | null
  readonly apiKeys: number | null
  readonly webhooks: number | null
  readonly filters: number | null
  readonly transfers: number | null
}

export type PlanFeature = 'sending_api' | 'webhooks' | 'catch_all' | 'fallback_domain' | 'dns_publish' | 'tracking'

export type Plan = { readonly limits: PlanLimits; readonly features: ReadonlySet<PlanFeature> }

const GIB = 2 ** 30
const ALL_FEATURES: ReadonlySet<PlanFeature> = new Set([
  'sending_api',
  'webhooks',
  'catch_all',
  'fallback_domain',
  'dns_publish',
  'tracking',
])

export type PlanName = 'free' | 'starter' | 'pro' | 'business' | 'unlimited'

export const PLANS = {
  free: {
    limits: {
      domains: 1,
      addresses: 3,
      storageBytes: GIB,
      aliasesPerAddress: 3,
      emailsPerDay: 100,
      emailsPerMonth: 3_000,
      apiKeys: 1,
      webhooks: 0,
      filters: 5,
      transfers: 1,
    },
    features: new Set(['sending_api']),
  },
  starter: {
    limits: {
      domains: 3,
      addresses: 25,
      storageBytes: 25 * GIB,
      aliasesPerAddress: 20,
      emailsPerDay: 1_000,
      emailsPerMonth: 20_000,
      apiKeys: 5,
      webhooks: 3,
      filters: 50,
      transfers: 2,
    },
    features: new Set(['sending_api', 'webhooks', 'catch_all']),
  },
  pro: {
    limits: {
      domains: 20,
      addresses: 200,
      storageBytes: 200 * GIB,
      aliasesPerAddress: 100,
      emailsPerDay: 5_000,
      emailsPerMonth: 100_000,
      apiKeys: 25,
      webhooks: 10,
      filters: 200,
      transfers: 5,
    },
    features: ALL_FEATURES,
  },
  business: {
    limits: {
      domains: 100,
      addresses: 1_000,
      storageBytes: 1_024 * GIB,
      aliasesPerAddress: 100,
      emailsPerDay: 20_000,
      emailsPerMonth: 500_000,
      apiKeys: 100,
      webhooks: 25,
      filters: 1_000,
      transfers: 10,
    },
    features: ALL_FEATURES,
  },
  unlimited: {
    limits: {
      domains: null,
      addresses: null,
      storageBytes: null,
      aliasesPerAddress: null,
      emailsPerDay: null,
      emailsPerMonth: null,
      apiKeys: null,
      webhooks: null,
      filters: null,
      transfers: null,
    },
    features: ALL_FEATURES,
  },
} as const satisfies Record<PlanName, Plan>

/** The plan of an account; one that is not known any more has the smallest limits. */
export const planOf = (name: string): Plan => PLANS[planNameOf(name)]

export const planNameOf = (name: string): PlanName => (isPlanName(name) ? name : 'free')

/** What an account has: a plan, and limits that the owner of the instance set in place of the plan's. */
export type PlanHolder = { readonly plan: string; readonly limits: OwnLimits }

export const planOfAccount = ({ plan, limits }: PlanHolder): Plan => {
  const { features, limits: planned } = planOf(plan)
  const limitOf = (key: keyof PlanLimits): number | null => limits[LIMIT_NAMES[key]] ?? planned[key]
  return {
    features,
    limits: {
      domains: limitOf('domains'),
      addresses: limitOf('addresses'),
      storageBytes: limitOf('storageBytes'),
      aliasesPerAddress: limitOf('aliasesPerAddress'),
      emailsPerDay: limitOf('emailsPerDay'),
      emailsPerMonth: limitOf('emailsPerMonth'),
      apiKeys: limitOf('apiKeys'),
      webhooks: limitOf('webhooks'),
      filters: limitOf('filters'),
      transfers: limitOf('transfers'),
    },
  }
}

export const limitsOfAccount = (account: PlanHolder): PlanLimits => planOfAccount(account).limits

const LIMIT_NAMES = {
  domains: 'domains',
  addresses: 'addresses',
  storageBytes: 'storage_bytes',
  aliasesPerAddress: 'aliases_per_address',
  emailsPerDay: 'emails_per_day',
  emailsPerMonth: 'emails_per_month',
  apiKeys: 'api_keys',
  webhooks: 'webhooks',
  filters: 'filters',
  transfers: 'transfers',
} as const satisfies Record<keyof PlanLimits, LimitName>

const isPlanName = (name: string): name is PlanName => Object.hasOwn(PLANS, name)
