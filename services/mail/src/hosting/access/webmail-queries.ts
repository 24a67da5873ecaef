import type { Db, Tx } from '@stoa/kit/db/database.ts'
import type { Insertable } from 'kysely'
import type { WebmailSessionTable } from '../../tables/webmail.ts'
import type { Tables } from '../../tables.ts'

export type FoundWebmailSession = {
  sessionId: string
  passwordStamp: string
  lastSeenAt: Date
  expiresAt: Date
  passwordHash: string
  id: string
  accountId: string
  domainId: string
  email: string
  name: string | null
  sendEnabled: boolean
}

/** The session and its address as it is now, if it may be used, in one statement: this runs on every request. */
export const findWebmailSession = async (
  db: Db<Tables>,
  tokenHash: Buffer,
  now: Date,
): Promise<FoundWebmailSession | undefined> => {
  const [row] = await db.query<FoundWebmailSession>({
    name: 'find-webmail-session',
    text: `select s.id as "sessionId", s.password_stamp as "passwordStamp", s.last_seen_at as "lastSeenAt",
             s.expires_at as "expiresAt", a.password_hash as "passwordHash", a.id, a.account_id as "accountId",
             a.domain_id as "domainId", a.email, a.name, a.send_enabled as "sendEnabled"
           from webmail_session s join address a on a.id = s.address_id
           where s.token_hash = $1 and s.expires_at > $2 and a.deleted_at is null and a.enabled`,
    values: [tokenHash, now],
  })
  return row
}

export const insertWebmailSession = async (tx: Tx<Tables>, row: Insertable<WebmailSessionTable>): Promise<void> => {
  await tx.insertInto('webmail_session').values(row).execute()
}

export const deleteExpiredWebmailSessions = async (tx: Tx<Tables>, addressId: string, now: Date): Promise<void> => {
  await tx.deleteFrom('webmail_session').where('address_id', '=', addressId).where('expires_at', '<=', now).execute()
}

/** Gives what it was, if there was one. */
export const deleteWebmailSession = (
  tx: Tx<Tables>,
  tokenHash: Buffer,
): Promise<{ address_id: string; id: string } | undefined> =>
  tx
    .deleteFrom('webmail_session')
    .where('token_hash', '=', tokenHash)
    .returning(['address_id', 'id'])
    .executeTakeFirst()

/** Never goes back, also when two requests of one moment arrive in the other order. */
export const touchWebmailSession = async (
  tx: Tx<Tables>,
  { addressId, id, now }: { addressId: string; id: string; now: Date },
): Promise<void> => {
  await tx
    .updateTable('webmail_session')
    .set({ last_seen_at: now })
    .where('address_id', '=', addressId)
    .where('id', '=', id)
    .where('last_seen_at', '<', now)
    .execute()
}
