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
      summary: 'This reference as OpenAPI 3.1',
      auth: PUBLIC,
      access: OPEN,
      output: 'raw',
      run: (_ctx, { request }) => published().document.answer(request),
    }),
    route({
      method: 'GET',
      path: '/reference',
      summary: 'This reference as a web page',
      auth: PUBLIC,
      access: OPEN,
      output: 'raw',
      run: (_ctx, { request }) => published().page.answer(request),
    }),
  ]
  // Made on first request: it takes longer than all else at the start, and few ask for it.
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
          description: `A person's session: the cmsses_… token returned by sign-in, or the cookie ${SESSION_COOKIE} on pages of the service itself.`,
        },
        agent: { type: 'http', scheme: 'bearer', description: 'An agent key for a program: cmsagt_…' },
        delivery: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Api-Key',
          description: 'A delivery key for a website: cms_…, for published content.',
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
  "Requests and responses are JSON. Every response has X-Cms-Version and X-Request-Id headers; request a version with Accept-Version. Lists return {items, meta}. Records have a version: send it as If-Match so that you don't overwrite changes made since you read the record."

/** Upgrades are not answered by a route. */
const SOCKET: Operation = {
  operationId: 'getRealtime',
  summary: 'Open a WebSocket with a ticket, which is valid once and for 30 seconds',
  tags: ['realtime'],
  security: [],
  parameters: [{ name: 'ticket', in: 'query', required: true, schema: { type: 'string' } }],
  responses: {
    101: { description: 'The WebSocket is open' },
    401: {
      description: 'TICKET_INVALID',
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      'x-codes': ['TICKET_INVALID'],
    },
  },
}
