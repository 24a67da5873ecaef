import { fileURLToPath } from 'node:url'
import { apiSurface, pagePolicy } from '@stoa/kit/http/headers.ts'
import type { Metrics } from '@stoa/kit/http/metrics.ts'
import { createHttp } from '@stoa/kit/http/server.ts'
import { serveUi } from '@stoa/kit/http/ui.ts'
import {
  authorise,
  createAuthenticate,
  createSessionTokens,
  createWebmailTokens,
  limitKeyOf,
  type Principal,
} from './access/access.ts'
import { accountRoutes } from './accounts/routes.ts'
import { addressRoutes } from './addresses/routes.ts'
import { apiKeyRoutes } from './api-keys/routes.ts'
import { billingRoutes } from './billing/routes.ts'
import type { Ctx, SharedParts } from './context.ts'
import { domainRoutes } from './domains/routes.ts'
import { emailRoutes } from './emails/routes.ts'
import { faults, renderError } from './errors.ts'
import { createPanelEvents } from './events-stream/panel-events.ts'
import { panelEventRoutes } from './events-stream/routes.ts'
import { filterRoutes } from './filters/routes.ts'
import { instanceRoutes } from './instance/routes.ts'
import { createJmap } from './jmap/jmap.ts'
import { jmapRoutes } from './jmap/routes.ts'
import { createJmapSockets, isSocketRequest, type JmapSockets } from './jmap/websocket.ts'
import { overviewRoutes } from './overview/routes.ts'
import { planRoutes } from './plans/routes.ts'
import { queueRoutes } from './queue-control/routes.ts'
import { recoveryRoutes } from './recovery/routes.ts'
import { referenceRoutes } from './reference/reference.ts'
import { senderRoutes } from './senders/routes.ts'
import { setupRoutes } from './setup/routes.ts'
import { shareRoutes } from './shares/routes.ts'
import { suppressionRoutes } from './suppressions/routes.ts'
import { traceRoutes } from './trace/routes.ts'
import { trackingRoutes } from './tracking/routes.ts'
import { transferRoutes } from './transfers/routes.ts'
import { webhookRoutes } from './webhooks/routes.ts'
import { webmailEventRoutes } from './webmail/events-routes.ts'
import { webmailRoutes } from './webmail/routes.ts'
import { webmailWriteRoutes } from './webmail/write-routes.ts'
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
  ...senderRoutes,
  ...instanceRoutes,
  ...queueRoutes,
  ...recoveryRoutes,
  ...addressRoutes,
  ...shareRoutes,
  ...filterRoutes,
  ...transferRoutes,
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
      payments: parts.payments,
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

/** Has the server hand sockets over, and close them before it waits for its connections. */
const serveJmapSockets = (http: ReturnType<typeof createHttp>, sockets: JmapSockets): void => {
  Object.assign(http.server, { shouldUpgradeCallback: isSocketRequest })
  http.server.on('upgrade', sockets.upgrade)
  http.addHook('preClose', (done) => {
    sockets.stop()
    done()
  })
}
