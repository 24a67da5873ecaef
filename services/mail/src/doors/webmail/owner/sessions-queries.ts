import type { Db, Tx } from '@stoa/kit/db/database.ts'
import type { ListRequest } from '@stoa/mail-model/list.ts'
import { type Selectable, sql } from 'kysely'
import { contains, type Page, readPage } from '../../../pagination/pagination.ts'
import type { WebmailSessionTable } from '../../../tables/webmail.ts'
import type { Tables } from '../../../tables.ts'

export type WebmailSessionRow = Omit<Selectable<WebmailSessionTable>, 'address_id' | 'token_hash' | 'password_stamp'>

/** Live ones: those that another password opened are none any more. */
export type LiveSessions = { addressId: string; passwordStamp: string; now: Date }

export const listSessionRows = (
  db: Db<Tables>,
  { addressId, passwordStamp, now }: LiveSessions,
  list: ListRequest<'last_seen_at' | 'created_at'>,
): Promise<Page<WebmailSessionRow>> => {
  const live = db
    .selectFrom('webmail_session')
    .select(['id', 'ip', 'user_agent', 'created_at', 'last_seen_at', 'expires_at'])
    .where('address_id', '=', addressId)
    .where('password_stamp', '=', passwordStamp)
    .where('expires_at', '>', now)
  const found = list.search ? live.where(contains(sql`concat_ws(' ', host(ip), user_agent)`, list.search)) : live
  return readPage(found, list, { columns: { last_seen_at: 'last_seen_at', created_at: 'created_at' }, id: 'id' })
}

/** Makes changes to one mailbox's sessions happen one after the other. Gives its password as it is until then. */
export const lockSessions = async (tx: Tx<Tables>, addressId: string): Promise<{ passwordHash: string } | undefined> =>
  tx
    .selectFrom('address')
    .select('password_hash as passwordHash')
    .where('id', '=', addressId)
    .forUpdate()
    .executeTakeFirst()

export const hasWebmailSession = async (db: Db<Tables>, addressId: string, id: string): Promise<boolean> =>
  (await db
    .selectFrom('webmail_session')
    .select('id')
    .where('address_id', '=', addressId)
    .where('id', '=', id)
    .executeTakeFirst()) !== undefined

export type EndedSession = { id: string; passwordStamp: string; expiresAt: Date }

export const deleteOtherWebmailSessions = (tx: Tx<Tables>, addressId: string, id: string): Promise<EndedSession[]> =>
  tx
    .deleteFrom('webmail_session')
    .where('address_id', '=', addressId)
    .where('id', '!=', id)
    .returning(['id', 'password_stamp as passwordStamp', 'expires_at as expiresAt'])
    .execute()

/** The session goes on with another password. */
export const updateSessionStamp = async (
  tx: Tx<Tables>,
  { addressId, id, passwordStamp }: { addressId: string; id: string; passwordStamp: string },
): Promise<void> => {
  await tx
    .updateTable('webmail_session')
    .set({ password_stamp: passwordStamp })
    .where('address_id', '=', addressId)
    .where('id', '=', id)
    .execute()
}

export const findPasswordHash = async (db: Db<Tables>, addressId: string): Promise<string | undefined> => {
  const found = await db.selectFrom('address').select('password_hash').where('id', '=', addressId).executeTakeFirst()
  return found?.password_hash
}
