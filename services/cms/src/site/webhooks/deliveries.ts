import { type List, toList } from '@stoa/cms-model/lists.ts'
import type { WebhookEvent } from '@stoa/cms-model/webhook-events.ts'
import {
  type Attempt,
  type Delivery,
  type DeliverySummary,
  findDelivery,
  listAttempts,
  listDeliveries as listLog,
  replayDelivery,
} from '@stoa/kit/webhooks/deliveries.ts'
import { type TestResult, testDelivery } from '@stoa/kit/webhooks/test-delivery.ts'
import type { Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import { announceDeliveries, eventBody, recordChange, SITE } from '../../events/events.ts'
import type { Tables } from '../../tables.ts'
import { type DeliveriesQuery, detailsOf, targetOf } from './schema.ts'
import { requireEndpoint } from './webhooks.ts'

const TEST_EVENT: WebhookEvent = 'webhook.test'
const SWITCHED_OFF = 'The webhook is off. Turn it on first.'

/** What was sent to a webhook, the newest first. */
export const listDeliveries = async (ctx: Ctx, id: string, query: DeliveriesQuery): Promise<List<DeliverySummary>> => {
  await requireEndpoint(ctx, id)
  const { items, total } = await listLog<Tables>(ctx.db, {
    owner: SITE,
    endpointId: id,
    status: query.status,
    type: query.event,
    limit: query.limit,
    offset: (query.page - 1) * query.limit,
  })
  return toList(items, total, query)
}

export const getDelivery = async (
  ctx: Ctx,
  id: string,
  deliveryId: string,
): Promise<{ delivery: Delivery; attempts: Attempt[] }> => {
  const key = { owner: SITE, endpointId: id, id: deliveryId }
  const delivery = (await findDelivery<Tables>(ctx.db, key)) ?? fail('NOT_FOUND')
  return { delivery, attempts: await listAttempts<Tables>(ctx.db, key) }
}

/** Sends a delivery again with the same ID and body, so that a receiver can recognize a duplicate. */
export const redeliver = async (ctx: Ctx, id: string, deliveryId: string): Promise<DeliverySummary> => {
  const endpoint = await requireEndpoint(ctx, id)
  return ctx.tx(async (tx) => {
    const replayed = await replayDelivery<Tables>(tx, { owner: SITE, endpointId: id, id: deliveryId }, ctx.now())
    if (replayed.result !== 'queued')
      return replayed.result === 'not_found' ? fail('NOT_FOUND') : fail('INVALID_STATE', { message: SWITCHED_OFF })
    await recordChange(ctx, tx, { action: 'webhook.redelivered', target: targetOf(endpoint) })
    announceDeliveries(tx)
    return replayed.delivery
  })
}

/** Sends a signed sample now, also to a disabled webhook, and returns the result. */
export const testWebhook = async (ctx: Ctx, id: string): Promise<TestResult> => {
  const endpoint = await requireEndpoint(ctx, id)
  const data = { id, title: detailsOf(endpoint).name }
  const at = ctx.now()
  const result = await testDelivery<Tables>(ctx.webhooks, {
    owner: SITE,
    endpointId: id,
    type: TEST_EVENT,
    payload: (deliveryId) =>
      eventBody(ctx, { id: deliveryId, name: TEST_EVENT, at, data, previous: null, changed: [] }),
  })
  return result ?? fail('NOT_FOUND')
}
