import type { Db, Tx } from '@stoa/kit/db/database.ts'
import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Config } from '../../config.ts'
import { loweredSince, startingPlan } from '../../hosting/plans/plans.ts'
import type { SubscriptionTable, TaxIdTable } from '../../tables/billing.ts'
import type { Tables } from '../../tables.ts'

export type SubscriptionRow = Selectable<SubscriptionTable>

/** The subscription of the account that has not ended. */
export const findSubscription = (db: Db<Tables>, accountId: string): Promise<SubscriptionRow | undefined> =>
  db
    .selectFrom('subscription')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('ended_at', 'is', null)
    .executeTakeFirst()

/** The subscription that an account without another one has not paid for: its clock goes on after its end. */
export const findUnpaidSubscription = (db: Db<Tables>, accountId: string): Promise<SubscriptionRow | undefined> =>
  db
    .selectFrom('subscription')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('ended_at', 'is not', null)
    .where('past_due_at', 'is not', null)
    .orderBy('ended_at', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Includes subscriptions that have ended. */
export const hadPaidSubscription = async (db: Db<Tables>, accountId: string): Promise<boolean> => {
  const rows = await db
    .selectFrom('subscription')
    .select('id')
    .where('account_id', '=', accountId)
    .where('reference', 'is not', null)
    .limit(1)
    .execute()
  return rows.length > 0
}

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

/** Subscriptions that nobody pays for and whose period is over, in the order of their ids. */
export const listOverdue = async (
  db: Db<Tables>,
  { now, after, limit }: { now: Date; after: string | null; limit: number },
): Promise<string[]> => {
  const rows = await db
    .selectFrom('subscription')
    .select('id')
    .where('reference', 'is', null)
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
    .where('reference', 'is', null)
    .where('ended_at', 'is', null)
    .where('current_period_end', '<=', now)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()

/** Accounts that are not deleted, in the order of their ids. */
export const listAccounts = async (
  db: Db<Tables>,
  { after, limit }: { after: string | null; limit: number },
): Promise<string[]> => {
  const rows = await db.query<{ id: string }>({
    text: `select id from account where deleted_at is null and ($1::uuid is null or id > $1) order by id limit $2`,
    values: [after, limit],
  })
  return rows.map(({ id }) => id)
}

/**
 * Puts accounts on the plan that each should be on: that of the subscription which it pays for, or did not pay for not long
 * enough, else the one that the owner of the instance gave it, else the free one. Gives how many were on another one.
 */
export const updatePlans = async (
  tx: Tx<Tables>,
  { billing, accountIds, now }: { billing: Config['billing']; accountIds: readonly string[]; now: Date },
): Promise<number> => {
  const rows = await tx.query({
    name: 'update-plans',
    text: `update account set plan = wanted.plan
           from (
             select account.id, case
               when account.role = 'owner' then $2
               when account.granted_plan is not null and ($1 = 'off' or bought.reference is null) then account.granted_plan
               when $1 = 'off' then $3
               when account.past_due_at <= $5 then $3
               else coalesce(bought.plan, $3)
             end as plan
             from account left join lateral (
               select subscription.plan, subscription.reference from subscription
               where subscription.account_id = account.id
                 and (ended_at is null and status in ('trialing', 'active', 'past_due', 'unpaid')
                   or ended_at is not null and subscription.past_due_at = account.past_due_at)
               order by ended_at desc nulls first limit 1
             ) bought on true
             where account.id = any ($4::uuid[]) and account.deleted_at is null
           ) wanted
           where wanted.id = account.id and wanted.plan <> account.plan
           returning 1`,
    values: [
      billing,
      startingPlan({ billing, role: 'owner' }),
      startingPlan({ billing, role: 'member' }),
      accountIds,
      loweredSince(now),
    ],
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
