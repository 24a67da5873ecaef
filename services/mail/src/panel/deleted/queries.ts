import type { Db, Tx } from '@stoa/kit/db/database.ts'
import type { Deleted, DeletedListRequest } from '@stoa/mail-model/deleted.ts'
import { sql } from 'kysely'
import { contains, type Page, readPage } from '../../pagination/pagination.ts'
import type { Tables } from '../../tables.ts'

export type DeletedRow = { id: string; account_id: string; kind: Deleted['kind']; name: string; purge_at: Date }

/** Addresses that went with their domain come back with it, so only the domain is shown. */
const deletedOf = (accountId: string, now: Date) => sql<DeletedRow>`(
  select id, account_id, 'domain' as kind, name, purge_at from domain
  where account_id = ${accountId} and deleted_at is not null and purge_at > ${now}
  union all
  select a.id, a.account_id, 'address', a.email, a.purge_at
  from address a join domain d on d.id = a.domain_id and d.deleted_at is null
  where a.account_id = ${accountId} and a.deleted_at is not null and a.purge_at > ${now})`

export const listDeleted = (
  db: Db<Tables>,
  { accountId, now }: { accountId: string; now: Date },
  list: DeletedListRequest,
): Promise<Page<DeletedRow>> => {
  const { search } = list
  const found = db
    .selectFrom(deletedOf(accountId, now).as('item'))
    .selectAll()
    .$if(Boolean(search), (query) => query.where(contains(sql`name`, search ?? '')))
  return readPage(found, list, { columns: { purge_at: 'purge_at', name: 'name' }, id: 'id' })
}

export const findDeleted = (
  db: Db<Tables>,
  { accountId, now }: { accountId: string; now: Date },
  id: string,
): Promise<DeletedRow | undefined> =>
  db.selectFrom(deletedOf(accountId, now).as('item')).selectAll().where('id', '=', id).executeTakeFirst()

type Wanted = { accountId: string; id: string; now: Date }

export type DeletedDomain = { name: string; deletedAt: Date; addresses: number; bytes: number }

/** Undefined when it was restored or purged meanwhile. */
export const lockDeletedDomain = async (
  tx: Tx<Tables>,
  { accountId, id, now }: Wanted,
): Promise<DeletedDomain | undefined> => {
  await tx.query({ text: 'select 1 from domain where id = $1 for no key update', values: [id] })
  const [row] = await tx.query<DeletedDomain>({
    text: `select d.name, d.deleted_at as "deletedAt", boxes.addresses, boxes.bytes
           from domain d cross join lateral (
             select count(*) as addresses, coalesce(sum(m.used_bytes), 0)::bigint as bytes
             from address a join mailbox m on m.address_id = a.id
             where a.domain_id = d.id and a.deleted_at = d.deleted_at
           ) boxes
           where d.id = $2 and d.account_id = $1 and d.deleted_at is not null and d.purge_at > $3`,
    values: [accountId, id, now],
  })
  return row
}

/**
 * Brings a domain back with the addresses that went with it, their names, and what pointed at it and is free. Who else had
 * the name since may own it now, so it must be proven again then. Gives the ids of the addresses.
 */
export const restoreDomainRows = async (
  tx: Tx<Tables>,
  { accountId, id, deletedAt, now }: Wanted & { deletedAt: Date },
): Promise<string[]> => {
  await tx.query({
    text: `update domain d set deleted_at = null, purge_at = null, updated_at = $3,
             verified_at = case when exists (
               select from domain o where o.name = d.name and o.id <> d.id and o.account_id <> d.account_id
                 and coalesce(o.deleted_at, $3) >= $4
             ) then null else verified_at end
           where id = $2 and account_id = $1`,
    values: [accountId, id, now, deletedAt],
  })
  const addresses = await tx.query<{ id: string }>({
    text: `update address set deleted_at = null, purge_at = null, updated_at = $3
           where domain_id = $1 and deleted_at = $2 returning id`,
    values: [id, deletedAt, now],
  })
  const ids = addresses.map((address) => address.id)
  await insertKeptNames(tx, ids)
  await tx.query({
    text: `insert into address_name (domain_id, local_part, address_id, kind)
           select d.id, n ->> 'localPart', a.id, n ->> 'kind'
           from domain d cross join jsonb_array_elements(d.kept -> 'names') n
           join address a on a.id = (n ->> 'addressId')::uuid and a.account_id = d.account_id and a.deleted_at is null
           where d.id = $1
           on conflict do nothing`,
    values: [id],
  })
  await tx.query({
    text: `with kept as (select id, account_id, kept from domain where id = $1), own as (
             update domain d set kept = null,
               catch_all_address_id = (select a.id from address a
                 where a.id = (kept.kept ->> 'catchAllAddressId')::uuid and a.account_id = kept.account_id
                   and a.deleted_at is null),
               fallback_domain_id = (select f.id from domain f
                 where f.id = (kept.kept ->> 'fallbackDomainId')::uuid and f.account_id = kept.account_id
                   and f.deleted_at is null and f.fallback_domain_id is null)
             from kept where d.id = kept.id
           )
           update dns_check set next_check_at = $2 where domain_id = $1`,
    values: [id, now],
  })
  return ids
}

export type DeletedAddress = { email: string; bytes: number }

export const lockDeletedAddress = async (
  tx: Tx<Tables>,
  { accountId, id, now }: Wanted,
): Promise<DeletedAddress | undefined> => {
  await tx.query({ text: 'select 1 from address where id = $1 for no key update', values: [id] })
  const [row] = await tx.query<DeletedAddress>({
    text: `select a.email, m.used_bytes as bytes from address a
           join mailbox m on m.address_id = a.id
           join domain d on d.id = a.domain_id and d.deleted_at is null
           where a.id = $2 and a.account_id = $1 and a.deleted_at is not null and a.purge_at > $3`,
    values: [accountId, id, now],
  })
  return row
}

/** The address's own name must be free; aliases that are taken are left out. */
export const restoreAddressRow = async (tx: Tx<Tables>, id: string, now: Date): Promise<void> => {
  await tx.query({
    text: 'update address set deleted_at = null, purge_at = null, updated_at = $2 where id = $1',
    values: [id, now],
  })
  await tx.query({
    text: `insert into address_name (domain_id, local_part, address_id, kind)
           select domain_id, local_part, id, 'address' from address where id = $1`,
    values: [id],
  })
  await insertKeptNames(tx, [id])
}

/** Restores the names of addresses and their role as catch-all, as far as those are still free. */
const insertKeptNames = async (tx: Tx<Tables>, addressIds: readonly string[]): Promise<void> => {
  await tx.query({
    text: `insert into address_name (domain_id, local_part, address_id, kind)
           select d.id, n ->> 'localPart', a.id, n ->> 'kind'
           from address a cross join jsonb_array_elements(a.kept -> 'names') n
           join domain d on d.id = (n ->> 'domainId')::uuid and d.account_id = a.account_id and d.deleted_at is null
           where a.id = any ($1::uuid[])
           on conflict do nothing`,
    values: [addressIds],
  })
  await tx.query({
    text: `with kept as (select id, account_id, kept from address where id = any ($1::uuid[])), catching as (
             update domain d set catch_all_address_id = kept.id
             from kept cross join jsonb_array_elements_text(kept.kept -> 'catchAllOf') c (domain_id)
             where d.id = c.domain_id::uuid and d.account_id = kept.account_id and d.deleted_at is null
               and d.catch_all_address_id is null
           )
           update address a set kept = null from kept where a.id = kept.id`,
    values: [addressIds],
  })
}

export type Room = { domains: number; addresses: number; bytes: number }

/** Counts what the account has, without deleted items. */
export const countHeld = async (db: Db<Tables>, accountId: string): Promise<Room> => {
  const [row] = await db.query<Room>({
    text: `select (select count(*) from domain where account_id = $1 and deleted_at is null) as domains,
             count(*) as addresses, coalesce(sum(m.used_bytes), 0)::bigint as bytes
           from address a join mailbox m on m.address_id = a.id where a.account_id = $1 and a.deleted_at is null`,
    values: [accountId],
  })
  if (!row) throw new Error('a count returned no row')
  return row
}
