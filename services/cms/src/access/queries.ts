import type { Role } from '@stoa/cms-model/permissions.ts'
import type { CmsDb, CmsTx } from '../context.ts'
import type { Account } from '../principal.ts'

export type FoundSession = {
  id: string
  createdAt: Date
  lastSeenAt: Date
  expiresAt: Date
  /** Ended by someone, or its account was deactivated. */
  isRevoked: boolean
  account: Account
}

type Row = {
  id: string
  created_at: Date
  last_seen_at: Date
  expires_at: Date
  is_revoked: boolean
  account_id: string
  email: string
  name: string
  role: Role
  version: number
  account_created_at: Date
  account_updated_at: Date
}

/** Session and account in one prepared statement: every authenticated request runs it. */
export const findSession = async (db: CmsDb, tokenHash: Buffer): Promise<FoundSession | null> => {
  const [row] = await db.query<Row>({
    name: 'find-session',
    text: `select s.id, s.created_at, s.last_seen_at, s.expires_at,
        s.revoked_at is not null or a.deactivated_at is not null as is_revoked,
        a.id as account_id, a.email, a.name, a.role, a.version,
        a.created_at as account_created_at, a.updated_at as account_updated_at
      from session s join account a on a.id = s.account_id
      where s.token_hash = $1`,
    values: [tokenHash],
  })
  return row ? toSession(row) : null
}

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

const toSession = (row: Row): FoundSession => ({
  id: row.id,
  createdAt: row.created_at,
  lastSeenAt: row.last_seen_at,
  expiresAt: row.expires_at,
  isRevoked: row.is_revoked,
  account: {
    id: row.account_id,
    email: row.email,
    name: row.name,
    role: row.role,
    version: row.version,
    createdAt: row.account_created_at,
    updatedAt: row.account_updated_at,
  },
})
