import { errorBody } from '@stoa/cms-model/errors.ts'
import type { Operation } from '@stoa/kit/http/openapi.ts'
import { type PublishedApi, publishApi } from '@stoa/kit/http/reference/reference.ts'
import { PUBLIC } from '@stoa/kit/http/route.ts'
import { API_VERSION } from '../../api-version.ts'
import { SESSION_COOKIE } from '../../credentials.ts'
import { catalogue } from '../../errors.ts'
import { OPEN, type Route, route } from '../../people/access/access.ts'
import { errorsOf } from './errors.ts'
import { examples } from './examples.ts'
import { groups } from './groups.ts'

/** The API's description, made of the routes that serve it: for programs, and as a page to read. */
export const apiPages = (described: readonly Route[], publicUrl: string): Route[] => {
  const own: Route[] = [
    route({
      method: 'GET',
      path: '/openapi.json',
      summary: 'This description for programs: OpenAPI 3.1',
      auth: PUBLIC,
      access: OPEN,
      output: 'raw',
      run: (_ctx, { request }) => published().document.answer(request),
    }),
    route({
      method: 'GET',
      path: '/reference',
      summary: 'This description as a page to read',
      auth: PUBLIC,
      access: OPEN,
      output: 'raw',
      run: (_ctx, { request }) => published().page.answer(request),
    }),
  ]
  // It takes longer than all else at the start, and few ask for it.
  let made: PublishedApi | undefined
  const published = (): PublishedApi => {
    made ??= publishApi([...described, ...own], {
      title: 'Stoa CMS',
      version: API_VERSION,
      description: DESCRIPTION,
      publicUrl,
      credentials: {
        session: {
          type: 'http',
          scheme: 'bearer',
          description: `A person’s session: cmsses_… of the sign-in, or the cookie ${SESSION_COOKIE} on pages of the service itself.`,
        },
        agent: { type: 'http', scheme: 'bearer', description: 'A program’s agent key: cmsagt_…' },
        delivery: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Api-Key',
          description: 'A website’s delivery key: cms_…, for published content.',
        },
      },
      error: errorBody,
      catalogue,
      errorsOf,
      permissionOf: ({ access }) => access.needs,
      examples,
      groups,
      others: { '/realtime': { get: SOCKET } },
    })
    return made
  }
  return own
}

const DESCRIPTION =
  'JSON in and out. Every answer carries X-Cms-Version and X-Request-Id; a client may ask for a version with Accept-Version. Lists answer {items, meta}. Records carry a version: send it back as If-Match to change only what you have read.'

/** Upgrades are not answered by a route. */
const SOCKET: Operation = {
  operationId: 'getRealtime',
  summary: 'Open the socket (WebSocket) with a ticket, which is good once and for 30 seconds',
  tags: ['realtime'],
  security: [],
  parameters: [{ name: 'ticket', in: 'query', required: true, schema: { type: 'string' } }],
  responses: {
    101: { description: 'The socket is open' },
    401: {
      description: 'TICKET_INVALID',
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      'x-codes': ['TICKET_INVALID'],
    },
  },
}
