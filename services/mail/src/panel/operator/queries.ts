import type { Db, Tx } from '@stoa/kit/db/database.ts'
import type { Insertable } from 'kysely'
import type { AccountTable } from '../../tables/accounts.ts'
import type { Tables } from '../../tables.ts'

/** The account that owns the instance. */
export const findOwnerId = async (db: Db<Tables>): Promise<string | undefined> =>
  (await db.selectFrom('account').select('id').where('role', '=', 'owner').executeTakeFirst())?.id

export const insertOwner = async (tx: Tx<Tables>, row: Omit<Insertable<AccountTable>, 'role'>): Promise<void> => {
  await tx
    .insertInto('account')
    .values({ ...row, role: 'owner' })
    .execute()
}

/** A domain of whichever account. */
export const findAnyDomain = (
  db: Db<Tables>,
  name: string,
): Promise<{ id: string; account_id: string; verified_at: Date | null } | undefined> =>
  db
    .selectFrom('domain')
    .select(['id', 'account_id', 'verified_at'])
    .where('name', '=', name)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()

export type ListedAddress = {
  email: string
  enabled: boolean
  used_bytes: number | null
  account: string
  verified_at: Date | null
}

export const listAllAddresses = (db: Db<Tables>): Promise<ListedAddress[]> =>
  db
    .selectFrom('address')
    .innerJoin('account', 'account.id', 'address.account_id')
    .innerJoin('domain', 'domain.id', 'address.domain_id')
    .leftJoin('mailbox', 'mailbox.address_id', 'address.id')
    .select([
      'address.email',
      'address.enabled',
      'mailbox.used_bytes',
      'account.email as account',
      'domain.verified_at',
    ])
    .where('address.deleted_at', 'is', null)
    .orderBy('domain.name')
    .orderBy('address.email')
    .execute()
