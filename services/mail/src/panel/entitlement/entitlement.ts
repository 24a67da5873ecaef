import type { Db } from '@stoa/kit/db/database.ts'
import { type List, toList } from '@stoa/mail-model/list.ts'
import type { Entitlement, Plan, PlanListRequest, Usage } from '@stoa/mail-model/plans.ts'
import type { Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import { featuresJson, limitsJson, planJson, planOfAccount, visiblePlans } from '../../hosting/plans/plans.ts'
import { sessionOf } from '../../principal.ts'
import type { Tables } from '../../tables.ts'
import { findSubscription, findUnpaidSubscription, subscriptionJson } from '../billing/billing.ts'

/** The plans that customers see, in their order. */
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
  const [usage, subscription] = await Promise.all([usageOf(ctx, now), subscriptionOf(ctx)])
  const plan = planOfAccount(account)
  const month = [monthStart(now, 0), monthStart(now, 1)] as const
  return {
    object: 'entitlement',
    plan: planJson(ctx.parts.prices, account.plan),
    subscription: subscription ? subscriptionJson(subscription) : null,
    limits: limitsJson(plan),
    features: featuresJson(plan),
    usage,
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

const usageOf = async (ctx: Ctx, now: Date): Promise<Usage> => {
  const { id } = sessionOf(ctx).account
  return (await countUsages(ctx.db, [id], now)).get(id) ?? fail('unauthorized')
}

/** All that is counted of accounts, in one statement; those that are gone are left out. */
export const countUsages = async (
  db: Db<Tables>,
  accountIds: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, Usage>> => {
  const rows = await db.query<Usage & { id: string }>({
    name: 'count-usages',
    text: `select account.id,
        (select count(*) from domain where account_id = account.id and deleted_at is null) as domains,
        boxes.addresses, boxes.storage_bytes,
        (select coalesce(sum(recipients), 0)::bigint from sending_day
          where account_id = account.id and day = $2) as emails_today,
        (select coalesce(sum(recipients), 0)::bigint from sending_day
          where account_id = account.id and day >= date_trunc('month', $2::date) and day <= $2) as emails_month,
        (select count(*) from api_key left join domain on domain.id = api_key.domain_id
          where api_key.account_id = account.id and domain.deleted_at is null) as api_keys,
        (select count(*) from webhook_endpoint where owner = account.id::text) as webhooks,
        (select count(*) from sieve_script left join address owner on owner.id = sieve_script.address_id
          where sieve_script.account_id = account.id and origin = 'panel' and owner.deleted_at is null) as filters,
        (select count(*) from transfer join address target on target.id = transfer.address_id
          where transfer.account_id = account.id and status in ('queued', 'running')
            and target.deleted_at is null) as transfers_active
      from unnest($1::uuid[]) wanted (id)
      join account on account.id = wanted.id and account.deleted_at is null
      cross join lateral (
        select count(*) as addresses, coalesce(sum(mailbox.used_bytes), 0)::bigint as storage_bytes
        from address join mailbox on mailbox.address_id = address.id
        where address.account_id = account.id and address.deleted_at is null
      ) boxes`,
    values: [accountIds, now.toISOString().slice(0, 10)],
  })
  return new Map(rows.map(({ id, ...usage }) => [id, usage]))
}
