import { fileURLToPath } from 'node:url'
import type { Clock } from '@stoa/kit/clock.ts'
import type { Database } from '@stoa/kit/db/database.ts'
import { apiSurface, pagePolicy } from '@stoa/kit/http/headers.ts'
import type { Metrics } from '@stoa/kit/http/metrics.ts'
import { type PublishedApi, publishApi } from '@stoa/kit/http/reference.ts'
import { PUBLIC } from '@stoa/kit/http/route.ts'
import { createHttp } from '@stoa/kit/http/server.ts'
import { serveUi } from '@stoa/kit/http/ui.ts'
import type { Log } from '@stoa/kit/log.ts'
import { errorBody } from '@stoa/mail-model/errors.ts'
import {
  authorise,
  createAuthenticate,
  createSessionTokens,
  limitKeyOf,
  type Principal,
  SESSION_COOKIE,
} from './access/access.ts'
import { accountRoutes } from './accounts/routes.ts'
import type { Config } from './config.ts'
import { type Ctx, route } from './context.ts'
import { faults, renderError } from './errors.ts'
import type { Tables } from './tables.ts'

export type MailParts = {
  config: Config
  database: Database<Tables>
  log: Log
  clock: Clock
  metrics?: Metrics
}

/** Where the numbered `.sql` files are. */
export const migrationsFolder = new URL('../migrations/', import.meta.url)

const uiFolder = fileURLToPath(new URL('../../../web/mail/dist/', import.meta.url))

/** First path segments that belong to the service and never to a screen of the panel. */
const RESERVED = [
  'api',
  'jmap',
  'mail',
  'autodiscover',
  '.well-known',
  'openapi.json',
  'healthz',
  'readyz',
  'reference',
  't',
]

/** Every route of the service: one line per slice. */
export const apiRoutes = [...accountRoutes]

/** Puts the service together. It neither migrates nor listens. */
export const createMail = ({ config, database, log, clock, metrics }: MailParts) => {
  const sessionTokens = createSessionTokens(config.secret)
  const rate = { limit: config.ratePerSecond, windowSeconds: 1 }
  const http = createHttp({
    routes: [...apiRoutes, ...describeRoutes(config.publicUrl)],
    log,
    clock,
    publicUrl: config.publicUrl,
    trustedProxies: config.trustedProxies,
    surfaces: { api: apiSurface(config.publicUrl) },
    faults,
    renderError,
    authenticate: createAuthenticate({ database, tokens: sessionTokens, clock }),
    authorise,
    context: (principal: Principal): Ctx => ({
      db: database.db,
      tx: database.tx,
      principal,
      config,
      log,
      sessionTokens,
      now: clock.now,
    }),
    csrfProof: false,
    rates: { anonymous: rate, principal: rate, keyOf: limitKeyOf },
    ready: database.ping,
    ...(metrics && { metrics }),
  })
  serveUi(http, {
    folder: uiFolder,
    base: '/',
    publicUrl: config.publicUrl,
    policy: (nonce) => pagePolicy(nonce, { frameSrc: "'self'" }),
    reserved: RESERVED,
  })
  return http
}

/** The API's own description, built from the routes that serve it: for programs, and as a page to read. */
const describeRoutes = (publicUrl: string) => {
  const own = [
    route({
      method: 'GET',
      path: '/openapi.json',
      summary: 'This description for programs: OpenAPI 3.1',
      auth: PUBLIC,
      access: 'anyone',
      output: 'raw',
      run: () => published.document,
    }),
    route({
      method: 'GET',
      path: '/reference',
      summary: 'This description as a page to read',
      auth: PUBLIC,
      access: 'anyone',
      output: 'raw',
      run: () => published.page,
    }),
  ]
  const published: PublishedApi = publishApi([...apiRoutes, ...own], {
    title: 'Stoa mail',
    version: '1',
    description: 'Control panel API of the mail service.',
    publicUrl,
    credentials: { session: { type: 'apiKey', in: 'cookie', name: SESSION_COOKIE } },
    error: errorBody,
  })
  return own
}
