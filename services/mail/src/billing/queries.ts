import type { Db, Tx } from '@stoa/kit/db/database.ts'
import type { Insertable, Selectable, Updateable } from 'kysely'
import type { SubscriptionTable, TaxIdTable } from '../tables/billing.ts'
import type { Tables } from '../tables.ts'

export type SubscriptionRow = Selectable<SubscriptionTable>

/** The subscription of the account that has not ended. */
export const findSubscription = (db: Db<Tables>, accountId: string): Promise<SubscriptionRow | undefined> =>
  db
    .selectFrom('subscription')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('ended_at', 'is', null)
    .executeTakeFirst()

export const insertSubscription = (tx: Tx<Tables>, row: Insertable<SubscriptionTable>): Promise<SubscriptionRow> =>
  tx.insertInto('subscription').values(row).returningAll().executeTakeFirstOrThrow()

export const updateSubscription = (
  tx: Tx<Tables>,
  { account_id, id }: Pick<SubscriptionRow, 'account_id' | 'id'>,
  change: Updateable<SubscriptionTable>,
): Promise<SubscriptionRow> =>
  tx
    .updateTable('subscription')
    .set(change)
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

export const updatePlan = async (tx: Tx<Tables>, accountId: string, plan: string): Promise<void> => {
  await tx.updateTable('account').set({ plan }).where('id', '=', accountId).execute()
}

/** Subscriptions whose period is over, in the order of their ids. */
export const listOverdue = async (
  db: Db<Tables>,
  { now, after, limit }: { now: Date; after: string | null; limit: number },
): Promise<string[]> => {
  const rows = await db
    .selectFrom('subscription')
    .select('id')
    .where('ended_at', 'is', null)
    .where('current_period_end', '<=', now)
    .$if(after !== null, (query) => query.where('id', '>', after ?? ''))
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Undefined when it is not overdue any more, or somebody else is at it. */
export const lockOverdue = (tx: Tx<Tables>, id: string, now: Date): Promise<SubscriptionRow | undefined> =>
  tx
    .selectFrom('subscription')
    .selectAll()
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .where('current_period_end', '<=', now)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()

/**
 * Puts every account on the plan that it should be on: that of its subscription, and `ownerPlan` or `otherPlan` without
 * one. Gives how many were on another one.
 */
export const updatePlans = async (
  tx: Tx<Tables>,
  { subscribed, ownerPlan, otherPlan }: { subscribed: boolean; ownerPlan: string; otherPlan: string },
): Promise<number> => {
  const rows = await tx.query({
    text: `update account set plan = wanted.plan
           from (
             select account.id, case
               when account.role = 'owner' then $2
               when $1 then coalesce(subscription.plan, $3)
               else $3
             end as plan
             from account left join subscription
               on subscription.account_id = account.id and subscription.ended_at is null
           ) wanted
           where wanted.id = account.id and wanted.plan <> account.plan
           returning 1`,
    values: [subscribed, ownerPlan, otherPlan],
  })
  return rows.length
}

export type TaxIdRow = Selectable<TaxIdTable>

export const findTaxId = (db: Db<Tables>, accountId: string): Promise<TaxIdRow | undefined> =>
  db.selectFrom('tax_id').selectAll().where('account_id', '=', accountId).executeTakeFirst()

export const putTaxId = async (tx: Tx<Tables>, row: Insertable<TaxIdTable>): Promise<void> => {
  const { account_id: _key, ...rest } = row
  await tx
    .insertInto('tax_id')
    .values(row)
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(rest))
    .execute()
}

export const deleteTaxId = async (tx: Tx<Tables>, accountId: string): Promise<void> => {
  await tx.deleteFrom('tax_id').where('account_id', '=', accountId).execute()
}
