import type { Db } from '@stoa/kit/db/database.ts'
import type { WebhookEventType } from '@stoa/mail-model/webhook-events.ts'
import type { Tables } from '../../tables.ts'

/** Whether any endpoint of the account listens for an event. */
export const hasListener = async (db: Db<Tables>, accountId: string, type: WebhookEventType): Promise<boolean> => {
  const found = await db.query({
    name: 'webhook_is_awaited',
    text: `select 1 from webhook_endpoint where owner = $1 and status = 'enabled' and $2 = any (events) limit 1`,
    values: [accountId, type],
  })
  return found.length > 0
}
