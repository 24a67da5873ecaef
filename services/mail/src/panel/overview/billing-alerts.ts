import type { Alert } from '@stoa/mail-model/overview.ts'
import type { Entitlement } from '@stoa/mail-model/plans.ts'
import { daysAfter, limitsLoweredAt, sendingStopsAt } from '../../hosting/plans/plans.ts'
import { dayOf } from '../../hosting/system-mail/system-mail.ts'

export type BillingFacts = {
  entitlement: Pick<Entitlement, 'plan' | 'subscription' | 'limits' | 'usage'>
  pastDueAt: Date | null
  now: Date
}

const TRIAL_DAYS = 7

export const billingAlerts = (facts: BillingFacts): Alert[] => [
  ...unpaidAlerts(facts),
  ...trialAlerts(facts),
  ...overLimitAlerts(facts),
]

const alert = (code: Alert['code'], severity: Alert['severity'], message: string): Alert => ({
  code,
  severity,
  message,
  href: '/billing',
})

const unpaidAlerts = ({ entitlement, pastDueAt, now }: BillingFacts): Alert[] => {
  if (pastDueAt === null || entitlement.plan.slug === 'unlimited') return []
  const stopsAt = sendingStopsAt(pastDueAt)
  if (limitsLoweredAt(pastDueAt) <= now) return [LIMITS_LOWERED]
  if (stopsAt <= now) return [SENDING_STOPPED]
  return [
    alert(
      'payment_failed',
      'warning',
      `Your last payment failed. Pay by ${dayOf(stopsAt)}, or your account stops sending.`,
    ),
  ]
}

const SENDING_STOPPED = alert(
  'sending_stopped',
  'error',
  "Your account can't send mail because an invoice is unpaid. Pay it to send again.",
)

const LIMITS_LOWERED = alert(
  'limits_lowered',
  'error',
  "An invoice is unpaid, so your account can't send mail and has the limits of the free plan. Pay it to get your plan back.",
)

const trialAlerts = ({ entitlement: { subscription }, now }: BillingFacts): Alert[] => {
  if (subscription?.status !== 'trialing' || subscription.trial_end === null || subscription.cancel_at_period_end)
    return []
  const endsAt = new Date(subscription.trial_end)
  if (endsAt <= now || daysAfter(endsAt, -TRIAL_DAYS) > now) return []
  return [alert('trial_ends', 'info', `Your trial ends on ${dayOf(endsAt)}. You'll be charged from then on.`)]
}

/** After a downgrade nothing is removed, but what is over cannot grow. Storage has alerts of its own. */
const overLimitAlerts = ({ entitlement: { usage, limits } }: BillingFacts): Alert[] => {
  const over = (
    [
      ['domains', usage.domains, limits.domains],
      ['addresses', usage.addresses, limits.addresses],
      ['API keys', usage.api_keys, limits.api_keys],
      ['webhooks', usage.webhooks, limits.webhooks],
      ['filters', usage.filters, limits.filters],
    ] as const
  ).flatMap(([what, used, limit]) => (limit !== null && used > limit ? [`${used} ${what} (limit ${limit})`] : []))
  if (over.length === 0) return []
  const message = `You use more than your plan allows: ${over.join(', ')}. Everything keeps working, but you can't add more. Upgrade, or delete what you don't need.`
  return [alert('over_limit', 'warning', message)]
}
