import type { Db, Tx } from '@stoa/kit/db/database.ts'
import type { Selectable } from 'kysely'
import type { AccountTokenTable } from '../../tables/panel-accounts.ts'
import type { Tables } from '../../tables.ts'

export type TokenPurpose = AccountTokenTable['purpose']
export type AccountToken = Selectable<AccountTokenTable>

/** Takes the place of an older token of the same purpose. */
export const putToken = async (tx: Tx<Tables>, row: AccountToken): Promise<void> => {
  const { token_hash, email, expires_at } = row
  await tx
    .insertInto('account_token')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'purpose']).doUpdateSet({ token_hash, email, expires_at }),
    )
    .execute()
}

type Wanted = { hash: Buffer; purposes: readonly TokenPurpose[]; now: Date }

export const findToken = (db: Db<Tables>, { hash, purposes, now }: Wanted): Promise<AccountToken | undefined> =>
  db
    .selectFrom('account_token')
    .selectAll()
    .where('token_hash', '=', hash)
    .where('purpose', 'in', purposes)
    .where('expires_at', '>', now)
    .executeTakeFirst()

/** Takes the token. Of two requests at the same moment, one gets it. */
export const takeToken = (tx: Tx<Tables>, { hash, purposes, now }: Wanted): Promise<AccountToken | undefined> =>
  tx
    .deleteFrom('account_token')
    .where('token_hash', '=', hash)
    .where('purpose', 'in', purposes)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst()

export const deleteTokens = async (
  tx: Tx<Tables>,
  accountId: string,
  purposes: readonly TokenPurpose[],
): Promise<void> => {
  await tx.deleteFrom('account_token').where('account_id', '=', accountId).where('purpose', 'in', purposes).execute()
}

export const deleteExpiredTokens = async (tx: Tx<Tables>, now: Date, limit: number): Promise<number> => {
  const gone = await tx.query({
    text: `delete from account_token where ctid = any (array(
             select ctid from account_token where expires_at <= $1 limit $2 for update skip locked))
           returning 1`,
    values: [now, limit],
  })
  return gone.length
}
