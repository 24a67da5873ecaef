import type { Db } from '@stoa/kit/db/database.ts'
import type { InstanceSubscriptionList, InstanceSubscriptionListRequest } from '@stoa/mail-model/billing.ts'
import { toList } from '@stoa/mail-model/list.ts'
import { sql } from 'kysely'
import type { Ctx } from '../../context.ts'
import { currencyOf } from '../../hosting/plans/plans.ts'
import { contains, type Page, readPage } from '../../pagination/pagination.ts'
import type { Tables } from '../../tables.ts'
import type { SubscriptionRow } from './queries.ts'
import { subscriptionJson } from './subscriptions.ts'

/** The subscriptions of all accounts, and what they bring in. */
export const getInstanceSubscriptions = async (
  ctx: Ctx,
  list: InstanceSubscriptionListRequest,
): Promise<InstanceSubscriptionList> => {
  const [{ rows, total }, totals] = await Promise.all([
    listInstanceSubscriptions(ctx.db, list),
    sumSubscriptions(ctx.db),
  ])
  const data = rows.map((row) => ({
    ...subscriptionJson(row),
    account_id: row.account_id,
    email: row.email,
    price_cents: row.price_cents,
    currency: row.currency,
  }))
  return {
    ...toList(list, total, data),
    totals: {
      active: totals.active,
      past_due: totals.pastDue,
      monthly_cents: totals.monthlyCents,
      currency: currencyOf(ctx.parts.prices),
    },
  }
}

type InstanceSubscriptionRow = SubscriptionRow & { email: string }

const listInstanceSubscriptions = (
  db: Db<Tables>,
  list: InstanceSubscriptionListRequest,
): Promise<Page<InstanceSubscriptionRow>> => {
  const found = db
    .selectFrom('subscription')
    .innerJoin('account', 'account.id', 'subscription.account_id')
    .selectAll('subscription')
    .select('account.email')
    .where('account.deleted_at', 'is', null)
    .$if(Boolean(list.search), (query) =>
      query.where(contains(sql`concat_ws(' ', account.email, subscription.plan)`, list.search ?? '')),
    )
  const columns = {
    created_at: 'subscription.created_at',
    status: 'subscription.status',
    email: 'account.email',
  } as const
  return readPage(found, list, { columns, id: 'subscription.id' })
}

/** Totals of running subscriptions. A yearly one counts a twelfth per month, and a trial nothing yet. */
const sumSubscriptions = async (db: Db<Tables>): Promise<{ active: number; pastDue: number; monthlyCents: number }> => {
  const [row] = await db.query<{ active: number; pastDue: number; monthlyCents: number }>({
    name: 'sum-subscriptions',
    text: `select count(*) filter (where s.status in ('active', 'trialing')) as active,
             count(*) filter (where s.status in ('past_due', 'unpaid')) as "pastDue",
             coalesce(round(sum(case when p.interval = 'year' then s.price_cents / 12.0 else s.price_cents end)
               filter (where s.status in ('active', 'past_due'))), 0)::bigint as "monthlyCents"
           from subscription s
           join account a on a.id = s.account_id and a.deleted_at is null
           left join plan_price p on p.plan = s.plan
           where s.ended_at is null`,
  })
  if (!row) throw new Error('a sum returned no row')
  return row
}
