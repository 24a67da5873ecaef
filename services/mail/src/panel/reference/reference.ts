import type { Operation } from '@stoa/kit/http/openapi.ts'
import { type PublishedApi, publishApi } from '@stoa/kit/http/reference/reference.ts'
import { PUBLIC } from '@stoa/kit/http/route.ts'
import { errorBody } from '@stoa/mail-model/errors.ts'
import { route } from '../../context.ts'
import { spelledPath } from '../../doors/setup/setup.ts'
import { catalogue } from '../../errors.ts'
import { SESSION_COOKIE, WEBMAIL_COOKIE } from '../../hosting/access/access.ts'
import { type DescribedRoute, errorsOf } from './errors.ts'
import { examples } from './examples.ts'
import { groupOf, groups } from './groups.ts'

/** The description of every route, made of the routes that serve it: for programs, and as a page to read. */
export const referenceRoutes = (described: readonly DescribedRoute[], publicUrl: string) => {
  const own = [
    route({
      method: 'GET',
      path: '/openapi.json',
      summary: 'OpenAPI 3.1 document',
      auth: PUBLIC,
      access: 'anyone',
      output: 'raw',
      describes: { type: 'application/json' },
      run: (_ctx, { request }) => published.document.answer(request),
    }),
    route({
      method: 'GET',
      path: '/reference',
      summary: 'API reference page',
      auth: PUBLIC,
      access: 'anyone',
      output: 'raw',
      describes: { type: 'text/html' },
      run: (_ctx, { request }) => published.page.answer(request),
    }),
  ]
  const all: DescribedRoute[] = [...described, ...own].map((each) => ({ ...each, path: spelledPath(each) }))
  const published: PublishedApi = publishApi(all, {
    title: 'Stoa Mail',
    version: '1',
    description: DESCRIPTION,
    publicUrl,
    credentials: CREDENTIALS,
    error: errorBody,
    catalogue,
    errorsOf,
    permissionOf: ({ access }) => PERMISSIONS[access],
    examples,
    groups,
    groupOf,
    others: { '/jmap/ws': { get: SOCKET } },
  })
  return own
}

const DESCRIPTION =
  'Requests and responses are JSON. Every object has an `object` field, IDs are UUIDs, and times are UTC. Lists accept page, per_page (10, 25, 50 or 100), search, sort and direction, and return {object: "list", data, page, per_page, total, pages}. Errors are {statusCode, name, message}: check the name. Every response has the headers ratelimit-limit, ratelimit-remaining and ratelimit-reset. Any route can return application_error or service_unavailable.'

const CREDENTIALS = {
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: SESSION_COOKIE,
    description: 'The panel: set by POST /api/auth/login, valid for 14 days. Automation signs in and keeps the cookie.',
  },
  key: { type: 'http', scheme: 'bearer', description: 'An API key of the sending API: mk_…' },
  webmail: {
    type: 'apiKey',
    in: 'cookie',
    name: WEBMAIL_COOKIE,
    description: 'One mailbox in webmail: set by POST /api/mail/login, valid for 12 hours.',
  },
  mailbox: {
    type: 'http',
    scheme: 'basic',
    description:
      'A mail client: the address with the mailbox password or an app password, or an app password as Bearer.',
  },
} as const

const PERMISSIONS: Readonly<Record<DescribedRoute['access'], string | null>> = {
  anyone: null,
  account: null,
  owner: 'to own the instance',
  mailbox: null,
  sending: null,
  sent: 'full_access, if it is a key',
}

/** Upgrades are not answered by a route. */
const SOCKET: Operation = {
  operationId: 'getJmapWs',
  summary: 'JMAP over a WebSocket (RFC 8887), with push',
  tags: ['jmap'],
  security: [{ mailbox: [] }, { webmail: [] }],
  parameters: [],
  responses: { 101: { description: 'The socket is open' }, 401: { description: 'unauthorized' } },
}
