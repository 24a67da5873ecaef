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
/** Keeps what it takes to restore it: what it led to, and the aliases that addresses of other domains have at it. */
export const tombstoneDomain = async (
  tx: Tx<Tables>,
  id: string,
  { now, purgeAt }: { now: Date; purgeAt: Date },
): Promise<void> => {
  await tx.query({
    text: `update domain d set deleted_at = $2, updated_at = $2, purge_at = $3, catch_all_address_id = null,
             fallback_domain_id = null, kept = jsonb_build_object(
               'catchAllAddressId', d.catch_all_address_id, 'fallbackDomainId', d.fallback_domain_id,
               'names', coalesce((
                 select jsonb_agg(jsonb_build_object('addressId', n.address_id, 'localPart', n.local_part, 'kind', n.kind))
                 from address_name n join address a on a.id = n.address_id
                 where n.domain_id = d.id and a.domain_id <> d.id), '[]'))
           where id = $1`,
    values: [id, now, purgeAt],
  })
  await tx
    .updateTable('domain')
    .set({ fallback_domain_id: null, updated_at: now })
    .where('fallback_domain_id', '=', id)
    .execute()
}
