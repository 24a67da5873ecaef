import {
  type Delivery,
  type DeliveryKey,
  findDelivery,
  listAttempts,
  replayDelivery,
  toSummary,
} from '@stoa/kit/webhooks/deliveries.ts'
import { testDelivery } from '@stoa/kit/webhooks/test-delivery.ts'
import { type List, toList } from '@stoa/mail-model/list.ts'
import { type WebhookEventType, webhookEvents } from '@stoa/mail-model/webhook-events.ts'
import type {
  WebhookEventDetail,
  WebhookEventItem,
  WebhookEventListRequest,
  WebhookTest,
} from '@stoa/mail-model/webhooks.ts'
import type { Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import { announceWebhooks, DUE, eventBody } from '../../hosting/webhook-events/webhook-events.ts'
import { sessionOf } from '../../principal.ts'
import type { Tables } from '../../tables.ts'
import { listEventRows } from './queries.ts'
import { eventDetailJson, eventJson, testJson } from './schema.ts'
import { createSender } from './sender.ts'

const DISABLED = 'This webhook is off. Turn it on first.'

const accountIdOf = (ctx: Ctx): string => sessionOf(ctx).account.id

/** Events of one endpoint, or across all of the account's, the newest first. */
export const getEvents = async (
  ctx: Ctx,
  webhookId: string | undefined,
  list: WebhookEventListRequest,
): Promise<List<WebhookEventItem>> => {
  const which = { accountId: accountIdOf(ctx), ...(webhookId !== undefined && { webhookId }) }
  const { rows, total } = await listEventRows(ctx.db, which, list)
  return toList(
    list,
    total,
    rows.map((row) => eventJson(toSummary(row))),
  )
}

/** The event that a path names, before its body is looked at. */
export const loadEvent = async (
  ctx: Ctx,
  { params }: { params: { webhook_id: string; event_id: string } },
): Promise<Delivery> =>
  (await findDelivery<Tables>(ctx.db, keyOf(ctx, params.webhook_id, params.event_id))) ?? fail('not_found')

/** One event with its payload and every attempt to deliver it. */
export const getEvent = async (ctx: Ctx, delivery: Delivery): Promise<WebhookEventDetail> =>
  eventDetailJson(delivery, await listAttempts<Tables>(ctx.db, keyOf(ctx, delivery.endpointId, delivery.id)))

/** Sends an event again with the same id and body, so that a receiver can recognize a duplicate. */
export const replayEvent = (ctx: Ctx, webhookId: string, eventId: string): Promise<WebhookEventItem> =>
  ctx.tx(async (tx) => {
    const replayed = await replayDelivery<Tables>(tx, keyOf(ctx, webhookId, eventId), ctx.now())
    if (replayed.result !== 'queued')
      return replayed.result === 'not_found' ? fail('not_found') : fail('conflict', { message: DISABLED })
    announceWebhooks(tx, accountIdOf(ctx), [webhookId], DUE)
    return eventJson(replayed.delivery)
  })

/** Sends a signed sample now, also to a disabled endpoint, and returns the result. */
export const testWebhook = async (ctx: Ctx, webhookId: string, type: WebhookEventType): Promise<WebhookTest> => {
  const at = ctx.now()
  const data = webhookEvents[type].sample({ webhookId, at: at.toISOString() })
  const result = await testDelivery<Tables>(createSender(ctx.parts), {
    owner: accountIdOf(ctx),
    endpointId: webhookId,
    type,
    payload: () => eventBody({ type, data }, at),
  })
  return result ? testJson(type, result) : fail('not_found')
}

const keyOf = (ctx: Ctx, webhookId: string, eventId: string): DeliveryKey => ({
  owner: accountIdOf(ctx),
  endpointId: webhookId,
  id: eventId,
})
