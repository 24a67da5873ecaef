import type { Page, SortOrder } from '@stoa/cms-model/lists.ts'
import { type Role, roles } from '@stoa/cms-model/permissions.ts'
import { sql } from 'kysely'
import { type Avatar, avatarSql } from '../../avatar.ts'
import type { CmsDb, CmsTx } from '../../context.ts'
import type { Account } from '../../principal.ts'

/** The key of an advisory lock, unique in this database. */
const ACCOUNTS_LOCK = 4_300_001

/**
 * One change of accounts at a time, until the transaction ends: rules such as "there is an owner" look at several rows,
 * and at rows that are not there yet.
 */
export const lockAccounts = async (tx: CmsTx): Promise<void> => {
  await sql`select pg_advisory_xact_lock(${ACCOUNTS_LOCK})`.execute(tx)
}

export const hasAccounts = async (db: CmsDb): Promise<boolean> => {
  const row = await db.selectFrom('account').select('id').limit(1).executeTakeFirst()
  return row !== undefined
}

const avatar = sql<Avatar | null>`${sql.raw(avatarSql('account'))}`.as('avatar')
const accountColumns = [
  'id',
  'email',
  'name',
  'role',
  avatar,
  'has_totp',
  'version',
  'created_at',
  'updated_at',
] as const
type AccountRow = {
  id: string
  email: string
  name: string
  role: Role
  avatar: Avatar | null
  has_totp: boolean
  version: number
  created_at: Date
  updated_at: Date
}

/** An account that has not been deactivated. */
export const findAccount = async (db: CmsDb, id: string): Promise<Account | null> => {
  const row = await activeAccounts(db).select(accountColumns).where('id', '=', id).executeTakeFirst()
  return row ? toAccount(row) : null
}

export type AccountWithPassword = Account & { passwordHash: string }

export const findAccountByEmail = async (db: CmsDb, email: string): Promise<AccountWithPassword | null> => {
  const row = await activeAccounts(db)
    .select([...accountColumns, 'password_hash'])
    .where(sql<boolean>`lower(email collate "C") = lower(${email}::text collate "C")`)
    .executeTakeFirst()
  return row ? { ...toAccount(row), passwordHash: row.password_hash } : null
}

/** The account as it now is, which cannot change before the transaction ends; null once it is deactivated. */
export const lockAccount = async (tx: CmsTx, id: string): Promise<AccountWithPassword | null> => {
  const row = await activeAccounts(tx)
    .select([...accountColumns, 'password_hash'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row ? { ...toAccount(row), passwordHash: row.password_hash } : null
}

export type NewAccount = { id: string; email: string; name: string; role: Role; passwordHash: string }
export type Stamp = { at: Date; by: string | null }

export const insertAccount = async (tx: CmsTx, account: NewAccount, { at, by }: Stamp): Promise<Account> => {
  const row = await tx
    .insertInto('account')
    .values({
      id: account.id,
      email: account.email,
      name: account.name,
      role: account.role,
      password_hash: account.passwordHash,
      created_at: at,
      updated_at: at,
      updated_by: by,
      deactivated_at: null,
    })
    .returning(accountColumns)
    .executeTakeFirstOrThrow()
  return toAccount(row)
}

export type AccountChanges = {
  email?: string
  name?: string
  role?: Role
  avatarId?: string | null
  passwordHash?: string
  hasTotp?: boolean
}

export const updateAccount = async (
  tx: CmsTx,
  id: string,
  changes: AccountChanges,
  { at, by }: Stamp,
): Promise<Account> => {
  const row = await tx
    .updateTable('account')
    .set((set) => ({
      ...(changes.email === undefined ? {} : { email: changes.email }),
      ...(changes.name === undefined ? {} : { name: changes.name }),
      ...(changes.role === undefined ? {} : { role: changes.role }),
      ...(changes.avatarId === undefined ? {} : { avatar_id: changes.avatarId }),
      ...(changes.passwordHash === undefined ? {} : { password_hash: changes.passwordHash }),
      ...(changes.hasTotp === undefined ? {} : { has_totp: changes.hasTotp }),
      version: set('version', '+', 1),
      updated_at: at,
      updated_by: by,
    }))
    .where('id', '=', id)
    .returning(accountColumns)
    .executeTakeFirstOrThrow()
  return toAccount(row)
}

/** What kind of file of the media library this is; null when there is none. */
export const findMimeType = async (db: CmsDb, mediaId: string): Promise<string | null> => {
  const row = await db.selectFrom('media').select('mime_type').where('id', '=', mediaId).executeTakeFirst()
  return row?.mime_type ?? null
}

/** A stronger hash of the same password: nothing that anybody would call a change. */
export const replacePasswordHash = async (tx: CmsTx, id: string, passwordHash: string): Promise<void> => {
  await tx.updateTable('account').set({ password_hash: passwordHash }).where('id', '=', id).execute()
}

export const deactivateAccount = async (tx: CmsTx, id: string, { at, by }: Stamp): Promise<void> => {
  await tx
    .updateTable('account')
    .set((set) => ({ deactivated_at: at, version: set('version', '+', 1), updated_at: at, updated_by: by }))
    .where('id', '=', id)
    .execute()
}

export const countOwners = async (db: CmsDb): Promise<number> => {
  const { count } = await activeAccounts(db)
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('role', '=', 'owner')
    .executeTakeFirstOrThrow()
  return count
}

/** Who changed the account last; null when it was the service itself. */
export const findLastEditor = async (db: CmsDb, id: string): Promise<{ id: string; name: string } | null> => {
  const row = await db
    .selectFrom('account as changed')
    .innerJoin('account as editor', 'editor.id', 'changed.updated_by')
    .select(['editor.id', 'editor.name'])
    .where('changed.id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

const sortColumns = {
  name: sql`lower(name)`,
  email: sql`lower(email collate "C")`,
  role: sql`array_position(${sql.val([...roles])}::text[], role)`,
  createdAt: sql`created_at`,
  updatedAt: sql`updated_at`,
} as const
export const accountSortKeys = [
  'name',
  'email',
  'role',
  'createdAt',
  'updatedAt',
] as const satisfies (keyof typeof sortColumns)[]
export type AccountSortKey = (typeof accountSortKeys)[number]
export type AccountFilter = Page & { q?: string | undefined; sort: SortOrder<AccountSortKey> }

export const listAccounts = async (
  db: CmsDb,
  { q, sort, page, limit }: AccountFilter,
): Promise<{ accounts: Account[]; total: number }> => {
  const pattern = `%${(q ?? '').replace(/[\\%_]/g, '\\$&')}%`
  const matching = activeAccounts(db).where((where) =>
    where.or([where('name', 'ilike', pattern), where('email', 'ilike', pattern)]),
  )
  const { count } = await matching
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  let ordered = matching.select(accountColumns)
  for (const { key, descending } of sort) ordered = ordered.orderBy(sortColumns[key], descending ? 'desc' : 'asc')
  const rows = await ordered
    .orderBy('id')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
  return { accounts: rows.map(toAccount), total: count }
}

/** When someone was last seen, by account; without those who never were, or whose sessions are forgotten. */
export const listLastSeen = async (db: CmsDb, accountIds: readonly string[]): Promise<Map<string, Date>> => {
  const rows = await db
    .selectFrom('session')
    .select((select) => ['account_id', select.fn.max('last_seen_at').as('last_seen_at')])
    .where('account_id', 'in', accountIds)
    .groupBy('account_id')
    .execute()
  return new Map(rows.map((row) => [row.account_id, row.last_seen_at]))
}

export const listAllAccounts = async (db: CmsDb): Promise<(Account & { isActive: boolean })[]> => {
  const rows = await db
    .selectFrom('account')
    .select([...accountColumns, 'deactivated_at'])
    .orderBy(sortColumns.email)
    .execute()
  return rows.map((row) => ({ ...toAccount(row), isActive: row.deactivated_at === null }))
}

export type NewSession = {
  id: string
  accountId: string
  tokenHash: Buffer
  ip: string
  userAgent: string | null
  createdAt: Date
  expiresAt: Date
}

export const insertSession = async (tx: CmsTx, session: NewSession): Promise<void> => {
  await tx
    .insertInto('session')
    .values({
      id: session.id,
      account_id: session.accountId,
      token_hash: session.tokenHash,
      ip: session.ip,
      user_agent: session.userAgent,
      created_at: session.createdAt,
      last_seen_at: session.createdAt,
      expires_at: session.expiresAt,
      revoked_at: null,
    })
    .execute()
}

export type LiveSession = Omit<NewSession, 'accountId' | 'tokenHash'> & { lastSeenAt: Date }

/** The account's sessions that still work, the latest used first. */
export const listLiveSessions = async (
  db: CmsDb,
  { accountId, now, page, limit }: Page & { accountId: string; now: Date },
): Promise<{ sessions: LiveSession[]; total: number }> => {
  const live = db
    .selectFrom('session')
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
  const { count } = await live.select((select) => select.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const rows = await live
    .select(['id', 'ip', 'user_agent', 'created_at', 'last_seen_at', 'expires_at'])
    .orderBy('last_seen_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
  const sessions = rows.map((row) => ({
    id: row.id,
    ip: row.ip,
    userAgent: row.user_agent,
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
    expiresAt: row.expires_at,
  }))
  return { sessions, total: count }
}

/** Ends one live session of this account; false when there is none with this id. */
export const revokeSession = async (
  tx: CmsTx,
  { id, accountId, now }: { id: string; accountId: string; now: Date },
): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('session')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Returns the ID of the session that was revoked, if there was one. */
export const revokeSessionByToken = async (tx: CmsTx, tokenHash: Buffer, now: Date): Promise<string | null> => {
  const row = await tx
    .updateTable('session')
    .set({ revoked_at: now })
    .where('token_hash', '=', tokenHash)
    .where('revoked_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row?.id ?? null
}

export const revokeAllSessions = async (tx: CmsTx, accountId: string, now: Date): Promise<void> => {
  await tx
    .updateTable('session')
    .set({ revoked_at: now })
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .execute()
}

export const revokeOtherSessions = async (
  tx: CmsTx,
  { accountId, keptId, now }: { accountId: string; keptId: string; now: Date },
): Promise<void> => {
  await tx
    .updateTable('session')
    .set({ revoked_at: now })
    .where('account_id', '=', accountId)
    .where('id', '!=', keptId)
    .where('revoked_at', 'is', null)
    .execute()
}

/** Forgets some sessions that ended before this moment; called with every sign-in, so that they do not pile up. */
export const deleteSessionsEndedBefore = async (tx: CmsTx, moment: Date): Promise<void> => {
  await tx.query({
    text: `delete from session where ctid = any (array(
        select ctid from session where expires_at < $1 limit 100 for update skip locked))`,
    values: [moment],
  })
}

const activeAccounts = (db: CmsDb) => db.selectFrom('account').where('deactivated_at', 'is', null)

const toAccount = (row: AccountRow): Account => ({
  id: row.id,
  email: row.email,
  name: row.name,
  role: row.role,
  avatar: row.avatar,
  hasTotp: row.has_totp,
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
