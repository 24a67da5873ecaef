import type { Overview } from '@stoa/mail-model/overview.ts'
import type { Ctx } from '../../context.ts'
import { activityJson } from '../../hosting/trace/trace.ts'
import { sessionOf } from '../../principal.ts'
import { userJson } from '../accounts/accounts.ts'
import { getDomains } from '../domains/domains.ts'
import { getEntitlement } from '../entitlement/entitlement.ts'
import { alertsOf } from './alerts.ts'
import { countByStatus, countDays, findFacts, listRecentActivity } from './queries.ts'

const DAYS = 30
const DAY_MS = 86_400_000
const NEWEST_DOMAINS = { page: 1, per_page: 100, sort: 'created_at', direction: 'desc' } as const
const SHOWN_DOMAINS = 5
const NEWEST_ACTIVITY = 10

export const getOverview = async (ctx: Ctx): Promise<Overview> => {
  const { account } = sessionOf(ctx)
  const now = ctx.now()
  const since = new Date(now.getTime() - DAYS * DAY_MS)
  const first = new Date(now.getTime() - (DAYS - 1) * DAY_MS)
  const [entitlement, facts, byStatus, series, { data: newest }, recent] = await Promise.all([
    getEntitlement(ctx),
    findFacts(ctx.db, account.id, now),
    countByStatus(ctx.db, account.id, { since, now }),
    countDays(ctx.db, account.id, { first: dayOf(first), last: dayOf(now) }),
    getDomains(ctx, NEWEST_DOMAINS),
    listRecentActivity(ctx.db, account.id, { since, limit: NEWEST_ACTIVITY }),
  ])
  // Those that do not work yet, or any more, come first: nobody would look for them among many
  const isWell = ({ status }: (typeof newest)[number]): number => Number(status === 'verified')
  const domains = newest.toSorted((a, b) => isWell(a) - isWell(b)).slice(0, SHOWN_DOMAINS)
  const { usage, limits } = entitlement
  const storage = { used_bytes: usage.storage_bytes, limit_bytes: limits.storage_bytes }
  const sending = {
    today: usage.emails_today,
    month: usage.emails_month,
    daily_limit: limits.emails_per_day,
    monthly_limit: limits.emails_per_month,
    by_status: Object.fromEntries(byStatus.map(({ status, count }) => [status, count])),
  }
  const isEmailVerified = account.emailVerifiedAt !== null
  return {
    object: 'overview',
    user: userJson(account),
    entitlement,
    counts: {
      domains: usage.domains,
      domains_verified: facts.domainsVerified,
      addresses: usage.addresses,
      filters: usage.filters,
      transfers_active: usage.transfers_active,
      webhooks: usage.webhooks,
      api_keys: usage.api_keys,
      suppressions: facts.suppressions,
    },
    storage,
    sending,
    series,
    domains,
    recent_activity: recent.map(activityJson),
    alerts: alertsOf({
      storage,
      sending,
      domains,
      isSuspended: facts.isSuspended,
      isEmailVerified,
      billing: { entitlement, pastDueAt: account.pastDueAt, now },
    }),
    onboarding: [
      { step: 'verify_email', done: isEmailVerified },
      { step: 'add_domain', done: usage.domains > 0 },
      { step: 'verify_domain', done: facts.domainsVerified > 0 },
      { step: 'create_address', done: usage.addresses > 0 },
      { step: 'receive_mail', done: facts.hasMail },
    ],
  }
}

const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10)
