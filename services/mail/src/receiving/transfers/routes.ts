import {
  destinationList,
  destinationListQuery,
  transfer,
  transferInput,
  transferList,
  transferListQuery,
} from '@stoa/mail-model/transfers.ts'
import { z } from 'zod'
import { route } from '../../context.ts'
import { transferJson } from './json.ts'
import { addTransfer, cancelTransfer, getDestinations, getTransfers, loadTransfer } from './panel.ts'

const one = z.object({ transfer_id: z.uuid() })

export const transferRoutes = [
  route({
    method: 'GET',
    path: '/api/transfers',
    summary: 'List transfers',
    auth: ['session'],
    access: 'account',
    query: transferListQuery,
    output: transferList,
    run: (ctx, { query }) => getTransfers(ctx, query),
  }),
  route({
    method: 'POST',
    path: '/api/transfers',
    summary: 'Start copying a mailbox from another server',
    auth: ['session'],
    access: 'account',
    body: transferInput,
    output: transfer,
    status: 201,
    run: (ctx, { body }) => addTransfer(ctx, body),
  }),
  route({
    method: 'GET',
    path: '/api/transfers/destinations',
    summary: 'Addresses available as a destination',
    auth: ['session'],
    access: 'account',
    query: destinationListQuery,
    output: destinationList,
    run: (ctx, { query }) => getDestinations(ctx, query),
  }),
  route({
    method: 'GET',
    path: '/api/transfers/:transfer_id',
    summary: 'Read a transfer and its progress',
    auth: ['session'],
    access: 'account',
    params: one,
    output: transfer,
    load: loadTransfer,
    run: (_ctx, { loaded }) => transferJson(loaded),
  }),
  route({
    method: 'DELETE',
    path: '/api/transfers/:transfer_id',
    summary: 'Cancel a transfer; copied mail is kept',
    auth: ['session'],
    access: 'account',
    params: one,
    output: transfer,
    load: loadTransfer,
    run: (ctx, { params }) => cancelTransfer(ctx, params.transfer_id),
  }),
]
