import type { Db, Tx } from '@stoa/kit/db/database.ts'
import type { Selectable } from 'kysely'
import type { Account } from '../../principal.ts'
import type { SessionTable } from '../../tables/accounts.ts'
import type { Tables } from '../../tables.ts'
import { type AccountRow, toAccount } from './account.ts'

export type FoundSession = { id: string; lastSeenAt: Date; account: Account }

type SessionRow = AccountRow & { session_id: string; session_seen_at: Date }

// Named one by one: a kept plan of `account.*` fails once a migration adds a column.
export const ACCOUNT_COLUMNS = `account.id, account.email, account.email_verified_at, account.pending_email, account.name,
  account.company, account.role, account.timezone, account.locale, account.notifications, account.referral_code,
  account.created_at, account.updated_at, account.last_login_at, account.plan, account.limits, account.past_due_at,
  account.totp_enabled_at, account.bounce_suppression_days`

/** The session and its account's present state in one statement: this runs on every request. */
export const findSession = async (db: Db<Tables>, tokenHash: Buffer, now: Date): Promise<FoundSession | undefined> => {
  const [row] = await db.query<SessionRow>({
    name: 'find-session',
    text: `select ${ACCOUNT_COLUMNS}, session.id as session_id, session.last_seen_at as session_seen_at
           from session join account on account.id = session.account_id
           where session.token_hash = $1 and session.expires_at > $2 and account.deleted_at is null`,
    values: [tokenHash, now],
  })
  return row && { id: row.session_id, lastSeenAt: row.session_seen_at, account: toAccount(row) }
}

export const insertSession = async (tx: Tx<Tables>, row: Selectable<SessionTable>): Promise<void> => {
  await tx.insertInto('session').values(row).execute()
}

export const deleteExpiredSessions = async (tx: Tx<Tables>, accountId: string, now: Date): Promise<void> => {
  await tx.deleteFrom('session').where('account_id', '=', accountId).where('expires_at', '<=', now).execute()
}

export const deleteSessionByToken = async (tx: Tx<Tables>, tokenHash: Buffer): Promise<void> => {
  await tx.deleteFrom('session').where('token_hash', '=', tokenHash).execute()
}

/** Never goes back, also when two requests of one moment arrive in the other order. */
export const touchSession = async (tx: Tx<Tables>, accountId: string, id: string, now: Date): Promise<void> => {
  await tx
    .updateTable('session')
    .set({ last_seen_at: now })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('last_seen_at', '<', now)
    .execute()
}
