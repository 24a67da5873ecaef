import type { Entitlement, Plan } from '@stoa/mail-model/plans.ts'
import { formatBytes, formatNumber } from '@stoa/ui/text/format.ts'
import { formatStorage } from './storage.ts'

type Remedy = { to: string; label: string }

export type Limit = {
  label: string
  used: number
  /** Null where there is nothing to be near to. */
  max: number | null
  text: string
  /** How to get below it. Sending has none: it starts again by itself. */
  remedy?: Remedy
}

const remedies = {
  domains: { to: '/domains', label: 'Review domains' },
  addresses: { to: '/addresses', label: 'Review addresses' },
  storage: { to: '/addresses?sort=used_bytes&direction=desc', label: 'Find large mailboxes' },
  keys: { to: '/api-keys', label: 'Review API keys' },
  webhooks: { to: '/webhooks', label: 'Review webhooks' },
  filters: { to: '/filters', label: 'Review filters' },
} as const satisfies Record<string, Remedy>

type Measured = Pick<Entitlement, 'limits' | 'usage'>

/** Usage beside the limits of a plan. */
export const limitsOf = ({ limits, usage }: Measured): readonly Limit[] => [
  limit('Domains', usage.domains, limits.domains, remedies.domains),
  limit('Addresses', usage.addresses, limits.addresses, remedies.addresses),
  limit(
    'Storage',
    usage.storage_bytes,
    limits.storage_bytes,
    remedies.storage,
    // Beside what was sold it is counted as it was sold, otherwise as everywhere
    limits.storage_bytes === null ? (bytes) => formatBytes(bytes) : formatStorage,
  ),
  limit('Recipients today', usage.emails_today, limits.emails_per_day),
  limit('Recipients this month', usage.emails_month, limits.emails_per_month),
  limit('API keys', usage.api_keys, limits.api_keys, remedies.keys),
  limit('Webhooks', usage.webhooks, limits.webhooks, remedies.webhooks),
  limit('Filters', usage.filters, limits.filters, remedies.filters),
  limit('Running transfers', usage.transfers_active, limits.transfers),
]

/** Usage above the limits of a plan. It stays, and cannot grow. */
export const overLimits = (measured: Measured): readonly Limit[] =>
  limitsOf(measured).filter(({ used, max, remedy }) => remedy !== undefined && max !== null && used > max)

const limit = (
  label: string,
  used: number,
  max: number | null,
  remedy?: Remedy,
  format = (value: number) => formatNumber(value),
): Limit => {
  const rest = remedy ? { remedy } : {}
  // A bar of nothing would be full before anything is used
  if (max === 0 && used === 0) return { label, used, max: null, text: 'Not included', ...rest }
  return { label, used, max, text: textOf(format(used), max === null || max === 0 ? max : format(max)), ...rest }
}

const textOf = (used: string, max: string | number | null): string => {
  if (max === null) return used
  return max === 0 ? `${used}, not included` : `${used} of ${max}`
}

/** True when the operator set no limits. */
export const isUnlimited = ({ limits }: Pick<Measured, 'limits'>): boolean =>
  Object.values(limits).every((max) => max === null)

const features: Readonly<Record<keyof Plan['features'], string>> = {
  sending_api: 'Sending API',
  webhooks: 'Webhooks',
  catch_all: 'Catch-all addresses',
  fallback_domain: 'Fallback domains',
  dns_publish: 'One-click DNS',
  tracking: 'Open and click tracking',
}

/** The features of a plan, the limits first. */
export const pointsOf = ({ limits, features: has }: Pick<Plan, 'limits' | 'features'>): readonly string[] => [
  amount(limits.domains, 'domain', 'domains'),
  amount(limits.addresses, 'address', 'addresses'),
  limits.storage_bytes === null ? 'Unlimited storage' : `${formatStorage(limits.storage_bytes)} storage`,
  limits.emails_per_month === null
    ? 'Unlimited sending'
    : `${formatNumber(limits.emails_per_month)} recipients a month`,
  ...featureNames.flatMap((name) => (has[name] ? [features[name]] : [])),
]

const featureNames = Object.keys(features).filter((name): name is keyof Plan['features'] => name in features)

const amount = (max: number | null, one: string, many: string): string =>
  max === null ? `Unlimited ${many}` : `${formatNumber(max)} ${max === 1 ? one : many}`

export type Comparison = { label: string; cells: readonly (string | boolean)[] }

/** Every line of a table that has a column for each plan. */
export const comparePlans = (plans: readonly Plan[]): readonly Comparison[] => {
  const line = (label: string, of: (limits: Plan['limits']) => number | null, format = formatNumber) => ({
    label,
    cells: plans.map(({ limits }) => {
      const max = of(limits)
      return max === null ? 'Unlimited' : max === 0 ? false : format(max)
    }),
  })
  return [
    line('Domains', (limits) => limits.domains),
    line('Addresses', (limits) => limits.addresses),
    line('Storage', (limits) => limits.storage_bytes, formatStorage),
    line('Aliases per address', (limits) => limits.aliases_per_address),
    line('Recipients a day', (limits) => limits.emails_per_day),
    line('Recipients a month', (limits) => limits.emails_per_month),
    line('API keys', (limits) => limits.api_keys),
    line('Webhooks', (limits) => limits.webhooks),
    line('Filters', (limits) => limits.filters),
    line('Transfers at once', (limits) => limits.transfers),
    // Webhooks have a line with their number already
    ...featureNames
      .filter((name) => name !== 'webhooks')
      .map((name) => ({ label: features[name], cells: plans.map((plan) => plan.features[name]) })),
  ]
}
