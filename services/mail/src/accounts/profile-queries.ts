import type { Db, Tx } from '@stoa/kit/db/database.ts'
import type { Updateable } from 'kysely'
import { type Account, toAccount } from '../access/access.ts'
import type { AccountTable } from '../tables/accounts.ts'
import type { Tables } from '../tables.ts'

/** The account as it is, unchanged by others until the transaction ends. */
export const lockWholeAccount = async (tx: Tx<Tables>, id: string): Promise<Account | undefined> => {
  const row = await tx
    .selectFrom('account')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row && toAccount(row)
}

export const updateAccount = async (tx: Tx<Tables>, id: string, change: Updateable<AccountTable>): Promise<Account> =>
  toAccount(await tx.updateTable('account').set(change).where('id', '=', id).returningAll().executeTakeFirstOrThrow())

export const deleteAllSessions = async (tx: Tx<Tables>, accountId: string): Promise<void> => {
  await tx.deleteFrom('session').where('account_id', '=', accountId).execute()
}

export const hasOtherAccounts = async (db: Db<Tables>, id: string): Promise<boolean> =>
  (await db
    .selectFrom('account')
    .select('id')
    .where('id', '!=', id)
    .where('deleted_at', 'is', null)
    .limit(1)
    .executeTakeFirst()) !== undefined

export type ReferredRow = { id: string; email: string; plan: string; created_at: Date }

/** Whom an account invited, newest first. */
export const listReferred = (db: Db<Tables>, accountId: string, limit: number): Promise<ReferredRow[]> =>
  db
    .selectFrom('account')
    .select(['id', 'email', 'plan', 'created_at'])
    .where('referred_by', '=', accountId)
    .where('deleted_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

export type ReferredCount = { signed_up: number; converted: number }

/** All of them, and those who are on a plan that is paid for. */
export const countReferred = async (
  db: Db<Tables>,
  accountId: string,
  unpaid: readonly string[],
): Promise<ReferredCount> => {
  const row = await db
    .selectFrom('account')
    .select(({ fn }) => [
      fn.countAll<number>().as('signed_up'),
      fn.countAll<number>().filterWhere('plan', 'not in', unpaid).as('converted'),
    ])
    .where('referred_by', '=', accountId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return row
}
