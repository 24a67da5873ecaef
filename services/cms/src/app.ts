import { fileURLToPath } from 'node:url'
import { type Clock, systemClock } from '@stoa/kit/clock.ts'
import { lookUpNameServers } from '@stoa/kit/config/name-servers.ts'
import type { Env } from '@stoa/kit/config.ts'
import { subKey } from '@stoa/kit/crypto/seal.ts'
import { type Database, type DatabaseOptions, openDatabase } from '@stoa/kit/db/database.ts'
import { migrate } from '@stoa/kit/db/migrate.ts'
import { untilConnected } from '@stoa/kit/db/until-connected.ts'
import type { Egress } from '@stoa/kit/egress/egress.ts'
import { openBus } from '@stoa/kit/events/bus.ts'
import { parseCidr } from '@stoa/kit/http/client-address.ts'
import { apiSurface } from '@stoa/kit/http/headers.ts'
import type { Metrics } from '@stoa/kit/http/metrics.ts'
import { createHttp, stopHttp } from '@stoa/kit/http/server.ts'
import { newId } from '@stoa/kit/ids.ts'
import { createLogger, type Log } from '@stoa/kit/log.ts'
import type { Polling } from '@stoa/kit/queue/worker.ts'
import { NO_STOP_DEADLINE, STOP_GRACE_MS, type StopDeadline } from '@stoa/kit/stop-deadline.ts'
import { serveAdmin } from './admin-ui.ts'
import { API_VERSION, addVersion } from './api-version.ts'
import { connectionRoutes } from './assistant/connection/routes.ts'
import { conversationRoutes } from './assistant/conversations/routes.ts'
import { openTurns } from './assistant/conversations/turns.ts'
import { fieldRoutes } from './assistant/field/routes.ts'
import { acceptProposals } from './assistant/proposals/applying.ts'
import { proposalRoutes } from './assistant/proposals/routes.ts'
import { type AiParts, openAi } from './assistant/providers/port.ts'
import { visitorRoutes } from './assistant/visitor/routes.ts'
import { forgetTypeOfVisitors, openVisitor, visitorSurfaces } from './assistant/visitor/visitor.ts'
import { createBackground, openJobs } from './background.ts'
import { bootConnectionName, withoutConnectionName } from './boot.ts'
import { type Config, ROLES, readConfig } from './config.ts'
import { activityRoutes } from './content/activity/routes.ts'
import { demoRoutes } from './content/demo/routes.ts'
import { entryRoutes } from './content/entries/routes.ts'
import { type Given, openHostDefinitions } from './content/host-definitions/host-definitions.ts'
import { mediaRoutes } from './content/media/routes.ts'
import { mediaSurface } from './content/media/serve.ts'
import { openMediaStore } from './content/media/store.ts'
import { menuRoutes } from './content/menus/routes.ts'
import { searchRoutes } from './content/search/routes.ts'
import { settingsRoutes } from './content/settings/routes.ts'
import { taxonomyRoutes } from './content/taxonomies/routes.ts'
import { typeRoutes } from './content/types/routes.ts'
import { type Ctx, contextFor, type Services } from './context.ts'
import { faults, renderError } from './errors.ts'
import { healthRoutes } from './instance/health/routes.ts'
import { authorise, type Route } from './people/access/access.ts'
import { accountRoutes } from './people/accounts/routes.ts'
import { agentKeyRoutes } from './people/agent-keys/routes.ts'
import { createAuthenticator } from './people/authentication/authentication.ts'
import { createKeyCache } from './people/delivery-keys/delivery-keys.ts'
import { deliveryKeyRoutes } from './people/delivery-keys/routes.ts'
import { invitationRoutes } from './people/invitations/routes.ts'
import { openMailer } from './people/mailer/mailer.ts'
import { passwordResetRoutes } from './people/password-reset/routes.ts'
import { twoFactorRoutes } from './people/two-factor-setup/routes.ts'
import { createReach } from './plugins/api/api.ts'
import { notifyPlugins, rememberMaker } from './plugins/events/events.ts'
import { extMount, extSurfaces } from './plugins/ext/ext.ts'
import { openPluginFolder } from './plugins/folder/folder.ts'
import { ownSettings } from './plugins/records/records.ts'
import { pluginRoutes } from './plugins/registry/routes.ts'
import { type CreateSandbox, openPlugins, type RunningPlugins } from './plugins/running/running.ts'
import { createSandbox } from './plugins/sandbox/sandbox.ts'
import { createDocumentStore } from './plugins/store/store.ts'
import { dashboardRoutes } from './site/dashboard/routes.ts'
import { deliveryRoutes } from './site/delivery/routes.ts'
import { deliveryShortcut } from './site/delivery/shortcut.ts'
import { deliveryRate, openDelivery } from './site/delivery/state.ts'
import { deliverySurface } from './site/delivery/surface.ts'
import { resetDeletedPicture } from './site/design/design.ts'
import { designRoutes } from './site/design/routes.ts'
import { openDesign } from './site/design/state.ts'
import { endPreviews, endSnapshots } from './site/preview/ending.ts'
import { previewRoutes } from './site/preview/routes.ts'
import {
  BROADCAST_HISTORY,
  createRealtime,
  type Realtime,
  type RealtimeOptions,
  serveSockets,
} from './site/realtime/realtime.ts'
import { realtimeRoutes } from './site/realtime/routes.ts'
import { apiPages } from './site/reference/reference.ts'
import { createPageReader } from './site/visual/page.ts'
import { visualRoutes } from './site/visual/routes.ts'
import { webhookRoutes } from './site/webhooks/routes.ts'
import { createSender } from './site/webhooks/sender.ts'
import { forgetDeletedType } from './site/webhooks/webhooks.ts'
import { websiteRoutes } from './site/website/routes.ts'
import { accountRoutes as socialAccountRoutes } from './social/accounts/routes.ts'
import { appRoutes as socialAppRoutes } from './social/apps/routes.ts'
import { openSocial, type SocialParts } from './social/networks/port.ts'
import { failPostsOfGoneAccount } from './social/posts/account-gone.ts'
import { socialPostRoutes } from './social/posts/routes.ts'
import { socialMediaRoutes } from './social/worker/routes.ts'
import { prepareStart } from './start.ts'
import type { Tables } from './tables.ts'

/** Where the numbered migrations are. */
export const migrationsFolder = new URL('../migrations/', import.meta.url)

const DEFAULT_ADMIN_BASE = '/admin'
const ADMIN_FOLDER = fileURLToPath(new URL('../../../web/cms-admin/dist/', import.meta.url))

export type AppParts = SocialParts &
  AiParts &
  Polling & {
    log: Log
    clock: Clock
    metrics?: Metrics
    /** The built admin UI; the repository's own if absent. */
    adminFolder?: string
    /** The way to webhook targets; made of the configuration if absent. */
    webhookEgress?: Egress
    realtime?: RealtimeOptions
    /** How long it waits for the database in place of what answers a request in time. */
    databaseTimeouts?: Pick<DatabaseOptions, 'connectTimeoutMs' | 'statementTimeoutMs'>
    /** How long the visual editor waits for a page of the website; 10 seconds if absent. */
    pageTimeoutMs?: number
    /** Where the admin UI lives; everything else has fixed addresses. `/admin` if absent. */
    adminBase?: string
    /** What the host says about its pages at this start. */
    host?: Given
    /** The way to the hosts that plugins declare; https on port 443 of public addresses if absent. */
    pluginEgress?: Egress
    /** What runs the code of plugins; QuickJS in a thread if absent. */
    createSandbox?: CreateSandbox
    /** Plugins in place of those of the database. */
    plugins?: RunningPlugins
  }

export type Cms = {
  readonly app: ReturnType<typeof createHttp>
  readonly routes: readonly Route[]
  readonly database: Database<Tables>
  /** What the process holds; for background work and tests. */
  readonly services: Services
  /** Takes a request for a socket over; false when it is not one of this service. */
  readonly upgrade: Realtime['upgrade']
  /** How many sockets are open. */
  sockets(): number
  /** What a start does once the database is migrated. */
  prepare(): Promise<void>
  /** Begins to work on jobs and webhook deliveries; without `workers` this process only hands work to others. */
  startBackground(options?: { workers: boolean }): Promise<void>
  /**
   * Answers what is under way and ends background work, then lets go of the database. What the caller ends beside it may need
   * the database as long.
   */
  close(deadline?: StopDeadline, beside?: readonly Promise<unknown>[]): Promise<void>
}

/**
 * Puts the service together: config, then context, then slices, then HTTP. It connects to the database; migrating,
 * serving and background work only start when called for.
 */
export const createApp = (config: Config, parts: AppParts): Cms => {
  const { log, clock, metrics, adminBase = DEFAULT_ADMIN_BASE, adminFolder = ADMIN_FOLDER } = parts
  const routes = routesOf(config)
  const services = openServices(config, parts, routes)
  const { database, bus } = services
  const background = createBackground(services, parts)
  const realtime = createRealtime(services, parts.realtime)
  const app = createHttp({
    routes,
    mounts: [extMount(services, adminFolder)],
    log,
    clock,
    publicUrl: config.publicUrl,
    trustedProxies: config.trustedProxies.map(parseCidr),
    surfaces: {
      api: apiSurface(config.publicUrl, { 'x-cms-version': API_VERSION }),
      media: mediaSurface(config.publicUrl, { 'x-cms-version': API_VERSION }),
      delivery: deliverySurface(config),
      ...extSurfaces(config.publicUrl),
      ...visitorSurfaces(config.publicUrl, services.visitor),
    },
    faults,
    renderError,
    authenticate: createAuthenticator(services, () => deliveryRate(services.delivery)),
    authorise,
    context: (principal): Ctx => contextFor(services, principal),
    csrfProof: true,
    refuseUnknown: true,
    ready: () => database.ping(),
    // A process that does not do everything says what it does.
    ...(ROLES.every((role) => config.roles.has(role)) ? {} : { roles: [...config.roles] }),
    shortcut: deliveryShortcut(services),
    ...(metrics && { metrics }),
  })
  addVersion(app)
  serveSockets(app.server, realtime)
  serveAdmin(app, { base: adminBase, folder: adminFolder, publicUrl: config.publicUrl })
  return {
    app,
    routes,
    database,
    services,
    upgrade: realtime.upgrade,
    sockets: () => realtime.sockets,
    prepare: async () => {
      await prepareStart(contextFor(services, { kind: 'system', name: 'start' }), parts.host ?? {})
      await services.design.load()
      await services.visitor.load()
      await services.plugins.load()
    },
    startBackground: (options = { workers: true }) => background.start(options),
    close: async (deadline = NO_STOP_DEADLINE, beside = []) => {
      // Together: nobody waits for the others' time, and a server is not closed before its sockets are.
      await Promise.all([
        ...beside,
        deadline.wait('sockets', realtime.stop()),
        deadline.wait('the assistant', services.turns.close()),
        deadline.wait('requests', stopHttp(app, STOP_GRACE_MS)),
        background.stop(deadline),
      ])
      await deadline.wait('plugins', services.plugins.close())
      services.delivery.close()
      services.design.close()
      services.visitor.close()
      services.host.close()
      await deadline.wait('the use of delivery keys', services.deliveryKeys.close())
      await services.media.close()
      await deadline.wait('previews', endSnapshots(services))
      await deadline.wait('notifications', bus.close())
      await deadline.wait('the database', database.close())
    },
  }
}

export type StartOptions = Omit<AppParts, 'log' | 'clock'> & {
  /** The environment of the process if absent. */
  env?: Env
  /** False: this process takes no part in background work. */
  workers?: boolean
}

/** A service that is ready for requests: configured, migrated, at work in the background. It does not listen. */
export const startApp = async ({ env, workers = true, ...parts }: StartOptions = {}): Promise<Cms> => {
  const given = readConfig(env)
  const config = { ...given, dnsResolvers: await lookUpNameServers(given.dnsResolvers) }
  const log = createLogger({ name: 'cms', level: config.logLevel })
  await migrate((config.databaseDirectUrl ?? config.databaseUrl).reveal(), migrationsFolder, log)
  const cms = createApp(config, { ...parts, log, clock: systemClock })
  try {
    await untilConnected(cms.database)
    await cms.prepare()
    await cms.startBackground({ workers: workers && config.roles.has('worker') })
    await cms.app.ready()
    return cms
  } catch (error) {
    await cms.close()
    throw error
  }
}

const openServices = (config: Config, parts: AppParts, routes: readonly Route[]): Services => {
  const { log, clock, webhookEgress, pageTimeoutMs, adminBase = DEFAULT_ADMIN_BASE } = parts
  const database = openDatabase<Tables>({
    url: config.databaseUrl.reveal(),
    directUrl: config.databaseDirectUrl?.reveal(),
    poolSize: config.poolSize,
    log,
    applicationName: 'stoa-cms',
    ...parts.databaseTimeouts,
  })
  const bootId = newId()
  const bus = openBus(
    { directUrl: withoutConnectionName(database.directUrl), onCommit: database.onCommit },
    { log, applicationName: bootConnectionName(bootId), history: BROADCAST_HISTORY },
  )
  const host = openHostDefinitions({ database, bus, log })
  const design = openDesign({ database, bus, log, config, host })
  const delivery = openDelivery({ database, bus, log, config, host, design })
  const pluginFolder = openPluginFolder({ dir: config.pluginDir, log })
  const startSandbox = parts.createSandbox ?? createSandbox
  const reach = createReach({
    services: () => services,
    store: createDocumentStore({ database, clock }),
    ownSettings: ({ name }) => ownSettings({ db: database.db, config }, name),
    ...(parts.pluginEgress && { egress: parts.pluginEgress }),
  })
  const plugins =
    parts.plugins ??
    openPlugins({ database, bus, log, clock, pluginFolder, createSandbox: startSandbox, createReach: reach })
  database.onCommit(notifyPlugins({ plugins, clock, log }))
  const services: Services = {
    database,
    config,
    log,
    clock,
    bootId,
    sessionKey: subKey(config.secret, 'session'),
    bus,
    jobs: openJobs(database, { bus, log }),
    deliveryKeys: createKeyCache({ database, bus, log, clock }),
    host,
    hooks: [
      endPreviews,
      forgetDeletedType,
      forgetTypeOfVisitors,
      resetDeletedPicture,
      rememberMaker,
      failPostsOfGoneAccount,
    ],
    design,
    delivery,
    pages: createPageReader({ ...config, ...(pageTimeoutMs && { timeoutMs: pageTimeoutMs }) }),
    typesInUse: async () => (await delivery.site.read()).types,
    media: openMediaStore(config),
    webhooks: createSender({ database, config, log, clock }, webhookEgress),
    ...openMailer(config, adminBase),
    ...openSocial(adminBase, parts),
    ...openAi(adminBase, parts),
    visitor: openVisitor({ database, bus }),
    pluginFolder,
    createSandbox: startSandbox,
    plugins,
    routes: () => routes,
    turns: openTurns({ bus, log }),
  }
  return services
}

/** Every route of the service: one line per slice. */
const routesOf = (config: Config): readonly Route[] => {
  const routes: Route[] = [
    ...accountRoutes,
    ...invitationRoutes,
    ...passwordResetRoutes,
    ...twoFactorRoutes,
    ...agentKeyRoutes,
    ...deliveryKeyRoutes,
    ...activityRoutes,
    ...webhookRoutes,
    ...typeRoutes,
    ...entryRoutes,
    ...previewRoutes,
    ...realtimeRoutes,
    ...searchRoutes,
    ...taxonomyRoutes,
    ...mediaRoutes,
    ...menuRoutes,
    ...settingsRoutes,
    ...deliveryRoutes,
    ...websiteRoutes,
    ...dashboardRoutes,
    ...visualRoutes,
    ...designRoutes,
    ...demoRoutes,
    ...socialAppRoutes,
    ...socialAccountRoutes,
    ...socialPostRoutes,
    ...socialMediaRoutes,
    ...connectionRoutes,
    ...fieldRoutes,
    ...visitorRoutes,
    ...pluginRoutes,
    ...proposalRoutes,
    ...conversationRoutes,
    ...healthRoutes,
  ]
  return acceptProposals([...routes, ...apiPages(routes, config.publicUrl)])
}
