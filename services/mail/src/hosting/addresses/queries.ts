import type { Db, Tx } from '@stoa/kit/db/database.ts'
import type { Digest } from '@stoa/mail-model/digest.ts'
import type { Insertable, Selectable } from 'kysely'
import type { AddressNameTable, AddressTable } from '../../tables/hosting.ts'
import type { Tables } from '../../tables.ts'

/** An address as the service knows it. Its password's hash is not part of it. */
export type Address = Omit<Selectable<AddressTable>, 'password_hash' | 'deleted_at' | 'purge_at' | 'kept' | 'digest_at'>

const COLUMNS = [
  'id',
  'account_id',
  'domain_id',
  'local_part',
  'email',
  'name',
  'enabled',
  'send_enabled',
  'quota_bytes',
  'forward_to',
  'keep_copy',
  'recovery_email',
  'spam_threshold',
  'digest',
  'require_app_password',
  'last_login_at',
  'created_at',
  'updated_at',
] as const

export const insertAddress = (tx: Tx<Tables>, row: Insertable<AddressTable>): Promise<Address> =>
  tx.insertInto('address').values(row).returning(COLUMNS).executeTakeFirstOrThrow()

export const insertNames = async (tx: Tx<Tables>, rows: readonly Insertable<AddressNameTable>[]): Promise<void> => {
  if (rows.length > 0) await tx.insertInto('address_name').values(rows).execute()
}

export const findAddress = (db: Db<Tables>, accountId: string, id: string): Promise<Address | undefined> =>
  db
    .selectFrom('address')
    .select(COLUMNS)
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()

export const findAddressByEmail = (db: Db<Tables>, email: string): Promise<Address | undefined> =>
  db.selectFrom('address').select(COLUMNS).where('email', '=', email).where('deleted_at', 'is', null).executeTakeFirst()

export const lockAddress = (tx: Tx<Tables>, accountId: string, id: string): Promise<Address | undefined> =>
  tx
    .selectFrom('address')
    .select(COLUMNS)
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()

export const countAddresses = async (db: Db<Tables>, accountId: string): Promise<number> => {
  const row = await db
    .selectFrom('address')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return row.count
}

/** The aliases and patterns of an address as whole addresses, in order. */
export const listAliases = async (db: Db<Tables>, addressId: string): Promise<string[]> => {
  const rows = await db
    .selectFrom('address_name')
    .innerJoin('domain', 'domain.id', 'address_name.domain_id')
    .select(['address_name.local_part', 'domain.name'])
    .where('address_name.address_id', '=', addressId)
    .where('address_name.kind', '!=', 'address')
    .where('domain.deleted_at', 'is', null)
    .orderBy('domain.name')
    .orderBy('address_name.local_part')
    .execute()
  return rows.map(({ local_part, name }) => `${local_part}@${name}`)
}

export const deleteAliases = async (tx: Tx<Tables>, addressId: string): Promise<void> => {
  await tx.deleteFrom('address_name').where('address_id', '=', addressId).where('kind', '!=', 'address').execute()
}

export type AddressChange = Partial<
  Pick<
    Address,
    | 'name'
    | 'quota_bytes'
    | 'forward_to'
    | 'keep_copy'
    | 'enabled'
    | 'send_enabled'
    | 'spam_threshold'
    | 'recovery_email'
    | 'require_app_password'
  >
> & { password_hash?: string }

export const updateAddressRow = (
  tx: Tx<Tables>,
  id: string,
  change: AddressChange & { updated_at: Date },
): Promise<Address> =>
  tx.updateTable('address').set(change).where('id', '=', id).returning(COLUMNS).executeTakeFirstOrThrow()

/** When it was off, the first digest covers what arrives from now on. */
export const updateDigest = async (
  tx: Tx<Tables>,
  { addressId, digest, now }: { addressId: string; digest: Digest; now: Date },
): Promise<void> => {
  await tx.query({
    text: `update address set digest = $2, digest_at = case digest when 'off' then $3 else digest_at end where id = $1`,
    values: [addressId, digest, now],
  })
}

/** Marks addresses as deleted, and keeps what it takes to restore them; gives their ids. */
export const tombstoneAddressRows = async (
  tx: Tx<Tables>,
  which: { domainId: string } | { addressId: string },
  { now, purgeAt }: { now: Date; purgeAt: Date },
): Promise<string[]> => {
  const rows = await tx.query<{ id: string }>({
    text: `update address a set deleted_at = $3, updated_at = $3, purge_at = $4, kept = jsonb_build_object(
             'names', coalesce((
               select jsonb_agg(jsonb_build_object('domainId', n.domain_id, 'localPart', n.local_part, 'kind', n.kind))
               from address_name n where n.address_id = a.id), '[]'),
             'catchAllOf', coalesce((
               select jsonb_agg(d.id) from domain d where d.catch_all_address_id = a.id), '[]'))
           where ($1::uuid is null or a.domain_id = $1) and ($2::uuid is null or a.id = $2) and a.deleted_at is null
           returning a.id`,
    values: ['domainId' in which ? which.domainId : null, 'addressId' in which ? which.addressId : null, now, purgeAt],
  })
  return rows.map(({ id }) => id)
}

export const deleteNames = async (tx: Tx<Tables>, addressIds: readonly string[]): Promise<void> => {
  await tx.deleteFrom('address_name').where('address_id', 'in', addressIds).execute()
}

/** Aliases of other domains' addresses at this one. */
export const deleteNamesAt = async (tx: Tx<Tables>, domainId: string): Promise<void> => {
  await tx.deleteFrom('address_name').where('domain_id', '=', domainId).execute()
}

export const clearCatchAlls = async (tx: Tx<Tables>, addressIds: readonly string[], now: Date): Promise<void> => {
  await tx
    .updateTable('domain')
    .set({ catch_all_address_id: null, updated_at: now })
    .where('catch_all_address_id', 'in', addressIds)
    .execute()
}
