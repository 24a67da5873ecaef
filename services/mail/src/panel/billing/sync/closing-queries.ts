import type { Db, Tx } from '@stoa/kit/db/database.ts'
import type { Tables } from '../../../tables.ts'
import type { Reading } from './queries.ts'

/** Pages of the provider that may still be paid on. */
export const listOpenCheckouts = async (db: Db<Tables>, accountId: string): Promise<string[]> => {
  const rows = await db
    .selectFrom('checkout')
    .select('reference')
    .where('account_id', '=', accountId)
    .where('status', '=', 'open')
    .execute()
  return rows.flatMap(({ reference }) => (reference === null ? [] : [reference]))
}

/** Unless it was asked for meanwhile: then it is read again at once. */
export const postponeClosing = async (tx: Tx<Tables>, reading: Reading, until: Date): Promise<void> => {
  await tx
    .updateTable('billing_customer')
    .set({ sync_due_at: until, sync_attempts: 0, sync_error: null, synced_at: reading.beganAt })
    .where('account_id', '=', reading.accountId)
    .where('sync_claims', '=', reading.claims)
    .execute()
}

export const deleteClosedCustomer = async (tx: Tx<Tables>, reading: Reading): Promise<void> => {
  await tx
    .deleteFrom('billing_customer')
    .where('account_id', '=', reading.accountId)
    .where('sync_claims', '=', reading.claims)
    .execute()
}

/** Customers of deleted accounts that were not closed yet. */
export const countUnclosed = async (db: Db<Tables>): Promise<number> => {
  const row = await db
    .selectFrom('billing_customer')
    .innerJoin('account', 'account.id', 'billing_customer.account_id')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account.deleted_at', 'is not', null)
    .executeTakeFirstOrThrow()
  return row.count
}
