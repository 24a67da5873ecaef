import { sender, senderDeleted, senderInput, senderList, senderListQuery } from '@stoa/mail-model/senders.ts'
import { z } from 'zod'
import { route } from '../../context.ts'
import { loadDomain } from '../../hosting/domains/domains.ts'
import { addSender, getSenders, loadSender, removeSender } from './senders.ts'

const params = z.object({ domain_id: z.uuid() })
const panel = { auth: ['session'], access: 'account' } as const

export const senderRoutes = [
  route({
    ...panel,
    method: 'GET',
    path: '/api/domains/:domain_id/senders',
    summary: 'List allowed and blocked senders',
    params,
    load: loadDomain,
    query: senderListQuery,
    output: senderList,
    run: (ctx, { loaded, query }) => getSenders(ctx, loaded, query),
  }),
  route({
    ...panel,
    method: 'POST',
    path: '/api/domains/:domain_id/senders',
    summary: 'Allow or block a sender',
    params,
    load: loadDomain,
    body: senderInput,
    output: sender,
    status: 201,
    run: (ctx, { loaded, body }) => addSender(ctx, loaded, body),
  }),
  route({
    ...panel,
    method: 'DELETE',
    path: '/api/domains/:domain_id/senders/:sender_id',
    summary: 'Remove a sender from the list',
    params: params.extend({ sender_id: z.uuid() }),
    load: loadSender,
    output: senderDeleted,
    run: (ctx, { loaded }) => removeSender(ctx, loaded),
  }),
]
