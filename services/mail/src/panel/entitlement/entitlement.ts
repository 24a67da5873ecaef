import { type List, toList } from '@stoa/mail-model/list.ts'
import type { Entitlement, Plan, PlanListRequest } from '@stoa/mail-model/plans.ts'
import type { Ctx } from '../../context.ts'
import { featuresJson, limitsJson, planJson, planOf, visiblePlans } from '../../hosting/plans/plans.ts'
import { sessionOf } from '../../principal.ts'
import { findSubscription, findUnpaidSubscription, subscriptionJson } from '../billing/billing.ts'
import { countUsage } from './queries.ts'

/** Those that customers see, in their order. */
export const getPlans = (ctx: Ctx, list: PlanListRequest): List<Plan> => {
  const all = visiblePlans(ctx.config.billing).map((plan) => planJson(ctx.parts.prices, plan))
  const part = list.search?.toLowerCase() ?? ''
  const found = all.filter(({ name, description }) => `${name} ${description}`.toLowerCase().includes(part))
  const from = (list.page - 1) * list.per_page
  return toList(list, found.length, found.slice(from, from + list.per_page))
}

/** What the account may do, and what it uses. */
export const getEntitlement = async (ctx: Ctx): Promise<Entitlement> => {
  const { account } = sessionOf(ctx)
  const now = ctx.now()
  const [usage, subscription] = await Promise.all([
    countUsage(ctx.db, account.id, now.toISOString().slice(0, 10)),
    subscriptionOf(ctx),
  ])
  const plan = planOf(account.plan)
  const month = [monthStart(now, 0), monthStart(now, 1)] as const
  return {
    object: 'entitlement',
    plan: planJson(ctx.parts.prices, account.plan),
    subscription: subscription ? subscriptionJson(subscription) : null,
    limits: limitsJson(plan),
    features: featuresJson(plan),
    usage: {
      domains: usage.domains,
      addresses: usage.addresses,
      storage_bytes: usage.storageBytes,
      emails_today: usage.emailsToday,
      emails_month: usage.emailsMonth,
      api_keys: usage.apiKeys,
      webhooks: usage.webhooks,
      filters: usage.filters,
      transfers_active: usage.transfersActive,
    },
    period_start: (subscription?.current_period_start ?? month[0]).toISOString(),
    period_end: (subscription?.current_period_end ?? month[1]).toISOString(),
  }
}

/** Also one that ended because nobody paid, until somebody does: the account stops sending by its clock. */
const subscriptionOf = async (ctx: Ctx) => {
  const { account } = sessionOf(ctx)
  const running = await findSubscription(ctx.db, account.id)
  return running ?? (account.pastDueAt === null ? undefined : findUnpaidSubscription(ctx.db, account.id))
}

const monthStart = (now: Date, later: number): Date =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + later, 1))
