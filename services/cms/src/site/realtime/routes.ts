import { presenceFieldInput, realtimeTicket } from '@stoa/cms-model/realtime.ts'
import { PUBLIC, reply } from '@stoa/kit/http/route.ts'
import { z } from 'zod'
import { fail } from '../../errors.ts'
import { needs, OPEN, type Route, route } from '../../people/access/access.ts'
import { deliveryOf, sessionOf } from '../../principal.ts'
import { setPresenceField } from './presence.ts'
import { issueTicket } from './tickets.ts'

export const realtimeRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/realtime',
    summary: 'Open a WebSocket with a ticket; other requests get 426',
    auth: PUBLIC,
    access: OPEN,
    output: z.null(),
    // RFC 9110 §15.5.22. Requests for a socket never come this far.
    run: () => fail('UPGRADE_REQUIRED', { headers: { upgrade: 'websocket' } }),
  }),
  route({
    method: 'POST',
    path: '/api/realtime/ticket',
    summary: 'Create a ticket for a WebSocket at /realtime?ticket=…, valid once and for 30 seconds',
    auth: ['session'],
    access: OPEN,
    output: realtimeTicket,
    run: (ctx) => issueTicket(ctx, { kind: 'session', id: sessionOf(ctx).sessionId }),
  }),
  route({
    method: 'POST',
    path: '/api/entries/:id/presence',
    summary:
      "Share which field you're editing with others at the entry; requires a socket that is subscribed to entry:<id>",
    auth: ['session'],
    access: needs('content.read'),
    params: z.object({ id: z.uuid() }),
    body: presenceFieldInput,
    output: 'empty',
    run: async (ctx, { params, body }) => {
      await setPresenceField(ctx, params.id, body)
      return undefined
    },
  }),
  route({
    method: 'POST',
    path: '/realtime/delivery/ticket',
    summary: "Create a ticket for a website's WebSocket, which receives published, unpublished and deleted content",
    auth: ['delivery'],
    access: OPEN,
    surface: 'delivery',
    output: realtimeTicket,
    run: async (ctx) => {
      const ticket = await issueTicket(ctx, { kind: 'delivery', id: deliveryOf(ctx).keyId })
      return reply(ticket, { headers: { 'cache-control': 'no-store' } })
    },
  }),
]
