import { eventStreamReply } from '@stoa/kit/http/sse.ts'
import { route } from '../../context.ts'
import { fail } from '../../errors.ts'
import { sessionOf } from '../../principal.ts'
import type { PanelEvents } from './panel-events.ts'

export const panelEventRoutes = (events: PanelEvents) => [
  route({
    method: 'GET',
    path: '/api/events',
    summary: 'Stream of changes: change events with {type, id}, and reset when much may have changed',
    auth: ['session'],
    access: 'account',
    output: 'raw',
    run: (ctx) => {
      const opened = events.open(sessionOf(ctx))
      if (!opened)
        return fail('rate_limit_exceeded', { message: 'Too many open streams.', headers: { 'retry-after': '60' } })
      return eventStreamReply(opened)
    },
  }),
]
