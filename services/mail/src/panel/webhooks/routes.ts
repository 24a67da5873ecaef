import {
  webhook,
  webhookDeleted,
  webhookEvent,
  webhookEventDetail,
  webhookEventList,
  webhookEventListQuery,
  webhookInput,
  webhookList,
  webhookListQuery,
  webhookRotated,
  webhookTest,
  webhookTestInput,
  webhookUpdate,
  webhookWithSecret,
} from '@stoa/mail-model/webhooks.ts'
import { z } from 'zod'
import { route } from '../../context.ts'
import { getEvent, getEvents, loadEvent, replayEvent, testWebhook } from './events.ts'
import { webhookJson } from './schema.ts'
import {
  addWebhook,
  changeWebhook,
  getWebhooks,
  loadWebhook,
  loadWebhookPlan,
  removeWebhook,
  rotateWebhook,
} from './webhooks.ts'

const panel = { auth: ['session'], access: 'account' } as const
const one = { ...panel, params: z.object({ webhook_id: z.uuid() }), load: loadWebhook } as const
const event = { ...panel, params: z.object({ webhook_id: z.uuid(), event_id: z.uuid() }), load: loadEvent } as const

export const webhookRoutes = [
  route({
    ...panel,
    method: 'GET',
    path: '/api/webhooks',
    summary: 'Webhooks',
    query: webhookListQuery,
    output: webhookList,
    run: (ctx, { query }) => getWebhooks(ctx, query),
  }),
  route({
    ...panel,
    method: 'POST',
    path: '/api/webhooks',
    summary: 'Create a webhook; the signing secret is returned once',
    load: loadWebhookPlan,
    body: webhookInput,
    output: webhookWithSecret,
    status: 201,
    run: (ctx, { body }) => addWebhook(ctx, body),
  }),
  route({
    ...panel,
    method: 'GET',
    path: '/api/webhooks/events',
    summary: 'Events across every endpoint, newest first',
    query: webhookEventListQuery,
    output: webhookEventList,
    run: (ctx, { query }) => getEvents(ctx, undefined, query),
  }),
  route({
    ...one,
    method: 'GET',
    path: '/api/webhooks/:webhook_id',
    summary: 'Read a webhook',
    output: webhook,
    run: (_ctx, { loaded }) => webhookJson(loaded),
  }),
  route({
    ...one,
    method: 'PATCH',
    path: '/api/webhooks/:webhook_id',
    summary: 'Update a webhook; disabling it cancels waiting events',
    body: webhookUpdate,
    output: webhook,
    run: (ctx, { params, body }) => changeWebhook(ctx, params.webhook_id, body),
  }),
  route({
    ...one,
    method: 'DELETE',
    path: '/api/webhooks/:webhook_id',
    summary: 'Delete a webhook with its events',
    output: webhookDeleted,
    run: (ctx, { params }) => removeWebhook(ctx, params.webhook_id),
  }),
  route({
    ...one,
    method: 'POST',
    path: '/api/webhooks/:webhook_id/rotate',
    summary: 'New signing secret, returned once; the old one stops working',
    output: webhookRotated,
    run: (ctx, { params }) => rotateWebhook(ctx, params.webhook_id),
  }),
  route({
    ...one,
    method: 'POST',
    path: '/api/webhooks/:webhook_id/test',
    summary: 'Deliver a signed sample synchronously',
    body: webhookTestInput,
    output: webhookTest,
    run: (ctx, { params, body }) => testWebhook(ctx, params.webhook_id, body.type ?? 'webhook.test'),
  }),
  route({
    ...one,
    method: 'GET',
    path: '/api/webhooks/:webhook_id/events',
    summary: 'Events for one endpoint, newest first',
    query: webhookEventListQuery,
    output: webhookEventList,
    run: (ctx, { params, query }) => getEvents(ctx, params.webhook_id, query),
  }),
  route({
    ...event,
    method: 'GET',
    path: '/api/webhooks/:webhook_id/events/:event_id',
    summary: 'One event with its payload and every attempt',
    output: webhookEventDetail,
    run: (ctx, { loaded }) => getEvent(ctx, loaded),
  }),
  route({
    ...event,
    method: 'POST',
    path: '/api/webhooks/:webhook_id/events/:event_id/replay',
    summary: 'Replay an event with the same id',
    output: webhookEvent,
    run: (ctx, { params }) => replayEvent(ctx, params.webhook_id, params.event_id),
  }),
]
