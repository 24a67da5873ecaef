import type { Db } from '@stoa/kit/db/database.ts'
import type { Tables } from '../../tables.ts'

/** Whether a session of the panel is still good. */
export const isSessionOpen = async (
  db: Db<Tables>,
  { accountId, sessionId, now }: { accountId: string; sessionId: string; now: Date },
): Promise<boolean> => {
  const found = await db
    .selectFrom('session')
    .innerJoin('account', 'account.id', 'session.account_id')
    .select('session.id')
    .where('session.account_id', '=', accountId)
    .where('session.id', '=', sessionId)
    .where('session.expires_at', '>', now)
    .where('account.deleted_at', 'is', null)
    .executeTakeFirst()
  return found !== undefined
}
