import type { Db, Tx } from '@stoa/kit/db/database.ts'
import type { FilterListRequest } from '@stoa/mail-model/filters.ts'
import { type Insertable, type Selectable, sql } from 'kysely'
import { contains, type Page, readPage } from '../../pagination/pagination.ts'
import type { SieveScriptTable } from '../../tables/receiving.ts'
import type { Tables } from '../../tables.ts'

/** A script that the customer keeps in the panel. */
export type FilterRow = Omit<Selectable<SieveScriptTable>, 'account_id' | 'origin'>

/** All filters of an account; with an address, those of that address alone. */
export type FilterScope = { accountId: string; addressId: string | null }

const COLUMNS = [
  'sieve_script.id',
  'sieve_script.name',
  'sieve_script.address_id',
  'sieve_script.source',
  'sieve_script.enabled',
  'sieve_script.extensions',
  'sieve_script.created_at',
  'sieve_script.updated_at',
] as const

export const listFilterRows = (
  db: Db<Tables>,
  scope: FilterScope,
  list: FilterListRequest,
): Promise<Page<FilterRow>> => {
  const all = filters(db, scope)
  const text = sql`concat_ws(' ', sieve_script.name, sieve_script.source)`
  return readPage(list.search ? all.where(contains(text, list.search)) : all, list, {
    columns: {
      position: 'sieve_script.position',
      name: 'sieve_script.name',
      created_at: 'sieve_script.created_at',
      updated_at: 'sieve_script.updated_at',
    },
    id: 'sieve_script.id',
  })
}

export const findFilter = (db: Db<Tables>, scope: FilterScope, id: string): Promise<FilterRow | undefined> =>
  filters(db, scope).where('sieve_script.id', '=', id).executeTakeFirst()

/** In the order in which they run. */
export const listFilterIds = async (db: Db<Tables>, scope: FilterScope): Promise<string[]> => {
  const rows = await filters(db, scope)
    .clearSelect()
    .select('sieve_script.id')
    .orderBy('sieve_script.position')
    .orderBy('sieve_script.id')
    .execute()
  return rows.map(({ id }) => id)
}

export const insertFilter = async (tx: Tx<Tables>, row: Insertable<SieveScriptTable>): Promise<void> => {
  await tx.insertInto('sieve_script').values(row).execute()
}

export type FilterChange = Partial<Pick<FilterRow, 'name' | 'address_id' | 'source' | 'extensions' | 'enabled'>>

/** Every write is another version, also within the same millisecond. */
export const updateFilterRow = async (
  tx: Tx<Tables>,
  { accountId, id, change, now }: { accountId: string; id: string; change: FilterChange; now: Date },
): Promise<void> => {
  await tx
    .updateTable('sieve_script')
    .set({ ...change, updated_at: sql<Date>`greatest(${now}::timestamptz, updated_at + interval '1 ms')` })
    .where('account_id', '=', accountId)
    .where('origin', '=', 'panel')
    .where('id', '=', id)
    .execute()
}

export const deleteFilterRow = async (tx: Tx<Tables>, accountId: string, id: string): Promise<void> => {
  await tx
    .deleteFrom('sieve_script')
    .where('account_id', '=', accountId)
    .where('origin', '=', 'panel')
    .where('id', '=', id)
    .execute()
}

/** Numbers the filters of the account from 0 in this order. */
export const numberFilters = async (tx: Tx<Tables>, accountId: string, ids: readonly string[]): Promise<void> => {
  await tx.query({
    text: `update sieve_script set position = wanted.nth - 1
           from unnest($2::uuid[]) with ordinality wanted (id, nth)
           where sieve_script.account_id = $1 and sieve_script.id = wanted.id and position <> wanted.nth - 1`,
    values: [accountId, ids],
  })
}

/** Filters of the panel, without those of deleted addresses. Positions count the filters of the same scope. */
const filters = (db: Db<Tables>, { accountId, addressId }: FilterScope) => {
  const place = sql<number>`(select count(*)::int from sieve_script other
    where other.account_id = sieve_script.account_id and other.origin = 'panel' and other.address_id = ${addressId}::uuid
      and (other.position, other.id) < (sieve_script.position, sieve_script.id))`
  const all = db
    .selectFrom('sieve_script')
    .leftJoin('address', 'address.id', 'sieve_script.address_id')
    .select(COLUMNS)
    .select((addressId === null ? sql<number>`sieve_script.position` : place).as('position'))
    .where('sieve_script.account_id', '=', accountId)
    .where('sieve_script.origin', '=', 'panel')
    .where('address.deleted_at', 'is', null)
  return addressId === null ? all : all.where('sieve_script.address_id', '=', addressId)
}
