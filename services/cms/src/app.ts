import { fileURLToPath } from 'node:url'
import { errorBody } from '@stoa/cms-model/errors.ts'
import type { Clock } from '@stoa/kit/clock.ts'
import { subKey } from '@stoa/kit/crypto/seal.ts'
import { type Database, openDatabase } from '@stoa/kit/db/database.ts'
import { parseCidr } from '@stoa/kit/http/client-address.ts'
import { strongEtag } from '@stoa/kit/http/etag.ts'
import { apiSurface, pagePolicy } from '@stoa/kit/http/headers.ts'
import type { Metrics } from '@stoa/kit/http/metrics.ts'
import { describeApi } from '@stoa/kit/http/openapi.ts'
import { PUBLIC, reply } from '@stoa/kit/http/route.ts'
import { createHttp, stopHttp } from '@stoa/kit/http/server.ts'
import { serveUi } from '@stoa/kit/http/ui.ts'
import type { Log } from '@stoa/kit/log.ts'
import { authorise, OPEN, type Route, route } from './access/access.ts'
import { createAuthenticator } from './access/authenticate.ts'
import { accountRoutes } from './accounts/routes.ts'
import { API_VERSION, addVersion } from './api-version.ts'
import type { Config } from './config.ts'
import { type Ctx, contextFor, type Services } from './context.ts'
import { SESSION_COOKIE } from './credentials.ts'
import { faults, renderError } from './errors.ts'
import { prepareStart } from './start/start.ts'
import type { Tables } from './tables.ts'

/** Where the numbered migrations are. */
export const migrationsFolder = new URL('../migrations/', import.meta.url)

const ADMIN_BASE = '/admin'
const ADMIN_FOLDER = fileURLToPath(new URL('../../../web/cms-admin/dist/', import.meta.url))
/** The service itself, and the two hosts whose videos rich text may hold. */
const FRAME_SOURCES = "'self' https://www.youtube-nocookie.com https://player.vimeo.com"

export type AppParts = {
  log: Log
  clock: Clock
  metrics?: Metrics
  /** The built admin UI; the repository's own if absent. */
  adminFolder?: string
}

export type Cms = {
  readonly app: ReturnType<typeof createHttp>
  readonly routes: readonly Route[]
  readonly database: Database<Tables>
  /** What the process holds; for background work and tests. */
  readonly services: Services
  /** What a start does once the database is migrated. */
  prepare(): Promise<void>
  /** Answers what is under way, then lets go of the database. */
  close(): Promise<void>
}

/** Puts the service together: config, then context, then slices, then HTTP. It neither migrates nor listens. */
export const createApp = (config: Config, { log, clock, metrics, adminFolder = ADMIN_FOLDER }: AppParts): Cms => {
  const database = openDatabase<Tables>({
    url: config.databaseUrl.reveal(),
    poolSize: config.poolSize,
    log,
    applicationName: 'stoa-cms',
  })
  const services: Services = { database, config, log, clock, sessionKey: subKey(config.secret, 'session') }
  const routes = routesOf(config)
  const app = createHttp({
    routes,
    log,
    clock,
    publicUrl: config.publicUrl,
    trustedProxies: config.trustedProxies.map(parseCidr),
    surfaces: { api: apiSurface(config.publicUrl, { 'x-cms-version': API_VERSION }) },
    faults,
    renderError,
    authenticate: createAuthenticator(services),
    authorise,
    context: (principal): Ctx => contextFor(services, principal),
    csrfProof: true,
    ready: () => database.ping(),
    ...(metrics && { metrics }),
  })
  addVersion(app)
  serveAdmin(app, adminFolder, config.publicUrl)
  return {
    app,
    routes,
    database,
    services,
    prepare: () => prepareStart(contextFor(services, { kind: 'system', name: 'start' })),
    close: async () => {
      await stopHttp(app)
      await database.close()
    },
  }
}

/** Every route of the service: one line per slice. */
const routesOf = (config: Config): readonly Route[] => {
  const routes: Route[] = [...accountRoutes]
  return [...routes, descriptionRoute(routes, config.publicUrl)]
}

/** The API's description, made of the routes that serve it. */
const descriptionRoute = (described: readonly Route[], publicUrl: string): Route => {
  const self: Route = route({
    method: 'GET',
    path: '/openapi.json',
    summary: 'This description',
    auth: PUBLIC,
    access: OPEN,
    output: 'raw',
    run: () => reply(text, { contentType: 'application/json; charset=utf-8', etag }),
  })
  const text = JSON.stringify(
    describeApi([...described, self], {
      title: 'Stoa CMS',
      version: API_VERSION,
      description: 'Admin API of the content service.',
      publicUrl,
      credentials: {
        session: { type: 'http', scheme: 'bearer', description: `cmsses_…, or the cookie ${SESSION_COOKIE}` },
        agent: { type: 'http', scheme: 'bearer', description: 'cmsagt_…' },
      },
      error: errorBody,
    }),
  )
  const etag = strongEtag(text)
  return self
}

const serveAdmin = (app: Cms['app'], folder: string, publicUrl: string): void => {
  serveUi(app, {
    folder,
    base: ADMIN_BASE,
    publicUrl,
    policy: (nonce) => pagePolicy(nonce, { frameSrc: FRAME_SOURCES }),
  })
  app.get('/', (_request, response) => response.redirect(`${ADMIN_BASE}/`, 302))
}
