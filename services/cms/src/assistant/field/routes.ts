import { fieldAssistantInput } from '@stoa/cms-model/assistant.ts'
import { eventStreamReply } from '@stoa/kit/http/sse.ts'
import { needs, type Route, route } from '../../people/access/access.ts'
import { suggestValue } from './field.ts'

export const fieldRoutes: Route[] = [
  route({
    method: 'POST',
    path: '/api/assistant/field',
    summary:
      'Suggest a value for a field as server-sent events: `start`, `text`, then `done` with the cleaned value, or `error`',
    auth: ['session'],
    access: needs('content.write'),
    body: fieldAssistantInput,
    output: 'raw',
    describes: { type: 'text/event-stream' },
    run: async (ctx, { body }) => eventStreamReply(await suggestValue(ctx, body)),
  }),
]
