import { z } from 'zod'
import { user } from './accounts.ts'
import { activity } from './activity.ts'
import { domain } from './domains.ts'
import { emailStatuses } from './emails.ts'
import { entitlement } from './plans.ts'

const ALERT_CODES = [
  'account_suspended',
  'email_unverified',
  'domain_unverified',
  'domain_failing',
  'storage_nearly_full',
  'storage_full',
  'sending_nearly_used_up',
  'payment_failed',
  'sending_stopped',
  'limits_lowered',
  'trial_ends',
  'over_limit',
] as const

/** Something that wants attention. */
export const alert = z.object({
  code: z.enum(ALERT_CODES),
  severity: z.enum(['info', 'warning', 'error']),
  message: z.string(),
  /** A screen of the panel. */
  href: z.string(),
})
export type Alert = z.infer<typeof alert>

export const ONBOARDING_STEPS = [
  'verify_email',
  'add_domain',
  'verify_domain',
  'create_address',
  'receive_mail',
] as const

/** Everything that the Overview screen renders. */
export const overview = z.object({
  object: z.literal('overview'),
  user,
  entitlement,
  counts: z.object({
    domains: z.int(),
    domains_verified: z.int(),
    addresses: z.int(),
    filters: z.int(),
    transfers_active: z.int(),
    webhooks: z.int(),
    api_keys: z.int(),
    suppressions: z.int(),
  }),
  storage: z.object({ used_bytes: z.int(), limit_bytes: z.int().nullable() }),
  sending: z.object({
    today: z.int(),
    month: z.int(),
    daily_limit: z.int().nullable(),
    monthly_limit: z.int().nullable(),
    /** Recipients of the last 30 days by status. */
    by_status: z.partialRecord(z.enum(emailStatuses), z.int()),
  }),
  /** The last 30 days in UTC, oldest first. */
  series: z.array(z.object({ date: z.iso.date(), received: z.int(), sent: z.int(), rejected: z.int() })),
  /** The newest five. */
  domains: z.array(domain),
  /** The newest ten lines of all addresses, and of mail sent with an API key. */
  recent_activity: z.array(activity),
  alerts: z.array(alert),
  onboarding: z.array(z.object({ step: z.enum(ONBOARDING_STEPS), done: z.boolean() })),
})
export type Overview = z.infer<typeof overview>
