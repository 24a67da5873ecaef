import type { Role } from '@stoa/cms-model/permissions.ts'
import { type Avatar, avatarSql } from '../../avatar.ts'
import type { CmsDb, CmsTx } from '../../context.ts'
import type { Account } from '../../principal.ts'

export type FoundSession = {
  id: string
  createdAt: Date
  lastSeenAt: Date
  expiresAt: Date
  /** Ended by someone, or its account was deactivated. */
  isRevoked: boolean
  account: Account
}

export type FoundAgentKey = {
  id: string
  name: string
  grants: string[]
  lastUsedAt: Date | null
  expiresAt: Date
  /** Revoked by someone, or its account was deactivated. */
  isRevoked: boolean
  account: Account
}

/** What a credential's statement reads of the account behind it. */
type AccountColumns = {
  account_id: string
  email: string
  account_name: string
  role: Role
  avatar: Avatar | null
  has_totp: boolean
  version: number
  account_created_at: Date
  account_updated_at: Date
}
const ACCOUNT_COLUMNS = `a.id as account_id, a.email, a.name as account_name, a.role, ${avatarSql('a')} as avatar, a.has_totp, a.version,
        a.created_at as account_created_at, a.updated_at as account_updated_at`

type SessionRow = AccountColumns & {
  id: string
  created_at: Date
  last_seen_at: Date
  expires_at: Date
  is_revoked: boolean
}

/** Session and account in one prepared statement: every authenticated request runs it. */
export const findSession = async (db: CmsDb, tokenHash: Buffer): Promise<FoundSession | null> => {
  const [row] = await db.query<SessionRow>({
    name: 'find-session',
    text: `${SESSIONS} where s.token_hash = $1`,
    values: [tokenHash],
  })
  return row ? toSession(row) : null
}

/** Reads a session by its ID, for work that goes on after its request. */
export const findSessionById = async (db: CmsDb, id: string): Promise<FoundSession | null> => {
  const [row] = await db.query<SessionRow>({
    name: 'find-session-by-id',
    text: `${SESSIONS} where s.id = $1`,
    values: [id],
  })
  return row ? toSession(row) : null
}

const SESSIONS = `select s.id, s.created_at, s.last_seen_at, s.expires_at,
        s.revoked_at is not null or a.deactivated_at is not null as is_revoked, ${ACCOUNT_COLUMNS}
      from session s join account a on a.id = s.account_id`

/** Notes that a live session was used. */
export const touchSession = async (
  tx: CmsTx,
  id: string,
  { lastSeenAt, expiresAt }: { lastSeenAt: Date; expiresAt: Date },
): Promise<void> => {
  await tx
    .updateTable('session')
    .set({ last_seen_at: lastSeenAt, expires_at: expiresAt })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .where('last_seen_at', '<', lastSeenAt)
    .execute()
}

type AgentKeyRow = AccountColumns & {
  id: string
  name: string
  grants: string[]
  last_used_at: Date | null
  expires_at: Date
  is_revoked: boolean
}

/** Agent key and account in one prepared statement: every request of a program runs it. */
export const findAgentKey = async (db: CmsDb, keyHash: Buffer): Promise<FoundAgentKey | null> => {
  const [row] = await db.query<AgentKeyRow>({
    name: 'find-agent-key',
    text: `select k.id, k.name, k.grants, k.last_used_at, k.expires_at,
        k.revoked_at is not null or a.deactivated_at is not null as is_revoked, ${ACCOUNT_COLUMNS}
      from agent_key k join account a on a.id = k.account_id
      where k.key_hash = $1`,
    values: [keyHash],
  })
  return row ? toAgentKey(row) : null
}

/** Notes that an agent key was used, unless a use was noted since `before`. */
export const touchAgentKey = async (
  tx: CmsTx,
  id: string,
  { now, before }: { now: Date; before: Date },
): Promise<void> => {
  await tx
    .updateTable('agent_key')
    .set({ last_used_at: now })
    .where('id', '=', id)
    .where((where) => where.or([where('last_used_at', 'is', null), where('last_used_at', '<=', before)]))
    .execute()
}

const toSession = (row: SessionRow): FoundSession => ({
  id: row.id,
  createdAt: row.created_at,
  lastSeenAt: row.last_seen_at,
  expiresAt: row.expires_at,
  isRevoked: row.is_revoked,
  account: toAccount(row),
})

const toAgentKey = (row: AgentKeyRow): FoundAgentKey => ({
  id: row.id,
  name: row.name,
  grants: row.grants,
  lastUsedAt: row.last_used_at,
  expiresAt: row.expires_at,
  isRevoked: row.is_revoked,
  account: toAccount(row),
})

const toAccount = (row: AccountColumns): Account => ({
  id: row.account_id,
  email: row.email,
  name: row.account_name,
  role: row.role,
  avatar: row.avatar,
  hasTotp: row.has_totp,
  version: row.version,
  createdAt: row.account_created_at,
  updatedAt: row.account_updated_at,
})
