import type { Domain } from '@stoa/mail-model/domains.ts'
import type { Alert, Overview } from '@stoa/mail-model/overview.ts'
import { type BillingFacts, billingAlerts } from './billing-alerts.ts'

/** From here on a limit is worth a word. */
const NEARLY = 0.9

export type AlertFacts = Pick<Overview, 'storage' | 'sending'> & {
  billing: BillingFacts
  suspension: { reason: string | null } | null
  isEmailVerified: boolean
  domains: readonly Pick<Domain, 'id' | 'name' | 'status' | 'verified_at'>[]
}

/** What wants attention, the worst first. */
export const alertsOf = (facts: AlertFacts): Alert[] => {
  const { suspension, isEmailVerified, storage, sending, domains, billing } = facts
  const alerts: Alert[] = [
    ...(suspension ? [suspendedAlert(suspension)] : []),
    ...billingAlerts(billing),
    ...storageAlerts(storage),
    ...sendingAlerts(sending),
    ...domains.flatMap(domainAlerts),
    ...(isEmailVerified ? [] : [UNVERIFIED]),
  ]
  return alerts.sort((a, b) => SEVERITY[a.severity] - SEVERITY[b.severity])
}

const SEVERITY = { error: 0, warning: 1, info: 2 } as const

const suspendedAlert = ({ reason }: { reason: string | null }): Alert => ({
  code: 'account_suspended',
  severity: 'error',
  message: `This account is suspended. You can receive mail, but not send it.${reason === null ? '' : ` Reason: ${reason}`}`,
  href: '/account',
})

const UNVERIFIED: Alert = {
  code: 'email_unverified',
  severity: 'info',
  message: 'Confirm your email address with the link we sent you.',
  href: '/account',
}

const storageAlerts = ({ used_bytes, limit_bytes }: Overview['storage']): Alert[] => {
  if (limit_bytes === null || used_bytes < limit_bytes * NEARLY) return []
  const isFull = used_bytes >= limit_bytes
  return [
    {
      code: isFull ? 'storage_full' : 'storage_nearly_full',
      severity: isFull ? 'error' : 'warning',
      message: isFull ? 'Your storage is full. New mail is rejected.' : 'Your storage is almost full.',
      href: '/billing',
    },
  ]
}

const sendingAlerts = ({ today, month, daily_limit, monthly_limit }: Overview['sending']): Alert[] => {
  const isNear = (used: number, limit: number | null): boolean => limit !== null && used >= limit * NEARLY
  if (!isNear(today, daily_limit) && !isNear(month, monthly_limit)) return []
  const message = "You've almost reached your sending limit."
  return [{ code: 'sending_nearly_used_up', severity: 'warning', message, href: '/billing' }]
}

const domainAlerts = ({ id, name, status, verified_at }: AlertFacts['domains'][number]): Alert[] => {
  const href = `/domains/${id}`
  if (verified_at === null) {
    const message = `${name} can't receive mail until its ownership is verified.`
    return [{ code: 'domain_unverified', severity: 'warning', message, href }]
  }
  if (status !== 'failed' && status !== 'partially_failed') return []
  return [
    { code: 'domain_failing', severity: 'warning', message: `DNS records of ${name} are missing or incorrect.`, href },
  ]
}
