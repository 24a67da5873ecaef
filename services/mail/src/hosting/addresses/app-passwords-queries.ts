import type { Db, Tx } from '@stoa/kit/db/database.ts'
import type { Insertable, Selectable } from 'kysely'
import type { AppPasswordTable } from '../../tables/hosting.ts'
import type { Tables } from '../../tables.ts'

/** An app password as its owner sees it: the token itself is nowhere. */
export type AppPassword = Omit<Selectable<AppPasswordTable>, 'token_hash'>

const COLUMNS = [
  'address_id',
  'id',
  'name',
  'scopes',
  'token_prefix',
  'last_used_at',
  'last_used_ip',
  'expires_at',
  'created_at',
] as const

export const insertAppPassword = (tx: Tx<Tables>, row: Insertable<AppPasswordTable>): Promise<AppPassword> =>
  tx.insertInto('app_password').values(row).returning(COLUMNS).executeTakeFirstOrThrow()

export const listAppPasswordRows = (db: Db<Tables>, addressId: string): Promise<AppPassword[]> =>
  db
    .selectFrom('app_password')
    .select(COLUMNS)
    .where('address_id', '=', addressId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()

export const countAppPasswords = async (db: Db<Tables>, addressId: string): Promise<number> => {
  const row = await db
    .selectFrom('app_password')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('address_id', '=', addressId)
    .executeTakeFirstOrThrow()
  return row.count
}

export const deleteAppPasswordRow = async (tx: Tx<Tables>, addressId: string, id: string): Promise<boolean> =>
  (await tx
    .deleteFrom('app_password')
    .where('address_id', '=', addressId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()) !== undefined

export const deleteAppPasswords = async (tx: Tx<Tables>, addressId: string): Promise<void> => {
  await tx.deleteFrom('app_password').where('address_id', '=', addressId).execute()
}

/** Holds the address, so that two cannot both take the last place. */
export const lockOwner = async (tx: Tx<Tables>, accountId: string, addressId: string): Promise<boolean> =>
  (await tx
    .selectFrom('address')
    .select('id')
    .where('id', '=', addressId)
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()) !== undefined
