import type { Db } from '@stoa/kit/db/database.ts'
import { NOTIFICATION_DEFAULTS, type Notifications } from '@stoa/mail-model/accounts.ts'
import type { Tables } from '../../tables.ts'

export type Reader = { email: string; notifications: Notifications }

/** Where mails about an account go, and which of them its owner wants. */
export const findReader = async (db: Db<Tables>, accountId: string): Promise<Reader | undefined> => {
  const row = await db
    .selectFrom('account')
    .select(['email', 'notifications'])
    .where('id', '=', accountId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row && { email: row.email, notifications: { ...NOTIFICATION_DEFAULTS, ...row.notifications } }
}
