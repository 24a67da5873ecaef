import type { Db, Tx } from '@stoa/kit/db/database.ts'
import type { Insertable } from 'kysely'
import type { Domain } from '../../hosting/domains/domains.ts'
import type { DomainTable } from '../../tables/hosting.ts'
import type { Tables } from '../../tables.ts'

export const insertDomain = (tx: Tx<Tables>, row: Insertable<DomainTable>): Promise<Domain> =>
  tx.insertInto('domain').values(row).returningAll().executeTakeFirstOrThrow()

/** The claim that has the name at present, whoever made it. */
export const findDomainOfAnybody = (db: Db<Tables>, name: string): Promise<Domain | undefined> =>
  db.selectFrom('domain').selectAll().where('name', '=', name).where('deleted_at', 'is', null).executeTakeFirst()

/** The claim that has the name at present, held so that it cannot be verified in the meantime. */
export const lockDomainByName = (tx: Tx<Tables>, name: string): Promise<Domain | undefined> =>
  tx
    .selectFrom('domain')
    .selectAll()
    .where('name', '=', name)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()

export const countDomains = async (db: Db<Tables>, accountId: string): Promise<number> => {
  const row = await db
    .selectFrom('domain')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return row.count
}

/** The domains of the account that fall back to this one. */
export const countFallbacksTo = async (db: Db<Tables>, id: string): Promise<number> => {
  const row = await db
    .selectFrom('domain')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('fallback_domain_id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return row.count
}

export const isAddressOfAccount = async (db: Db<Tables>, accountId: string, addressId: string): Promise<boolean> =>
  (await db
    .selectFrom('address')
    .select('id')
    .where('id', '=', addressId)
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()) !== undefined

/** Marks the domain as deleted and lets go of everything that leads to it. */
export const tombstoneDomain = async (tx: Tx<Tables>, id: string, now: Date): Promise<void> => {
  await tx
    .updateTable('domain')
    .set({ deleted_at: now, updated_at: now, catch_all_address_id: null, fallback_domain_id: null })
    .where('id', '=', id)
    .execute()
  await tx
    .updateTable('domain')
    .set({ fallback_domain_id: null, updated_at: now })
    .where('fallback_domain_id', '=', id)
    .execute()
}
