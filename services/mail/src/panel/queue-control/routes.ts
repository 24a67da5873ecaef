import {
  queueHold,
  queueHoldDeleted,
  queueHoldInput,
  queueHoldList,
  queueHoldListQuery,
  queueItem,
  queueItemDeleted,
  queueList,
  queueListQuery,
} from '@stoa/mail-model/queue.ts'
import { z } from 'zod'
import { route } from '../../context.ts'
import { addQueueHold, getQueueHolds, loadQueueHold, removeQueueHold } from './holds.ts'
import { dropQueueItem, getQueue, loadQueueItem, retryQueueItem } from './items.ts'

const item = z.object({ queue_item_id: z.uuid() })
const hold = z.object({ queue_hold_id: z.uuid() })

/** The queue of the whole instance, for its owner. */
export const queueRoutes = [
  route({
    method: 'GET',
    path: '/api/instance/queue',
    summary: 'List outgoing mail in the queue',
    auth: ['session'],
    access: 'owner',
    query: queueListQuery,
    output: queueList,
    run: (ctx, { query }) => getQueue(ctx, query),
  }),
  route({
    method: 'GET',
    path: '/api/instance/queue/holds',
    summary: 'Domains whose mail is on hold',
    auth: ['session'],
    access: 'owner',
    query: queueHoldListQuery,
    output: queueHoldList,
    run: (ctx, { query }) => getQueueHolds(ctx, query),
  }),
  route({
    method: 'POST',
    path: '/api/instance/queue/holds',
    summary: 'Put mail for a domain on hold',
    auth: ['session'],
    access: 'owner',
    body: queueHoldInput,
    output: queueHold,
    status: 201,
    run: (ctx, { body }) => addQueueHold(ctx, body),
  }),
  route({
    method: 'DELETE',
    path: '/api/instance/queue/holds/:queue_hold_id',
    summary: 'Release mail for a domain',
    auth: ['session'],
    access: 'owner',
    params: hold,
    output: queueHoldDeleted,
    load: loadQueueHold,
    run: (ctx, { loaded }) => removeQueueHold(ctx, loaded),
  }),
  route({
    method: 'POST',
    path: '/api/instance/queue/:queue_item_id/retry',
    summary: 'Retry an item now',
    auth: ['session'],
    access: 'owner',
    params: item,
    output: queueItem,
    load: loadQueueItem,
    run: (ctx, { loaded }) => retryQueueItem(ctx, loaded),
  }),
  route({
    method: 'DELETE',
    path: '/api/instance/queue/:queue_item_id',
    summary: 'Drop an item; the sender gets a failure report',
    auth: ['session'],
    access: 'owner',
    params: item,
    output: queueItemDeleted,
    load: loadQueueItem,
    run: (ctx, { loaded }) => dropQueueItem(ctx, loaded),
  }),
]
