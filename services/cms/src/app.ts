import { fileURLToPath } from 'node:url'
import { errorBody } from '@stoa/cms-model/errors.ts'
import type { Clock } from '@stoa/kit/clock.ts'
import { subKey } from '@stoa/kit/crypto/seal.ts'
import { type Database, openDatabase } from '@stoa/kit/db/database.ts'
import type { Egress } from '@stoa/kit/egress/egress.ts'
import { openBus } from '@stoa/kit/events/bus.ts'
import { parseCidr } from '@stoa/kit/http/client-address.ts'
import { strongEtag } from '@stoa/kit/http/etag.ts'
import { apiSurface, baseHeaders, pagePolicy } from '@stoa/kit/http/headers.ts'
import type { Metrics } from '@stoa/kit/http/metrics.ts'
import { describeApi } from '@stoa/kit/http/openapi.ts'
import { PUBLIC, reply } from '@stoa/kit/http/route.ts'
import { createHttp, stopHttp } from '@stoa/kit/http/server.ts'
import { serveUi } from '@stoa/kit/http/ui.ts'
import type { Log } from '@stoa/kit/log.ts'
import { authorise, OPEN, type Route, route } from './access/access.ts'
import { createAuthenticator } from './access/authenticate.ts'
import { accountRoutes } from './accounts/routes.ts'
import { activityRoutes } from './activity/routes.ts'
import { agentKeyRoutes } from './agents/routes.ts'
import { API_VERSION, addVersion } from './api-version.ts'
import { createBackground, openJobs } from './background.ts'
import type { Config } from './config.ts'
import { type Ctx, contextFor, type Services } from './context.ts'
import { SESSION_COOKIE } from './credentials.ts'
import { entryRoutes } from './entries/routes.ts'
import { faults, renderError } from './errors.ts'
import { deliveryKeyRoutes } from './keys/routes.ts'
import { menuRoutes } from './menus/routes.ts'
import { searchRoutes } from './search/routes.ts'
import { settingsRoutes } from './settings/routes.ts'
import { prepareStart } from './start/start.ts'
import type { Tables } from './tables.ts'
import { taxonomyRoutes } from './taxonomies/routes.ts'
import { twoFactorRoutes } from './two-factor/routes.ts'
import { typeRoutes } from './types/routes.ts'
import { webhookRoutes } from './webhooks/routes.ts'
import { createSender } from './webhooks/sender.ts'

/** Where the numbered migrations are. */
export const migrationsFolder = new URL('../migrations/', import.meta.url)

/** For requests that are being answered when the service stops; background work gets its own time after it. */
const HTTP_STOP_MS = 5_000

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
  /** The way to webhook targets; made of the configuration if absent. */
  webhookEgress?: Egress
}

export type Cms = {
  readonly app: ReturnType<typeof createHttp>
  readonly routes: readonly Route[]
  readonly database: Database<Tables>
  /** What the process holds; for background work and tests. */
  readonly services: Services
  /** What a start does once the database is migrated. */
  prepare(): Promise<void>
  /** Begins to work on jobs and webhook deliveries; without `workers` this process only hands work to others. */
  startBackground(options?: { workers: boolean }): Promise<void>
  /** Answers what is under way, ends background work, then lets go of the database. */
  close(): Promise<void>
}

/**
 * Puts the service together: config, then context, then slices, then HTTP. It connects to the database, and neither
 * migrates, serves nor works in the background until it is told.
 */
export const createApp = (config: Config, parts: AppParts): Cms => {
  const { log, clock, metrics, adminFolder = ADMIN_FOLDER } = parts
  const services = openServices(config, parts)
  const { database, bus } = services
  const background = createBackground(services)
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
    startBackground: (options = { workers: true }) => background.start(options),
    close: async () => {
      await stopHttp(app, HTTP_STOP_MS)
      await background.stop()
      await bus.close()
      await database.close()
    },
  }
}

const openServices = (config: Config, { log, clock, webhookEgress }: AppParts): Services => {
  const database = openDatabase<Tables>({
    url: config.databaseUrl.reveal(),
    poolSize: config.poolSize,
    log,
    applicationName: 'stoa-cms',
  })
  const bus = openBus(database, { log, applicationName: 'stoa-cms-events' })
  return {
    database,
    config,
    log,
    clock,
    sessionKey: subKey(config.secret, 'session'),
    bus,
    jobs: openJobs(database, { bus, log }),
    webhooks: createSender({ database, config, log, clock }, webhookEgress),
  }
}

/** Every route of the service: one line per slice. */
const routesOf = (config: Config): readonly Route[] => {
  const routes: Route[] = [
    ...accountRoutes,
    ...twoFactorRoutes,
    ...agentKeyRoutes,
    ...deliveryKeyRoutes,
    ...activityRoutes,
    ...webhookRoutes,
    ...typeRoutes,
    ...entryRoutes,
    ...searchRoutes,
    ...taxonomyRoutes,
    ...menuRoutes,
    ...settingsRoutes,
  ]
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
  app.get('/', (_request, response) => response.headers(baseHeaders(publicUrl)).redirect(`${ADMIN_BASE}/`, 302))
}
