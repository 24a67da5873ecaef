import type { Db, Tx } from '@stoa/kit/db/database.ts'
import type { Updateable } from 'kysely'
import { toAccount } from '../../hosting/access/access.ts'
import type { Account } from '../../principal.ts'
import type { AccountTable } from '../../tables/accounts.ts'
import type { Tables } from '../../tables.ts'

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

/** Makes what was deleted before due for purging, and deletes all exports. */
export const purgeEarlier = async (tx: Tx<Tables>, accountId: string, now: Date): Promise<void> => {
  for (const table of ['domain', 'address'] as const)
    await tx
      .updateTable(table)
      .set({ purge_at: now })
      .where('account_id', '=', accountId)
      .where('deleted_at', 'is not', null)
      .execute()
  await tx.deleteFrom('mail_export').where('account_id', '=', accountId).execute()
  await tx.deleteFrom('blob_link').where('owner_id', '=', accountId).where('kind', '=', 'export').execute()
}

export const hasOtherAccounts = async (db: Db<Tables>, id: string): Promise<boolean> =>
  (await db
    .selectFrom('account')
    .select('id')
    .where('id', '!=', id)
    .where('deleted_at', 'is', null)
    .limit(1)
    .executeTakeFirst()) !== undefined

export type ReferredRow = { id: string; email: string; plan: string; created_at: Date; isCredited: boolean }

/** Whom an account invited, newest first. */
export const listReferred = (db: Db<Tables>, accountId: string, limit: number): Promise<ReferredRow[]> =>
  db
    .selectFrom('account')
    .leftJoin('referral_credit as credit', 'credit.referred_id', 'account.id')
    .select(({ eb }) => [
      'account.id',
      'account.email',
      'account.plan',
      'account.created_at',
      eb('credit.credited_at', 'is not', null).$castTo<boolean>().as('isCredited'),
    ])
    .where('account.referred_by', '=', accountId)
    .where('account.deleted_at', 'is', null)
    .orderBy('account.created_at', 'desc')
    .orderBy('account.id', 'desc')
    .limit(limit)
    .execute()

export type ReferredCount = {
  signed_up: number
  converted: number
  credit_cents: number
  credit_currency: string | null
}

/**
 * All of them, those who are on a plan that is paid for, and what the account was credited, also for those who have left
 * since.
 */
export const countReferred = async (
  db: Db<Tables>,
  accountId: string,
  unpaid: readonly string[],
): Promise<ReferredCount> => {
  const [row] = await db.query<ReferredCount>({
    name: 'count-referred',
    text: `select count(*) as signed_up, count(*) filter (where not plan = any($2)) as converted,
             (select coalesce(sum(amount_cents), 0)::bigint from referral_credit
               where account_id = $1 and credited_at is not null) as credit_cents,
             (select min(currency) from referral_credit
               where account_id = $1 and credited_at is not null) as credit_currency
           from account where referred_by = $1 and deleted_at is null`,
    values: [accountId, unpaid],
  })
  if (!row) throw new Error('a count returned no row')
  return row
}
