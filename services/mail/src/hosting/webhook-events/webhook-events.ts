import type { Db, Tx } from '@stoa/kit/db/database.ts'
import { enqueueEvents } from '@stoa/kit/webhooks/deliveries.ts'
import type { WebhookEvent, WebhookEventType } from '@stoa/mail-model/webhook-events.ts'
import type { Tables } from '../../tables.ts'

export type { WebhookEvent } from '@stoa/mail-model/webhook-events.ts'

/**
 * Stores an event for each endpoint of the account that listens for it, in the caller's transaction: it is sent if that
 * commits, and only then. Where the data takes work to gather, ask `hasListener` first.
 */
export const recordEvent = (tx: Tx<Tables>, accountId: string, event: WebhookEvent, now: Date): Promise<void> =>
  recordEvents(tx, accountId, [event], now)

/** Records several events of one account, in their order, with two statements whatever their number. */
export const recordEvents = async (
  tx: Tx<Tables>,
  accountId: string,
  events: readonly WebhookEvent[],
  now: Date,
): Promise<void> => {
  const added = await enqueueEvents(
    tx,
    events.map((event) => ({ owner: accountId, type: event.type, payload: () => eventBody(event, now), now })),
  )
  const webhookIds = added.map(({ endpointId }) => endpointId)
  announceWebhooks(tx, accountId, webhookIds, DUE)
}

/** The body of every delivery: exactly this text is stored, signed and sent. */
export const eventBody = ({ type, data }: { type: WebhookEventType; data: object }, at: Date): string =>
  JSON.stringify({ type, created_at: at.toISOString(), data })

/** The change that wakes the senders: something waits for them. */
export const DUE = 'due'

/** Notifies the screens that show these webhooks, once the transaction has committed. */
export const announceWebhooks = (
  tx: Tx<Tables>,
  accountId: string,
  webhookIds: readonly string[],
  event: typeof DUE | 'attempted' | 'created' | 'updated' | 'deleted',
): void => {
  for (const webhookId of new Set(webhookIds)) {
    const isAnnounced = tx.changes.some(
      (change) => change.topic === 'webhook' && change.event === event && change.data.webhookId === webhookId,
    )
    if (!isAnnounced) tx.changes.push({ topic: 'webhook', event, data: { webhookId, accountId } })
  }
}

/** Whether any endpoint of the account listens for an event. */
export const hasListener = async (db: Db<Tables>, accountId: string, type: WebhookEventType): Promise<boolean> => {
  const found = await db.query({
    name: 'webhook_is_awaited',
    text: `select 1 from webhook_endpoint where owner = $1 and status = 'enabled' and $2 = any (events) limit 1`,
    values: [accountId, type],
  })
  return found.length > 0
}
