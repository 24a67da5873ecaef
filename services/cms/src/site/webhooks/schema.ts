import { listQuery } from '@stoa/cms-model/lists.ts'
import {
  type DeliveryDetail as DeliveryDetailJson,
  type Delivery as DeliveryJson,
  deliveryStatus,
  type Webhook as WebhookJson,
  type WebhookTest,
  type WebhookWithSecret,
} from '@stoa/cms-model/webhooks.ts'
import type { Secret } from '@stoa/kit/secret.ts'
import type { Attempt, Delivery, DeliverySummary } from '@stoa/kit/webhooks/deliveries.ts'
import type { Endpoint } from '@stoa/kit/webhooks/endpoints.ts'
import type { TestResult } from '@stoa/kit/webhooks/test-delivery.ts'
import { z } from 'zod'

export const webhookParams = z.object({ id: z.uuid() })
export const deliveryParams = z.object({ id: z.uuid(), did: z.uuid() })
export const webhooksQuery = listQuery({})
export const deliveriesQuery = listQuery({ status: deliveryStatus.optional(), event: z.string().max(100).optional() })
export type DeliveriesQuery = z.output<typeof deliveriesQuery>

/** A webhook as it is stored, with how its last delivery went. */
export type Webhook = { endpoint: Endpoint; last: DeliverySummary | null }

/** What this service keeps with an endpoint beyond the members that the kit knows. */
const endpointDetails = z.object({
  name: z.string().catch(''),
  types: z.array(z.string()).catch([]),
  updatedBy: z.object({ id: z.string(), name: z.string() }).nullable().catch(null),
})
export type EndpointDetails = z.output<typeof endpointDetails>

export const detailsOf = (endpoint: Pick<Endpoint, 'details'>): EndpointDetails =>
  endpointDetails.parse(endpoint.details)

/** How Activity names a webhook. Not by its address, which may hold a secret of the receiver. */
export const targetOf = (endpoint: Pick<Endpoint, 'id' | 'details'>) => ({
  kind: 'webhook',
  id: endpoint.id,
  label: detailsOf(endpoint).name,
})

export const webhookJson = ({ endpoint, last }: Webhook): WebhookJson => {
  const { name, types } = detailsOf(endpoint)
  return {
    id: endpoint.id,
    name,
    url: endpoint.url,
    events: endpoint.events,
    types,
    enabled: endpoint.status === 'enabled',
    disabledReason: endpoint.disabledReason,
    secretLast4: endpoint.secretHint,
    version: endpoint.version,
    createdAt: endpoint.createdAt.toISOString(),
    updatedAt: endpoint.updatedAt.toISOString(),
    lastDelivery: last?.lastAttemptAt
      ? {
          at: last.lastAttemptAt.toISOString(),
          event: last.type,
          status: last.status,
          ...outcomeJson(last),
          attempt: last.attempts,
        }
      : null,
  }
}

export const secretJson = (webhook: Webhook, secret: Secret): WebhookWithSecret => ({
  ...webhookJson(webhook),
  secret: secret.reveal(),
})

export const deliveryJson = (delivery: DeliverySummary): DeliveryJson => ({
  id: delivery.id,
  event: delivery.type,
  status: delivery.status,
  test: delivery.isTest,
  attempts: delivery.attempts,
  ...outcomeJson(delivery),
  createdAt: delivery.createdAt.toISOString(),
  lastAttemptAt: delivery.lastAttemptAt?.toISOString() ?? null,
  nextAttemptAt: delivery.nextAttemptAt?.toISOString() ?? null,
})

export const deliveryDetailJson = (delivery: Delivery, attempts: readonly Attempt[]): DeliveryDetailJson => ({
  ...deliveryJson(delivery),
  payload: JSON.parse(delivery.payload),
  responseBody: delivery.responseBody,
  attemptLog: attempts.map((attempt) => ({
    attempt: attempt.attempt,
    at: attempt.sentAt.toISOString(),
    responseStatus: attempt.responseStatus,
    responseBody: attempt.responseBody,
    error: attempt.error,
    durationMs: attempt.responseStatus === null ? null : attempt.durationMs,
  })),
})

export const testJson = (result: TestResult): WebhookTest => ({
  deliveryId: result.deliveryId,
  delivered: result.isDelivered,
  status: result.responseStatus,
  durationMs: result.durationMs,
  responseBody: result.responseBody,
  error: result.error,
})

type OutcomeJson = Pick<DeliveryJson, 'responseStatus' | 'durationMs' | 'error'>

/** While an attempt is under way, the row still holds how the one before it went. */
const outcomeJson = ({ status, responseStatus, durationMs, error }: DeliverySummary): OutcomeJson => {
  if (status === 'attempting') return { responseStatus: null, durationMs: null, error: null }
  // The duration without a response would distinguish closed from filtered ports.
  return { responseStatus, durationMs: responseStatus === null ? null : durationMs, error }
}
