import type { Db, Tx } from '@stoa/kit/db/database.ts'
import type { InstanceAccountListRequest } from '@stoa/mail-model/instance-accounts.ts'
import { type Selectable, sql, type Updateable } from 'kysely'
import { contains, type Page, readPage } from '../../pagination/pagination.ts'
import type { AccountTable } from '../../tables/accounts.ts'
import type { Tables } from '../../tables.ts'

export type InstanceAccountRow = Pick<
  Selectable<AccountTable>,
  | 'id'
  | 'email'
  | 'name'
  | 'role'
  | 'plan'
  | 'limits'
  | 'suspended_at'
  | 'suspended_reason'
  | 'totp_enabled_at'
  | 'last_login_at'
  | 'created_at'
>

/** Storage is summed up only where it is asked for. */
const accounts = sql<InstanceAccountRow & { storage_bytes: number }>`(
  select id, email, name, role, plan, limits, suspended_at, suspended_reason, totp_enabled_at, last_login_at, created_at,
    (select coalesce(sum(m.used_bytes), 0) from address d join mailbox m on m.address_id = d.id
      where d.account_id = account.id and d.deleted_at is null) as storage_bytes
  from account where deleted_at is null)`

const COLUMNS = [
  'id',
  'email',
  'name',
  'role',
  'plan',
  'limits',
  'suspended_at',
  'suspended_reason',
  'totp_enabled_at',
  'last_login_at',
  'created_at',
] as const

export const listInstanceAccounts = (
  db: Db<Tables>,
  list: InstanceAccountListRequest,
): Promise<Page<InstanceAccountRow>> => {
  const { search } = list
  const found = db
    .selectFrom(accounts.as('item'))
    .select(COLUMNS)
    .$if(Boolean(search), (query) => query.where(contains(sql`concat_ws(' ', email, name)`, search ?? '')))
  return readPage(found, list, {
    columns: { created_at: 'created_at', email: 'email', storage_bytes: 'storage_bytes' },
    id: 'id',
  })
}

export const findInstanceAccount = (db: Db<Tables>, id: string): Promise<InstanceAccountRow | undefined> =>
  db.selectFrom(accounts.as('item')).select(COLUMNS).where('id', '=', id).executeTakeFirst()

/** The id of an account by the address that its owner signs in with. */
export const findAccountId = async (db: Db<Tables>, email: string): Promise<string | undefined> =>
  (
    await db
      .selectFrom('account')
      .select('id')
      .where('email', '=', email)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
  )?.id

export const updateGrants = async (
  tx: Tx<Tables>,
  id: string,
  change: Updateable<Pick<AccountTable, 'granted_plan' | 'limits' | 'updated_at'>>,
): Promise<void> => {
  await tx.updateTable('account').set(change).where('id', '=', id).execute()
}
