import { fileURLToPath } from 'node:url'
import { apiSurface, pagePolicy } from '@stoa/kit/http/headers.ts'
import type { Metrics } from '@stoa/kit/http/metrics.ts'
import { type PublishedApi, publishApi } from '@stoa/kit/http/reference.ts'
import { PUBLIC } from '@stoa/kit/http/route.ts'
import { createHttp } from '@stoa/kit/http/server.ts'
import { serveUi } from '@stoa/kit/http/ui.ts'
import { errorBody } from '@stoa/mail-model/errors.ts'
import {
  authorise,
  createAuthenticate,
  createSessionTokens,
  createWebmailTokens,
  limitKeyOf,
  type Principal,
  SESSION_COOKIE,
  WEBMAIL_COOKIE,
} from './access/access.ts'
import { accountRoutes } from './accounts/routes.ts'
import { addressRoutes } from './addresses/routes.ts'
import { billingRoutes } from './billing/routes.ts'
import { type Ctx, route, type SharedParts } from './context.ts'
import { domainRoutes } from './domains/routes.ts'
import { faults, renderError } from './errors.ts'
import { filterRoutes } from './filters/routes.ts'
import { instanceRoutes } from './instance/routes.ts'
import { createJmap } from './jmap/jmap.ts'
import { jmapRoutes } from './jmap/routes.ts'
import { createJmapSockets, isSocketRequest, type JmapSockets } from './jmap/websocket.ts'
import { overviewRoutes } from './overview/routes.ts'
import { planRoutes } from './plans/routes.ts'
import { recoveryRoutes } from './recovery/routes.ts'
import { setupRoutes } from './setup/routes.ts'
import { shareRoutes } from './shares/routes.ts'
import { webmailRoutes } from './webmail/routes.ts'
import { wellKnownRoutes } from './well-known/routes.ts'

export type MailParts = SharedParts & { metrics?: Metrics }

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
export const apiRoutes = [
  ...accountRoutes,
  ...domainRoutes,
  ...instanceRoutes,
  ...recoveryRoutes,
  ...addressRoutes,
  ...shareRoutes,
  ...filterRoutes,
  ...planRoutes,
  ...billingRoutes,
  ...overviewRoutes,
  ...webmailRoutes,
]

/** Puts the service together. It neither migrates nor listens. */
export const createMail = ({ metrics, ...parts }: MailParts) => {
  const { config, database, log, clock, credentials } = parts
  const sessionTokens = createSessionTokens(config.secret)
  const webmailTokens = createWebmailTokens(config.secret)
  const rate = { limit: config.ratePerSecond, windowSeconds: 1 }
  const authenticate = createAuthenticate({ database, tokens: sessionTokens, webmailTokens, credentials, clock })
  const jmap = createJmap(parts)
  const published = [...apiRoutes, ...jmapRoutes(jmap)]
  const http = createHttp({
    routes: [...published, ...setupRoutes, ...wellKnownRoutes, ...describeRoutes(published, config.publicUrl)],
    log,
    clock,
    publicUrl: config.publicUrl,
    trustedProxies: config.trustedProxies,
    surfaces: { api: apiSurface(config.publicUrl) },
    faults,
    renderError,
    authenticate,
    authorise,
    context: (principal: Principal): Ctx => ({
      db: database.db,
      tx: database.tx,
      principal,
      config,
      log,
      sessionTokens,
      webmailTokens,
      parts,
      now: clock.now,
    }),
    csrfProof: false,
    rates: { anonymous: rate, principal: rate, keyOf: limitKeyOf },
    ready: database.ping,
    ...(metrics && { metrics }),
  })
  serveJmapSockets(http, createJmapSockets(jmap, authenticate))
  http.addHook('preClose', (done) => {
    jmap.stop()
    done()
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

/** Has the server hand sockets over, and close them before it waits for its connections. */
const serveJmapSockets = (http: ReturnType<typeof createHttp>, sockets: JmapSockets): void => {
  Object.assign(http.server, { shouldUpgradeCallback: isSocketRequest })
  http.server.on('upgrade', sockets.upgrade)
  http.addHook('preClose', (done) => {
    sockets.stop()
    done()
  })
}

/** The API's own description, built from the routes that serve it: for programs, and as a page to read. */
const describeRoutes = (routes: readonly (typeof apiRoutes)[number][], publicUrl: string) => {
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
  const published: PublishedApi = publishApi([...routes, ...own], {
    title: 'Stoa mail',
    version: '1',
    description: 'Control panel API of the mail service.',
    publicUrl,
    credentials: {
      session: { type: 'apiKey', in: 'cookie', name: SESSION_COOKIE },
      webmail: { type: 'apiKey', in: 'cookie', name: WEBMAIL_COOKIE },
      mailbox: { type: 'http', scheme: 'basic' },
    },
    error: errorBody,
  })
  return own
}
