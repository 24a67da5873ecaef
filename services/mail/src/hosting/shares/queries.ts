import type { Db, Tx } from '@stoa/kit/db/database.ts'
import type { Insertable, Selectable } from 'kysely'
import type { ShareTable } from '../../tables/shares.ts'
import type { Tables } from '../../tables.ts'

/** A share as the customer sees it. */
export type Share = Selectable<ShareTable> & { with_email: string }

/** Those with addresses that are not deleted; all of a mailbox, or one. */
export const listShareRows = (db: Db<Tables>, addressId: string, id: string | null = null): Promise<Share[]> => {
  const all = db
    .selectFrom('share')
    .innerJoin('address', 'address.id', 'share.with_address_id')
    .select([
      'share.address_id',
      'share.id',
      'share.with_address_id',
      'address.email as with_email',
      'share.access',
      'share.created_at',
    ])
    .where('share.address_id', '=', addressId)
    .where('address.deleted_at', 'is', null)
  return (id === null ? all : all.where('share.id', '=', id)).orderBy('share.created_at').orderBy('share.id').execute()
}

/** False: it is shared with that address already. */
export const insertShare = async (tx: Tx<Tables>, row: Insertable<ShareTable>): Promise<boolean> =>
  (await tx
    .insertInto('share')
    .values(row)
    .onConflict((conflict) => conflict.constraint('share_with_key').doNothing())
    .returning('id')
    .executeTakeFirst()) !== undefined

export const deleteShareRow = async (tx: Tx<Tables>, addressId: string, id: string): Promise<void> => {
  await tx.deleteFrom('share').where('address_id', '=', addressId).where('id', '=', id).execute()
}

/** Which of these addresses the account has; they are held, so that none is deleted meanwhile. */
export const lockAddresses = async (tx: Tx<Tables>, accountId: string, ids: readonly string[]): Promise<string[]> => {
  const rows = await tx
    .selectFrom('address')
    .select('id')
    .where('id', 'in', [...ids])
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return rows.map(({ id }) => id)
}

/** Whether the account has the address. */
export const hasAddress = async (db: Db<Tables>, accountId: string, id: string): Promise<boolean> =>
  (await db
    .selectFrom('address')
    .select('id')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()) !== undefined
