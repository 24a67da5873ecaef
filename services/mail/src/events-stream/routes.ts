import { reply } from '@stoa/kit/http/route.ts'
import { sessionOf } from '../access/access.ts'
import { route } from '../context.ts'
import { fail } from '../errors.ts'
import type { PanelEvents } from './panel-events.ts'

export const panelEventRoutes = (events: PanelEvents) => [
  route({
    method: 'GET',
    path: '/api/events',
    summary: 'A stream of what changes: events named change with {type, id}, and reset when much may have',
    auth: ['session'],
    access: 'account',
    output: 'raw',
    run: (ctx) => {
      const stream = events.open(sessionOf(ctx))
      if (!stream)
        return fail('rate_limit_exceeded', { message: 'Too many streams are open.', headers: { 'retry-after': '60' } })
      return reply(stream, {
        contentType: 'text/event-stream; charset=utf-8',
        // Some proxies gather answers.
        headers: { 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
      })
    },
  }),
]
