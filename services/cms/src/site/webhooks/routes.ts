import { listOf } from '@stoa/cms-model/lists.ts'
import {
  createWebhookInput,
  delivery,
  deliveryDetail,
  updateWebhookInput,
  webhook,
  webhookTest,
  webhookWithSecret,
} from '@stoa/cms-model/webhooks.ts'
import { versionEtag } from '@stoa/kit/http/etag.ts'
import { reply } from '@stoa/kit/http/route.ts'
import { needs, type Route, route } from '../../people/access/access.ts'
import { versionInput, wantedVersion } from '../../version-conflict.ts'
import { getDelivery, listDeliveries, redeliver, testWebhook } from './deliveries.ts'
import {
  deliveriesQuery,
  deliveryDetailJson,
  deliveryJson,
  deliveryParams,
  secretJson,
  testJson,
  type Webhook,
  webhookJson,
  webhookParams,
  webhooksQuery,
} from './schema.ts'
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rotateWebhook,
  updateWebhook,
  type WithSecret,
} from './webhooks.ts'

/** For people only: a webhook is a secret and a way out. */
const BY_PEOPLE = { auth: ['session'], access: needs('webhooks.manage') } as const

/** A plain header: the outcome of the last delivery changes without a new version, so 304 would hide it. */
const validator = ({ endpoint }: Webhook) => ({ headers: { etag: versionEtag(endpoint.version) } })

const record = (found: Webhook) => reply(webhookJson(found), validator(found))
const recordWithSecret = (made: WithSecret) => reply(secretJson(made.webhook, made.secret), validator(made.webhook))

export const webhookRoutes: readonly Route[] = [
  route({
    ...BY_PEOPLE,
    method: 'GET',
    path: '/api/webhooks',
    summary: 'List webhooks with the result of their last delivery, newest first',
    query: webhooksQuery,
    output: listOf(webhook),
    run: async (ctx, { query }) => {
      const { items, meta } = await listWebhooks(ctx, query)
      return { items: items.map(webhookJson), meta }
    },
  }),
  route({
    ...BY_PEOPLE,
    method: 'POST',
    path: '/api/webhooks',
    summary: 'Create a webhook; its secret is returned once',
    body: createWebhookInput,
    output: webhookWithSecret,
    status: 201,
    run: async (ctx, { body }) => recordWithSecret(await createWebhook(ctx, body)),
  }),
  route({
    ...BY_PEOPLE,
    method: 'GET',
    path: '/api/webhooks/:id',
    summary: 'Read a webhook',
    params: webhookParams,
    output: webhook,
    run: async (ctx, { params }) => record(await getWebhook(ctx, params.id)),
  }),
  route({
    ...BY_PEOPLE,
    method: 'PUT',
    path: '/api/webhooks/:id',
    summary: 'Update a webhook; turning it off cancels waiting deliveries',
    params: webhookParams,
    body: updateWebhookInput,
    output: webhook,
    run: async (ctx, { params, body, request }) =>
      record(await updateWebhook(ctx, params.id, body, wantedVersion(request, body.version))),
  }),
  route({
    ...BY_PEOPLE,
    method: 'DELETE',
    path: '/api/webhooks/:id',
    summary: 'Delete a webhook and its deliveries',
    params: webhookParams,
    body: versionInput,
    output: 'empty',
    run: async (ctx, { params, body, request }) => {
      await deleteWebhook(ctx, params.id, wantedVersion(request, body.version))
      return undefined
    },
  }),
  route({
    ...BY_PEOPLE,
    method: 'POST',
    path: '/api/webhooks/:id/rotate',
    summary: 'Replace the signing secret; the new one is returned once, the old one stops working',
    params: webhookParams,
    body: versionInput,
    output: webhookWithSecret,
    run: async (ctx, { params, body, request }) =>
      recordWithSecret(await rotateWebhook(ctx, params.id, wantedVersion(request, body.version))),
  }),
  route({
    ...BY_PEOPLE,
    method: 'POST',
    path: '/api/webhooks/:id/test',
    summary: 'Send a signed test event and wait for the result',
    params: webhookParams,
    output: webhookTest,
    run: async (ctx, { params }) => testJson(await testWebhook(ctx, params.id)),
  }),
  route({
    ...BY_PEOPLE,
    method: 'GET',
    path: '/api/webhooks/:id/deliveries',
    summary: "List a webhook's deliveries, newest first",
    params: webhookParams,
    query: deliveriesQuery,
    output: listOf(delivery),
    run: async (ctx, { params, query }) => {
      const { items, meta } = await listDeliveries(ctx, params.id, query)
      return { items: items.map(deliveryJson), meta }
    },
  }),
  route({
    ...BY_PEOPLE,
    method: 'GET',
    path: '/api/webhooks/:id/deliveries/:did',
    summary: 'Read a delivery with its body and all attempts',
    params: deliveryParams,
    output: deliveryDetail,
    run: async (ctx, { params }) => {
      const { delivery: found, attempts } = await getDelivery(ctx, params.id, params.did)
      return deliveryDetailJson(found, attempts)
    },
  }),
  route({
    ...BY_PEOPLE,
    method: 'POST',
    path: '/api/webhooks/:id/deliveries/:did/redeliver',
    summary: 'Resend a delivery with the same ID',
    params: deliveryParams,
    output: delivery,
    run: async (ctx, { params }) => deliveryJson(await redeliver(ctx, params.id, params.did)),
  }),
]
