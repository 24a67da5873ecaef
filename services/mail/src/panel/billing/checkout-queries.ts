import type { Db, Tx } from '@stoa/kit/db/database.ts'
import type { Insertable, Selectable, Updateable } from 'kysely'
import type { CheckoutTable } from '../../tables/billing.ts'
import type { Tables } from '../../tables.ts'

export type CheckoutRow = Selectable<CheckoutTable>

/** The open checkout for a subscription; an account has one at most. */
export const findOpenCheckout = (db: Db<Tables>, accountId: string): Promise<CheckoutRow | undefined> =>
  db
    .selectFrom('checkout')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('mode', '=', 'subscription')
    .where('status', '=', 'open')
    .executeTakeFirst()

export const findCheckout = (
  db: Db<Tables>,
  { accountId, id, mode }: { accountId: string; id: string; mode: CheckoutRow['mode'] },
): Promise<CheckoutRow | undefined> =>
  db
    .selectFrom('checkout')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('mode', '=', mode)
    .executeTakeFirst()

export const insertCheckout = (tx: Tx<Tables>, row: Insertable<CheckoutTable>): Promise<CheckoutRow> =>
  tx.insertInto('checkout').values(row).returningAll().executeTakeFirstOrThrow()

export const updateCheckout = (
  tx: Tx<Tables>,
  { account_id, id }: Pick<CheckoutRow, 'account_id' | 'id'>,
  change: Updateable<CheckoutTable>,
): Promise<CheckoutRow> =>
  tx
    .updateTable('checkout')
    .set(change)
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

export const deleteOldCheckouts = async (tx: Tx<Tables>, accountId: string, before: Date): Promise<void> => {
  await tx.deleteFrom('checkout').where('account_id', '=', accountId).where('expires_at', '<', before).execute()
}
