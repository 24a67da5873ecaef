import { createDeliveryKeyInput, deliveryKey, mintedDeliveryKey, updateDeliveryKeyInput } from '@stoa/cms-model/keys.ts'
import { listOf } from '@stoa/cms-model/lists.ts'
import { versionEtag } from '@stoa/kit/http/etag.ts'
import { reply } from '@stoa/kit/http/route.ts'
import { versionInput, wantedVersion } from '../../version-conflict.ts'
import { needs, type Route, route } from '../access/access.ts'
import {
  getDeliveryKey,
  listDeliveryKeys,
  mintDeliveryKey,
  revokeDeliveryKey,
  updateDeliveryKey,
} from './delivery-keys.ts'
import type { DeliveryKeyRecord } from './queries.ts'
import { deliveryKeyJson, deliveryKeysQuery, idParams } from './schema.ts'

// Its use is noted without a new version: never 304.
const answer = (record: DeliveryKeyRecord) =>
  reply(deliveryKeyJson(record), { headers: { etag: versionEtag(record.version) } })

export const deliveryKeyRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/delivery-keys',
    summary: 'Delivery keys, newest first, including revoked ones',
    auth: ['session'],
    access: needs('keys.manage'),
    query: deliveryKeysQuery,
    output: listOf(deliveryKey),
    run: async (ctx, { query }) => {
      const { items, meta } = await listDeliveryKeys(ctx, query)
      return { items: items.map(deliveryKeyJson), meta }
    },
  }),
  route({
    method: 'POST',
    path: '/api/delivery-keys',
    summary: 'Create a delivery key; `key` is only returned here',
    auth: ['session'],
    access: needs('keys.manage'),
    body: createDeliveryKeyInput,
    output: mintedDeliveryKey,
    status: 201,
    run: async (ctx, { body }) => {
      const { record, key } = await mintDeliveryKey(ctx, body)
      return reply({ ...deliveryKeyJson(record), key }, { etag: versionEtag(record.version) })
    },
  }),
  route({
    method: 'GET',
    path: '/api/delivery-keys/:id',
    summary: 'Read a delivery key',
    auth: ['session'],
    access: needs('keys.manage'),
    params: idParams,
    output: deliveryKey,
    run: async (ctx, { params }) => answer(await getDeliveryKey(ctx, params.id)),
  }),
  route({
    method: 'PUT',
    path: '/api/delivery-keys/:id',
    summary: 'Rename a delivery key, or change which types it can read',
    auth: ['session'],
    access: needs('keys.manage'),
    params: idParams,
    body: updateDeliveryKeyInput,
    output: deliveryKey,
    run: async (ctx, { params, body, request }) =>
      answer(await updateDeliveryKey(ctx, params.id, body, wantedVersion(request, body.version))),
  }),
  route({
    method: 'DELETE',
    path: '/api/delivery-keys/:id',
    summary: 'Revoke a delivery key; it stops working immediately and stays listed',
    auth: ['session'],
    access: needs('keys.manage'),
    params: idParams,
    body: versionInput,
    output: 'empty',
    run: async (ctx, { params, body, request }) => {
      await revokeDeliveryKey(ctx, params.id, wantedVersion(request, body.version))
      return undefined
    },
  }),
]
