import type { Db, Tx } from '@stoa/kit/db/database.ts'
import type { Insertable, Selectable } from 'kysely'
import type { DkimKeyTable, DomainTable } from '../../tables/hosting.ts'
import type { Tables } from '../../tables.ts'

export type Domain = Selectable<DomainTable>
export type DkimKey = Omit<Selectable<DkimKeyTable>, 'sealed_private_key'>

const KEY_COLUMNS = [
  'domain_id',
  'id',
  'selector',
  'algorithm',
  'key_bits',
  'public_key',
  'active',
  'created_at',
  'activated_at',
] as const

export const insertKeys = async (tx: Tx<Tables>, rows: Insertable<DkimKeyTable>[]): Promise<void> => {
  await tx.insertInto('dkim_key').values(rows).execute()
}

export const findDomain = (db: Db<Tables>, accountId: string, id: string): Promise<Domain | undefined> =>
  db
    .selectFrom('domain')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()

export const lockDomain = (tx: Tx<Tables>, accountId: string, id: string): Promise<Domain | undefined> =>
  tx
    .selectFrom('domain')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()

export const listDomains = (db: Db<Tables>, accountId: string): Promise<Domain[]> =>
  db
    .selectFrom('domain')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .orderBy('name')
    .execute()

export type DomainChange = Partial<
  Pick<
    Domain,
    | 'catch_all_address_id'
    | 'fallback_domain_id'
    | 'tls'
    | 'dmarc_policy'
    | 'mta_sts_mode'
    | 'open_tracking'
    | 'click_tracking'
    | 'note'
    | 'verified_at'
  >
>

export const updateDomainRow = (
  tx: Tx<Tables>,
  id: string,
  change: DomainChange & { updated_at: Date },
): Promise<Domain> => tx.updateTable('domain').set(change).where('id', '=', id).returningAll().executeTakeFirstOrThrow()

export type LocalDomainRow = { id: string; accountId: string; name: string; verifiedAt: Date }

/** Named columns, because this plan is kept. */
export const findVerifiedDomain = async (db: Db<Tables>, name: string): Promise<LocalDomainRow | undefined> => {
  const [row] = await db.query<{ id: string; account_id: string; name: string; verified_at: Date }>({
    name: 'find-verified-domain',
    text: `select id, account_id, name, verified_at from domain
           where name = $1 and deleted_at is null and verified_at is not null`,
    values: [name],
  })
  return row && { id: row.id, accountId: row.account_id, name: row.name, verifiedAt: row.verified_at }
}

export const listKeys = (db: Db<Tables>, domainId: string): Promise<DkimKey[]> =>
  db.selectFrom('dkim_key').select(KEY_COLUMNS).where('domain_id', '=', domainId).orderBy('selector').execute()

export type SealedKey = {
  domain: string
  selector: string
  algorithm: 'rsa-sha256' | 'ed25519-sha256'
  sealed_private_key: string
}

export const findActiveKey = async (db: Db<Tables>, domainId: string): Promise<SealedKey | undefined> => {
  const [row] = await db.query<SealedKey>({
    name: 'find-active-key',
    text: `select domain.name as domain, key.selector, key.algorithm, key.sealed_private_key
           from dkim_key key join domain on domain.id = key.domain_id
           where key.domain_id = $1 and key.active and domain.deleted_at is null and domain.verified_at is not null`,
    values: [domainId],
  })
  return row
}

export const findKey = (db: Db<Tables>, domainId: string, id: string): Promise<DkimKey | undefined> =>
  db
    .selectFrom('dkim_key')
    .select(KEY_COLUMNS)
    .where('domain_id', '=', domainId)
    .where('id', '=', id)
    .executeTakeFirst()

export const deactivateKeys = async (tx: Tx<Tables>, domainId: string): Promise<void> => {
  await tx
    .updateTable('dkim_key')
    .set({ active: false })
    .where('domain_id', '=', domainId)
    .where('active', '=', true)
    .execute()
}

export const activateKeyRow = (tx: Tx<Tables>, domainId: string, id: string, now: Date): Promise<DkimKey> =>
  tx
    .updateTable('dkim_key')
    .set({ active: true, activated_at: now })
    .where('domain_id', '=', domainId)
    .where('id', '=', id)
    .returning(KEY_COLUMNS)
    .executeTakeFirstOrThrow()

export const deleteKeyRow = async (tx: Tx<Tables>, domainId: string, id: string): Promise<void> => {
  await tx.deleteFrom('dkim_key').where('domain_id', '=', domainId).where('id', '=', id).execute()
}

/** The number of the next key; each is given once. */
export const takeKeyNumber = async (tx: Tx<Tables>, domainId: string, now: Date): Promise<number> => {
  const row = await tx
    .updateTable('domain')
    .set(({ eb }) => ({ next_key: eb('next_key', '+', 1), updated_at: now }))
    .where('id', '=', domainId)
    .returning('next_key')
    .executeTakeFirstOrThrow()
  return row.next_key - 1
}

export const findPolicyMode = async (db: Db<Tables>, id: string): Promise<Domain['mta_sts_mode'] | undefined> =>
  (await db.selectFrom('domain').select('mta_sts_mode').where('id', '=', id).executeTakeFirst())?.mta_sts_mode
