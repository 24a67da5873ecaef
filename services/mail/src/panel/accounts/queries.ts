import type { Db, Tx } from '@stoa/kit/db/database.ts'
import type { ListRequest } from '@stoa/mail-model/list.ts'
import { type Expression, type Insertable, type Selectable, type SqlBool, sql } from 'kysely'
import { toAccount } from '../../hosting/access/access.ts'
import { type Page, readPage } from '../../pagination/pagination.ts'
import type { Account } from '../../principal.ts'
import type { AccountTable, SessionTable } from '../../tables/accounts.ts'
import type { Tables } from '../../tables.ts'

/** Any number that nothing else in this database locks. */
const FIRST_ACCOUNT_LOCK = 1_812_004_001

export const hasAccounts = async (db: Db<Tables>): Promise<boolean> =>
  (await db.selectFrom('account').select('id').where('deleted_at', 'is', null).limit(1).executeTakeFirst()) !==
  undefined

/** Lets one transaction at a time make the first account or remove the last one. */
export const lockFirstAccount = async (tx: Tx<Tables>): Promise<void> => {
  await sql`select pg_advisory_xact_lock(${FIRST_ACCOUNT_LOCK})`.execute(tx)
}

/** Waits for such a transaction, and lets none begin before this one ends; others like this one go on. */
export const lockFurtherAccount = async (tx: Tx<Tables>): Promise<void> => {
  await sql`select pg_advisory_xact_lock_shared(${FIRST_ACCOUNT_LOCK})`.execute(tx)
}

export const isEmailTaken = async (db: Db<Tables>, email: string): Promise<boolean> =>
  (await db.selectFrom('account').select('id').where('email', '=', email).executeTakeFirst()) !== undefined

export const findAccountIdByReferralCode = async (db: Db<Tables>, code: string): Promise<string | undefined> =>
  (await db.selectFrom('account').select('id').where('referral_code', '=', code).executeTakeFirst())?.id

export const insertAccount = async (tx: Tx<Tables>, row: Insertable<AccountTable>): Promise<Account> =>
  toAccount(await tx.insertInto('account').values(row).returningAll().executeTakeFirstOrThrow())

export type Credentials = { id: string; passwordHash: string; hasTotp: boolean }

export const findCredentialsByEmail = (db: Db<Tables>, email: string): Promise<Credentials | undefined> =>
  selectCredentials(db).where('email', '=', email).executeTakeFirst()

export const findCredentials = (db: Db<Tables>, id: string): Promise<Credentials | undefined> =>
  selectCredentials(db).where('id', '=', id).executeTakeFirst()

const selectCredentials = (db: Db<Tables>) =>
  db
    .selectFrom('account')
    .select(({ eb }) => ['id', 'password_hash as passwordHash', eb('totp_enabled_at', 'is not', null).as('hasTotp')])
    .where('deleted_at', 'is', null)
    .$castTo<Credentials>()

/** Writes a sign-in only while the password that was checked is still the account's. */
export const updateLastLogin = async (
  tx: Tx<Tables>,
  checked: Credentials,
  change: { now: Date; passwordHash: string },
): Promise<Account | undefined> => {
  const row = await tx
    .updateTable('account')
    .set({ last_login_at: change.now, password_hash: change.passwordHash })
    .where('id', '=', checked.id)
    .where('password_hash', '=', checked.passwordHash)
    .returningAll()
    .executeTakeFirst()
  return row && toAccount(row)
}

/** Writes a new password only while the one that was checked is still the account's; no new address waits any more. */
export const updatePassword = async (
  tx: Tx<Tables>,
  checked: Credentials,
  change: { now: Date; passwordHash: string },
): Promise<Account | undefined> => {
  const row = await tx
    .updateTable('account')
    .set({ password_hash: change.passwordHash, pending_email: null, updated_at: change.now })
    .where('id', '=', checked.id)
    .where('password_hash', '=', checked.passwordHash)
    .returningAll()
    .executeTakeFirst()
  return row && toAccount(row)
}

/** Makes changes to one account's sessions happen one after the other. */
export const lockAccount = async (tx: Tx<Tables>, id: string): Promise<void> => {
  await tx.selectFrom('account').select('id').where('id', '=', id).forUpdate().execute()
}

export const hasSession = async (db: Db<Tables>, accountId: string, id: string): Promise<boolean> =>
  (await db
    .selectFrom('session')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst()) !== undefined

export const deleteOtherSessions = async (
  tx: Tx<Tables>,
  accountId: string,
  keep: { id: string; now: Date },
): Promise<number> => {
  const gone = await tx
    .deleteFrom('session')
    .where('account_id', '=', accountId)
    .where('id', '!=', keep.id)
    .returning('expires_at')
    .execute()
  // Expired sessions do not count.
  return gone.filter((session) => session.expires_at > keep.now).length
}

export type SessionRow = Omit<Selectable<SessionTable>, 'account_id' | 'token_hash'>

export const listSessions = (
  db: Db<Tables>,
  accountId: string,
  list: ListRequest<'last_seen_at' | 'created_at'> & { now: Date },
): Promise<Page<SessionRow>> => {
  const live = db
    .selectFrom('session')
    .select(['id', 'ip', 'user_agent', 'created_at', 'last_seen_at', 'expires_at'])
    .where('account_id', '=', accountId)
    .where('expires_at', '>', list.now)
  const found = list.search ? live.where(contains(sql`concat_ws(' ', host(ip), user_agent)`, list.search)) : live
  return readPage(found, list, {
    columns: { last_seen_at: 'last_seen_at', created_at: 'created_at' },
    id: 'id',
  })
}

const contains = (text: Expression<unknown>, part: string): Expression<SqlBool> =>
  sql<boolean>`strpos(lower(${text}), lower(${part})) > 0`
