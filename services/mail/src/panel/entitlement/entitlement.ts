import type { Db } from '@stoa/kit/db/database.ts'
import { type List, toList } from '@stoa/mail-model/list.ts'
import type { Entitlement, Plan, PlanListRequest } from '@stoa/mail-model/plans.ts'
import type { Ctx } from '../../context.ts'
import { featuresJson, limitsJson, planJson, planOf, visiblePlans } from '../../hosting/plans/plans.ts'
import { sessionOf } from '../../principal.ts'
import type { Tables } from '../../tables.ts'
import { findSubscription, findUnpaidSubscription, subscriptionJson } from '../billing/billing.ts'

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

type Usage = {
  domains: number
  addresses: number
  storageBytes: number
  filters: number
  emailsToday: number
  emailsMonth: number
  apiKeys: number
  webhooks: number
  transfersActive: number
}

/** All that is counted of an account, in one statement. */
const countUsage = async (db: Db<Tables>, accountId: string, day: string): Promise<Usage> => {
  const [row] = await db.query<Usage>({
    name: 'count-usage',
    text: `select
        (select count(*) from domain where account_id = $1::uuid and deleted_at is null) as domains,
        count(*) as addresses,
        coalesce(sum(mailbox.used_bytes), 0)::bigint as "storageBytes",
        (select count(*) from sieve_script left join address owner on owner.id = sieve_script.address_id
          where sieve_script.account_id = $1 and origin = 'panel' and owner.deleted_at is null) as filters,
        (select coalesce(sum(recipients), 0)::bigint from sending_day
          where account_id = $1 and day = $2) as "emailsToday",
        (select coalesce(sum(recipients), 0)::bigint from sending_day
          where account_id = $1 and day >= date_trunc('month', $2::date) and day <= $2) as "emailsMonth",
        (select count(*) from api_key left join domain on domain.id = api_key.domain_id
          where api_key.account_id = $1 and domain.deleted_at is null) as "apiKeys",
        (select count(*) from webhook_endpoint where owner = $1::text) as webhooks,
        (select count(*) from transfer join address target on target.id = transfer.address_id
          where transfer.account_id = $1 and status in ('queued', 'running')
            and target.deleted_at is null) as "transfersActive"
      from address join mailbox on mailbox.address_id = address.id
      where address.account_id = $1 and address.deleted_at is null`,
    values: [accountId, day],
  })
  if (!row) throw new Error('a count returned no row')
  return row
}
