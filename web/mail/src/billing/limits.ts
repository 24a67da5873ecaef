import type { Entitlement, Plan } from '@stoa/mail-model/plans.ts'
import { formatBytes, formatNumber } from '@stoa/ui/format.ts'

export type Limit = { label: string; used: number; max: number | null; text: string }

/** What the account uses, beside what it may. */
export const limitsOf = ({ limits, usage }: Pick<Entitlement, 'limits' | 'usage'>): readonly Limit[] => [
  limit('Domains', usage.domains, limits.domains),
  limit('Addresses', usage.addresses, limits.addresses),
  limit('Storage', usage.storage_bytes, limits.storage_bytes, formatBytes),
  limit('Recipients today', usage.emails_today, limits.emails_per_day),
  limit('Recipients this month', usage.emails_month, limits.emails_per_month),
  limit('API keys', usage.api_keys, limits.api_keys),
  limit('Webhooks', usage.webhooks, limits.webhooks),
  limit('Filters', usage.filters, limits.filters),
  limit('Transfers at once', usage.transfers_active, limits.transfers),
]

const limit = (
  label: string,
  used: number,
  max: number | null,
  format = (value: number) => formatNumber(value),
): Limit => {
  // A bar of nothing would be full before anything is used
  if (max === 0 && used === 0) return { label, used, max: null, text: 'Not included' }
  return { label, used, max, text: max === null ? `${format(used)}, no limit` : `${format(used)} of ${format(max)}` }
}

const FEATURES: Readonly<Record<keyof Plan['features'], string>> = {
  sending_api: 'Sending API',
  webhooks: 'Webhooks',
  catch_all: 'Catch-all addresses',
  fallback_domain: 'Fallback domains',
  dns_publish: 'One-click DNS',
  tracking: 'Open and click tracking',
}

/** What sets a plan apart, in words, the limits first. */
export const pointsOf = ({ limits, features }: Pick<Plan, 'limits' | 'features'>): readonly string[] => [
  amount(limits.domains, 'domain', 'domains'),
  amount(limits.addresses, 'address', 'addresses'),
  limits.storage_bytes === null ? 'Storage without limit' : `${formatBytes(limits.storage_bytes)} of storage`,
  limits.emails_per_month === null
    ? 'Sending without limit'
    : `${formatNumber(limits.emails_per_month)} recipients a month`,
  ...Object.entries(FEATURES).flatMap(([name, label]) => (Reflect.get(features, name) === true ? [label] : [])),
]

const amount = (max: number | null, one: string, many: string): string =>
  max === null
    ? `${many.charAt(0).toUpperCase()}${many.slice(1)} without limit`
    : `${formatNumber(max)} ${max === 1 ? one : many}`
