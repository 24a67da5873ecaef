import { fileURLToPath } from 'node:url'
import { apiSurface, pagePolicy } from '@stoa/kit/http/headers.ts'
import type { Metrics } from '@stoa/kit/http/metrics.ts'
import { createHttp } from '@stoa/kit/http/server.ts'
import { serveUi } from '@stoa/kit/http/ui.ts'
import { type Config, ROLES } from './config.ts'
import type { Ctx, SharedParts } from './context.ts'
import { createJmap } from './doors/jmap/jmap.ts'
import { jmapRoutes } from './doors/jmap/routes.ts'
import { createJmapSockets, isSocketRequest, type JmapSockets } from './doors/jmap/websocket.ts'
import { setupRoutes } from './doors/setup/routes.ts'
import { webmailEventRoutes } from './doors/webmail/events-routes.ts'
import { webmailRoutes } from './doors/webmail/routes.ts'
import { webmailWriteRoutes } from './doors/webmail/write-routes.ts'
import { wellKnownRoutes } from './doors/well-known/routes.ts'
import { faults, renderError } from './errors.ts'
import {
  authorise,
  createAuthenticate,
  createSessionTokens,
  createWebmailTokens,
  limitKeyOf,
} from './hosting/access/access.ts'
import { addressRoutes } from './hosting/addresses/routes.ts'
import { auditRoutes } from './hosting/audit/routes.ts'
import { shareRoutes } from './hosting/shares/routes.ts'
import { traceRoutes } from './hosting/trace/routes.ts'
import { accountRoutes } from './panel/accounts/routes.ts'
import { apiKeyRoutes } from './panel/api-keys/routes.ts'
import { billingRoutes } from './panel/billing/routes.ts'
import { deletedRoutes } from './panel/deleted/routes.ts'
import { domainRoutes } from './panel/domains/routes.ts'
import { planRoutes } from './panel/entitlement/routes.ts'
import { createPanelEvents } from './panel/events-stream/panel-events.ts'
import { panelEventRoutes } from './panel/events-stream/routes.ts'
import { exportRoutes } from './panel/exports/routes.ts'
import { healthRoutes } from './panel/health/routes.ts'
import { instanceRoutes } from './panel/instance/routes.ts'
import { instanceAccountRoutes } from './panel/instance-accounts/routes.ts'
import { overviewRoutes } from './panel/overview/routes.ts'
import { queueRoutes } from './panel/queue-control/routes.ts'
import { recoveryRoutes } from './panel/recovery/routes.ts'
import { referenceRoutes } from './panel/reference/reference.ts'
import { webhookRoutes } from './panel/webhooks/routes.ts'
import type { Principal } from './principal.ts'
import { filterRoutes } from './receiving/filters/routes.ts'
import { senderRoutes } from './receiving/senders/routes.ts'
import { transferRoutes } from './receiving/transfers/routes.ts'
import { emailRoutes } from './sending/emails/routes.ts'
import { trackingRoutes } from './sending/emails/tracking-routes.ts'
import { suppressionRoutes } from './sending/suppressions/routes.ts'

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
  ...senderRoutes,
  ...instanceRoutes,
  ...queueRoutes,
  ...instanceAccountRoutes,
  ...auditRoutes,
  ...healthRoutes,
  ...recoveryRoutes,
  ...addressRoutes,
  ...shareRoutes,
  ...filterRoutes,
  ...transferRoutes,
  ...exportRoutes,
  ...deletedRoutes,
  ...emailRoutes,
  ...apiKeyRoutes,
  ...suppressionRoutes,
  ...planRoutes,
  ...billingRoutes,
  ...overviewRoutes,
  ...traceRoutes,
  ...webhookRoutes,
  ...webmailRoutes,
  ...webmailWriteRoutes,
]

/** Puts the service together. It neither migrates nor listens. */
export const createMail = ({ metrics, ...parts }: MailParts) => {
  const { config, database, log, clock, credentials } = parts
  const sessionTokens = createSessionTokens(config.secret)
  const webmailTokens = createWebmailTokens(config.secret)
  const rate = { limit: config.ratePerSecond, windowSeconds: 1 }
  const authenticate = createAuthenticate({ database, tokens: sessionTokens, webmailTokens, credentials, clock })
  const jmap = createJmap(parts)
  const panelEvents = createPanelEvents(parts)
  const routes = [
    ...apiRoutes,
    ...panelEventRoutes(panelEvents),
    ...jmapRoutes(jmap),
    ...webmailEventRoutes(jmap),
    ...setupRoutes,
    ...wellKnownRoutes,
    ...trackingRoutes,
  ]
  const http = createHttp({
    routes: [...routes, ...referenceRoutes(routes, config.publicUrl)],
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
    ...rolesOf(config),
    ...(metrics && { metrics }),
  })
  serveJmapSockets(http, createJmapSockets(jmap, authenticate))
  http.addHook('preClose', (done) => {
    jmap.stop()
    panelEvents.stop()
    done()
  })
  serveUi(http, {
    folder: uiFolder,
    base: '/',
    publicUrl: config.publicUrl,
    // No picture of another server, which would learn who reads: a quoted mail may name some
    policy: (nonce) => pagePolicy(nonce, { frameSrc: "'self'", imgSrc: "'self' data: blob:" }),
    reserved: RESERVED,
  })
  return http
}

/** A process that does not run everything logs what it runs. */
const rolesOf = ({ roles }: Config): { roles?: readonly string[] } =>
  ROLES.every((role) => roles.has(role)) ? {} : { roles: [...roles] }

/** Has the server hand sockets over, and close them before it waits for its connections. */
const serveJmapSockets = (http: ReturnType<typeof createHttp>, sockets: JmapSockets): void => {
  Object.assign(http.server, { shouldUpgradeCallback: isSocketRequest })
  http.server.on('upgrade', sockets.upgrade)
  http.addHook('preClose', (done) => {
    sockets.stop()
    done()
  })
}
