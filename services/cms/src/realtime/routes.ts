import { realtimeTicket } from '@stoa/cms-model/realtime.ts'
import { reply } from '@stoa/kit/http/route.ts'
import { OPEN, type Route, route } from '../access/access.ts'
import { deliveryOf, sessionOf } from '../principal.ts'
import { issueTicket } from './tickets.ts'

export const realtimeRoutes: Route[] = [
  route({
    method: 'POST',
    path: '/api/realtime/ticket',
    summary: 'A ticket for one socket at /realtime?ticket=…, within 30 seconds',
    auth: ['session'],
    access: OPEN,
    output: realtimeTicket,
    run: (ctx) => issueTicket(ctx, { kind: 'session', id: sessionOf(ctx).sessionId }),
  }),
  route({
    method: 'POST',
    path: '/realtime/delivery/ticket',
    summary: 'The same for a website: its socket hears what is published, unpublished and deleted',
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
