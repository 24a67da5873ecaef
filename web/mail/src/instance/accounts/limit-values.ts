import type { InstanceAccount } from '@stoa/mail-model/instance-accounts.ts'
import type { LimitName, OwnLimits } from '@stoa/mail-model/plans.ts'
import { type QuotaText, quotaText, readQuota } from '../../addresses/quota.ts'

/** All limits but storage, which has a unit. */
export const COUNTS = {
  domains: 'Domains',
  addresses: 'Addresses',
  aliases_per_address: 'Aliases per address',
  emails_per_day: 'Recipients a day',
  emails_per_month: 'Recipients a month',
  api_keys: 'API keys',
  webhooks: 'Webhooks',
  filters: 'Filters',
  transfers: 'Transfers at once',
} as const satisfies Record<Exclude<LimitName, 'storage_bytes'>, string>

export type CountName = keyof typeof COUNTS
export const countNames = Object.keys(COUNTS).filter((name): name is CountName => name in COUNTS)

/** Limits as they are typed; an empty one follows the plan. */
export type LimitValues = Record<CountName, string> & { storage_bytes: QuotaText }

export const limitValues = ({ limit_overrides: own }: Pick<InstanceAccount, 'limit_overrides'>): LimitValues => {
  const textOf = (name: CountName): string => (own[name] == null ? '' : String(own[name]))
  return {
    domains: textOf('domains'),
    addresses: textOf('addresses'),
    aliases_per_address: textOf('aliases_per_address'),
    emails_per_day: textOf('emails_per_day'),
    emails_per_month: textOf('emails_per_month'),
    api_keys: textOf('api_keys'),
    webhooks: textOf('webhooks'),
    filters: textOf('filters'),
    transfers: textOf('transfers'),
    storage_bytes: quotaText(own.storage_bytes ?? null),
  }
}

export const limitProblems = (values: LimitValues): Partial<Record<LimitName, string>> => ({
  ...Object.fromEntries(
    countNames.flatMap((name) =>
      /^\d{0,12}$/.test(values[name].trim()) ? [] : [[name, 'Enter a whole number, or leave it empty.']],
    ),
  ),
  ...(readQuota(values.storage_bytes) === undefined && { storage_bytes: 'Enter a number, or leave it empty.' }),
})

/** The request body: null means the plan's limit. */
export const limitsBody = (values: LimitValues): Record<LimitName, number | null> => {
  const count = (name: CountName): number | null => (values[name].trim() === '' ? null : Number(values[name]))
  return {
    domains: count('domains'),
    addresses: count('addresses'),
    aliases_per_address: count('aliases_per_address'),
    emails_per_day: count('emails_per_day'),
    emails_per_month: count('emails_per_month'),
    api_keys: count('api_keys'),
    webhooks: count('webhooks'),
    filters: count('filters'),
    transfers: count('transfers'),
    storage_bytes: readQuota(values.storage_bytes) ?? null,
  }
}

/** The plan's own limit, where the account has none of its own. */
export const placeholderOf = (limits: InstanceAccount['limits'], own: OwnLimits, name: LimitName): string => {
  if (own[name] !== undefined) return "Plan's limit"
  return limits[name] === null ? 'No limit' : String(limits[name])
}
