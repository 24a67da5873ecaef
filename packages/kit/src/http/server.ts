import { randomBytes } from 'node:crypto'
import Fastify, { errorCodes, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Clock } from '../clock.ts'
import { AppError, Fault, type FaultTable, fault, translateFault } from '../errors.ts'
import type { Log } from '../log.ts'
import { createSender } from './answer.ts'
import { addressPolicy, type Cidr } from './client-address.ts'
import { corsHeaders, preflight } from './cors.ts'
import type { Surface } from './headers.ts'
import { addHealth, HEALTH_PATHS } from './health.ts'
import { Incoming } from './incoming.ts'
import { chain } from './maybe-promise.ts'
import type { Metrics } from './metrics.ts'
import {
  addressKey,
  admitAtOnce,
  allowedMethods,
  bodyReceiver,
  type Call,
  callMount,
  callRoute,
  hasEmptyParam,
  isPreflight,
  METHODS,
} from './pipeline.ts'
import { openRateLimiter, type Rate } from './rate-limit.ts'
import { type MaybePromise, type Mount, PUBLIC, type Route } from './route.ts'
import { type Shortcut, takeShortcuts } from './shortcut.ts'
import { type Stopping, watchStop } from './stopping.ts'
import { TIMEOUTS, type Timeouts } from './timeouts.ts'

/** Who is asking, and whether the browser sent the proof by itself. */
export type Authenticated<Principal> = { principal: Principal; viaCookie: boolean }

export type HttpOptions<Ctx, Principal, Kind extends string, Access> = {
  routes: readonly Route<Ctx, Kind, Access>[]
  /** Branches whose routes come and go while the service runs. */
  mounts?: readonly Mount<Ctx, Kind, Access>[]
  log: Log
  clock: Clock
  publicUrl: string
  trustedProxies: readonly Cidr[]
  /** Headers per surface; `api` must be among them. */
  surfaces: Readonly<Record<string, Surface>> & { readonly api: Surface }
  /** Every fault of the kit as an error of this service. */
  faults: FaultTable
  renderError(error: AppError, requestId: string): unknown
  /** Resolves the request's credential to a principal, re-reading its state, or throws an AppError. */
  authenticate(request: Incoming, kinds: Route<Ctx, Kind, Access>['auth']): MaybePromise<Authenticated<Principal>>
  /** Throws unless the principal may use the matched route. */
  authorise(principal: Principal, route: Route<Ctx, Kind, Access>): void
  context(principal: Principal, request: Incoming): Ctx
  /** Members sent to a route that takes none are refused; otherwise they are ignored. */
  refuseUnknown?: true
  /** Cookie writes must prove their origin (true), or only must not show a foreign one (false). */
  csrfProof: boolean
  /** Requests per second; absent: unlimited. Principals without a key are not counted. */
  rates?: { anonymous: Rate; principal: Rate; keyOf(principal: Principal): string | null }
  /** Fails when the service cannot work; behind /readyz. */
  ready(): Promise<void>
  /** What this process does, for /healthz and /readyz; absent: everything. */
  roles?: readonly string[]
  metrics?: Metrics
  /** Answers that are in memory. Their routes have no limits of the kit, and no `admit`. */
  shortcut?: Shortcut<Route<Ctx, Kind, Access>>
  /** Other slow-client limits than the usual ones. */
  timeouts?: Partial<Timeouts>
}

const MAX_PARAM_LENGTH = 500

/** The Fastify instance of a service: its routes and nothing that is not declared. It does not listen yet. */
export const createHttp = <Ctx, Principal, Kind extends string, Access>(
  options: HttpOptions<Ctx, Principal, Kind, Access>,
): FastifyInstance => {
  for (const route of options.routes) refuseUndeclared(route, options.surfaces)
  const timeouts = { ...TIMEOUTS, ...options.timeouts }
  const nextId = requestIds()
  const app = Fastify({
    logger: false,
    requestTimeout: timeouts.request,
    keepAliveTimeout: timeouts.keepAlive,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH, ignoreTrailingSlash: false, caseSensitive: true },
    genReqId: nextId,
    http: {
      headersTimeout: timeouts.headers,
      connectionsCheckingInterval: timeouts.check,
      // Node would silently keep the first of duplicate headers: of two credentials, content types or hosts.
      joinDuplicateHeaders: true,
    },
    // A path that cannot be decoded never reaches a route, nor the handlers below.
    frameworkErrors: (error, request, reply) => render(error, request, reply),
  })
  // Node's own answer to what is not HTTP: a bare status, the connection closed, nothing pushed into a running answer.
  app.server.removeAllListeners('clientError')
  const addresses = addressPolicy(options.trustedProxies)
  const limiter = openRateLimiter(options.clock, 'http')
  const incomingOf = (request: FastifyRequest) => new Incoming(request.id, request.raw, addresses)
  const openCall = (request: FastifyRequest, surface: Surface): Call => {
    request.call = { incoming: incomingOf(request), surface, headers: {} }
    refuseTwoHosts(request)
    return request.call
  }
  const stopping = watchStop(app)
  const { send, sendReady } = createSender({ timeouts, stopping })
  const shared = {
    ...options,
    limiter,
    openCall,
    send,
    silenceMs: timeouts.silence,
    publicOrigin: new URL(options.publicUrl).origin,
  }

  app.decorateRequest('call')
  if (options.metrics) observe(app, options.metrics)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', bodyReceiver(timeouts))
  addHealth(app, {
    ready: options.ready,
    roles: options.roles,
    surface: options.surfaces.api,
    stopping,
    deadlineMs: timeouts.ready,
  })
  for (const route of options.routes) callRoute(app, route, shared)
  for (const mount of options.mounts ?? []) callMount(app, mount, shared)
  refuseOtherMethods(app, options, openCall)
  if (options.shortcut)
    takeShortcuts(app, {
      shortcut: options.shortcut,
      incomingOf: (raw) => new Incoming(nextId(), raw, addresses),
      surfaceOf: ({ surface }) => options.surfaces[surface] ?? options.surfaces.api,
      admit: admitAtOnce(shared),
      send: sendReady,
      metrics: options.metrics,
    })
  // An unknown path or a wrong verb counts against nobody, and still shows where its address stands.
  const standing = (request: FastifyRequest): MaybePromise<Record<string, string>> => {
    if (!options.rates || request.call?.headers['ratelimit-limit'] !== undefined) return {}
    return chain(limiter.peek(addressKey(incomingOf(request)), options.rates.anonymous), ({ headers }) => headers)
  }
  const render = errorRenderer(options, { standing, stopping })
  app.setErrorHandler(render)
  app.setNotFoundHandler((request, reply) => render(fault('route_not_found', { path: request.url }), request, reply))
  return app
}

/** Ends with in-flight requests answered; a client that does not finish in time is cut. */
export const stopHttp = async (app: FastifyInstance, deadlineMs = 10_000): Promise<void> => {
  const cut = setTimeout(() => app.server.closeAllConnections(), deadlineMs)
  try {
    await app.close()
  } finally {
    clearTimeout(cut)
  }
}

const refuseUndeclared = (route: Route, surfaces: Readonly<Record<string, Surface>>): void => {
  const name = `${route.method} ${route.path}`
  if (route.auth !== PUBLIC && !(Array.isArray(route.auth) && route.auth.length > 0))
    throw new Error(`${name} declares no credential`)
  if (!Object.hasOwn(surfaces, route.surface)) throw new Error(`${name} names the unknown surface '${route.surface}'`)
}

/** Unique across restarts and processes, and cheap: it is on every answer. */
const requestIds = () => {
  const start = randomBytes(6).toString('hex')
  let count = 0
  return () => {
    count += 1
    return `${start}-${count.toString(36).padStart(7, '0')}`
  }
}

/** RFC 9112 §3.2: a request with more than one Host is refused. Joined by Node, they have a comma between them. */
const hasTwoHosts = (request: FastifyRequest): boolean => request.raw.headers.host?.includes(',') === true

const twoHosts = () =>
  fault('invalid_input', {
    issues: [{ where: 'headers', path: 'Host', reason: 'invalid', message: 'must be sent only once' }],
  })

const refuseTwoHosts = (request: FastifyRequest): void => {
  if (hasTwoHosts(request)) throw twoHosts()
}

/**
 * A known path answers every other verb with 405, registered per path, so that a static path such as `/things/check`
 * is never taken for `/things/:id` by another verb.
 */
const refuseOtherMethods = (
  app: FastifyInstance,
  { routes, surfaces }: { routes: readonly Route[]; surfaces: HttpOptions<never, never, never, never>['surfaces'] },
  openCall: (request: FastifyRequest, surface: Surface) => Call,
): void => {
  const health = HEALTH_PATHS.map((path) => ({ path, method: 'GET', surface: 'api' }))
  const byPath = Map.groupBy([...health, ...routes], (route) => route.path)
  for (const [path, sharing] of byPath) {
    const allow = allowedMethods(sharing)
    const surface = surfaces[sharing[0]?.surface ?? 'api'] ?? surfaces.api
    app.route({
      method: METHODS.filter((method) => !allow.includes(method)),
      url: path,
      onRequest: (request, reply, done) => {
        openCall(request, surface)
        if (hasEmptyParam(request.params)) throw fault('route_not_found', { path: request.url })
        if (isPreflight(request) && surface.cors) return preflight(request, reply, surface)
        done(fault('method_not_allowed', { allow }))
      },
      handler: unreachable,
    })
  }
}

const unreachable = () => {
  throw new Error('answered before')
}

const errorRenderer =
  <Ctx, Principal, Kind extends string, Access>(
    options: HttpOptions<Ctx, Principal, Kind, Access>,
    {
      standing,
      stopping,
    }: { standing(request: FastifyRequest): MaybePromise<Record<string, string>>; stopping: Stopping },
  ) =>
  (raised: unknown, request: FastifyRequest, response: FastifyReply): void => {
    const error = toAppError(raised, request, options.faults)
    if (error.status >= 500)
      options.log[error.status === 503 ? 'warn' : 'error'](
        { requestId: request.id, method: request.method, route: request.routeOptions.url, err: raised },
        'request failed',
      )
    const { surface, headers } = request.call ?? { surface: options.surfaces.api, headers: {} }
    const answer = (stands: Record<string, string>): void => {
      forgetHeaders(response)
      response
        .code(error.status)
        .headers(surface.headers)
        .headers({
          ...stands,
          ...headers,
          'cache-control': 'no-store',
          'x-request-id': request.id,
          ...error.headers,
        })
        .header('content-type', 'application/json; charset=utf-8')
      if (stopping.now || hasTwoHosts(request) || (raised instanceof Fault && raised.kind === 'too_large'))
        response.header('connection', 'close')
      response.headers(corsHeaders(surface.cors, request.headers.origin, response.getHeader('vary')))
      response.send(JSON.stringify(options.renderError(error, request.id)))
    }
    void chain(standing(request), answer)
  }

/** Headers of a response that failed do not apply to the error that replaces it. */
const forgetHeaders = (response: FastifyReply): void => {
  for (const name of Object.keys(response.getHeaders())) if (name !== 'connection') response.removeHeader(name)
}

const toAppError = (raised: unknown, request: FastifyRequest, faults: FaultTable): AppError => {
  if (hasTwoHosts(request)) return translateFault(faults, twoHosts())
  // A path that cannot be decoded or is too long matches no route, whatever else is wrong with the request.
  if (request.is404) return translateFault(faults, fault('route_not_found', { path: request.url }))
  if (raised instanceof AppError) return raised
  if (raised instanceof Fault) return translateFault(faults, raised)
  const contentType = request.headers['content-type']
  if (contentType !== undefined && raised instanceof errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE)
    return translateFault(faults, fault('unsupported_media', { contentType }))
  return translateFault(faults, fault('internal', {}, raised))
}

const observe = (app: FastifyInstance, metrics: Metrics): void => {
  app.addHook('onResponse', (request, response, done) => {
    metrics.observe(request.method, request.routeOptions.url ?? 'unmatched', response.statusCode, response.elapsedTime)
    done()
  })
}
