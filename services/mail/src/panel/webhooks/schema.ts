import type { Attempt, Delivery, DeliverySummary } from '@stoa/kit/webhooks/deliveries.ts'
import type { Endpoint } from '@stoa/kit/webhooks/endpoints.ts'
import type { TestResult } from '@stoa/kit/webhooks/test-delivery.ts'
import { type WebhookEventType, webhookEventTypes } from '@stoa/mail-model/webhook-events.ts'
import {
  type Webhook,
  type WebhookEventDetail,
  type WebhookEventItem,
  type WebhookTest,
  webhookEventDetail,
} from '@stoa/mail-model/webhooks.ts'
import { z } from 'zod'

/** What this service keeps with an endpoint beyond the members that the kit knows. */
const endpointDetails = z.object({ description: z.string().nullable().catch(null) })
export type EndpointDetails = z.output<typeof endpointDetails>

export const detailsOf = (endpoint: Pick<Endpoint, 'details'>): EndpointDetails =>
  endpointDetails.parse(endpoint.details)

export const webhookJson = (endpoint: Endpoint): Webhook => ({
  object: 'webhook',
  id: endpoint.id,
  endpoint: endpoint.url,
  events: endpoint.events.map(eventType),
  ...detailsOf(endpoint),
  status: endpoint.status,
  disabled_reason: endpoint.disabledReason,
  signing_secret_prefix: endpoint.secretHint,
  failing_since: endpoint.failingSince?.toISOString() ?? null,
  last_success_at: endpoint.lastSuccessAt?.toISOString() ?? null,
  created_at: endpoint.createdAt.toISOString(),
  updated_at: endpoint.updatedAt.toISOString(),
})

export const eventJson = (delivery: DeliverySummary): WebhookEventItem => {
  // While an attempt is under way, the row still holds how the one before it went.
  const isOver = delivery.status !== 'attempting'
  return {
    object: 'webhook_event',
    id: delivery.id,
    webhook_id: delivery.endpointId,
    type: eventType(delivery.type),
    status: delivery.status,
    attempts: delivery.attempts,
    response_status: isOver ? delivery.responseStatus : null,
    error: isOver ? delivery.error : null,
    last_attempt_at: delivery.lastAttemptAt?.toISOString() ?? null,
    next_attempt_at: delivery.nextAttemptAt?.toISOString() ?? null,
    created_at: delivery.createdAt.toISOString(),
  }
}

export const eventDetailJson = (delivery: Delivery, attempts: readonly Attempt[]): WebhookEventDetail => ({
  ...eventJson(delivery),
  payload: webhookEventDetail.shape.payload.parse(JSON.parse(delivery.payload)),
  response_body: delivery.status === 'attempting' ? null : delivery.responseBody,
  attempt_log: attempts.map((attempt) => ({
    object: 'webhook_attempt',
    id: attempt.id,
    http_status_code: attempt.responseStatus,
    response: attempt.responseBody,
    error: attempt.error,
    duration_ms: attempt.responseStatus === null ? null : attempt.durationMs,
    sent_at: attempt.sentAt.toISOString(),
  })),
})

export const testJson = (type: WebhookEventType, result: TestResult): WebhookTest => ({
  object: 'webhook_test',
  event_id: result.deliveryId,
  type,
  delivered: result.isDelivered,
  status_code: result.responseStatus,
  duration_ms: Math.round(result.durationMs),
  response_body: result.responseBody,
  error: result.error,
})

/** What the tables hold was checked when it was written. */
const eventType = (name: string): WebhookEventType => z.enum(webhookEventTypes).parse(name)
