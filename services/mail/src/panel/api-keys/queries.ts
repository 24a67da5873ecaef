import type { Db, Tx } from '@stoa/kit/db/database.ts'
import type { ApiKeyListRequest } from '@stoa/mail-model/api-keys.ts'
import type { Insertable, Selectable } from 'kysely'
import { contains, type Page, readPage } from '../../lists/lists.ts'
import type { ApiKeyTable } from '../../tables/keys.ts'
import type { Tables } from '../../tables.ts'

/** A key as its account sees it: the token itself is nowhere. */
export type ApiKeyRow = Omit<Selectable<ApiKeyTable>, 'account_id' | 'token_hash'>

const COLUMNS = [
  'api_key.id',
  'api_key.name',
  'api_key.permission',
  'api_key.domain_id',
  'api_key.token_prefix',
  'api_key.created_at',
  'api_key.last_used_at',
] as const

export const listKeyRows = (db: Db<Tables>, accountId: string, list: ApiKeyListRequest): Promise<Page<ApiKeyRow>> => {
  const all = keys(db, accountId)
  const found = list.search ? all.where(({ ref }) => contains(ref('api_key.name'), list.search ?? '')) : all
  return readPage(found, list, {
    columns: { created_at: 'api_key.created_at', name: 'api_key.name', last_used_at: 'api_key.last_used_at' },
    id: 'api_key.id',
  })
}

export const findKeyRow = (db: Db<Tables>, accountId: string, id: string): Promise<ApiKeyRow | undefined> =>
  keys(db, accountId).where('api_key.id', '=', id).executeTakeFirst()

export const countKeyRows = async (db: Db<Tables>, accountId: string): Promise<number> => {
  const row = await keys(db, accountId)
    .clearSelect()
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}

export const insertKey = async (tx: Tx<Tables>, row: Insertable<ApiKeyTable>): Promise<void> => {
  await tx.insertInto('api_key').values(row).execute()
}

export const deleteKeyRow = async (tx: Tx<Tables>, accountId: string, id: string): Promise<boolean> =>
  (await tx
    .deleteFrom('api_key')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()) !== undefined

/** Without those of domains that are deleted: they went with them. */
const keys = (db: Db<Tables>, accountId: string) =>
  db
    .selectFrom('api_key')
    .leftJoin('domain', 'domain.id', 'api_key.domain_id')
    .select(COLUMNS)
    .where('api_key.account_id', '=', accountId)
    .where('domain.deleted_at', 'is', null)
