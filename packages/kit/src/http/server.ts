import { randomBytes } from 'node:crypto'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Clock } from '../clock.ts'
import { AppError, Fault, type FaultTable, fault, translateFault } from '../errors.ts'
import type { Log } from '../log.ts'
import { addressPolicy, type Cidr } from './client-address.ts'
import { corsHeaders, preflight } from './cors.ts'
import type { Surface } from './headers.ts'
import { Incoming } from './incoming.ts'
import type { Metrics } from './metrics.ts'
import { type Call, callRoute, receiveBody } from './pipeline.ts'
import { createRateLimiter, type Rate } from './rate-limit.ts'
import { type MaybePromise, PUBLIC, type Route } from './route.ts'

/** Who is asking, and whether the browser sent the proof by itself. */
export type Authenticated<Principal> = { principal: Principal; viaCookie: boolean }

export type HttpOptions<Ctx, Principal, Kind extends string, Access> = {
  routes: readonly Route<Ctx, Kind, Access>[]
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
  /** Cookie writes must prove their origin (true), or only must not show a foreign one (false). */
  csrfProof: boolean
  /** Requests per second; absent: unlimited. */
  rates?: { anonymous: Rate; principal: Rate; keyOf(principal: Principal): string }
  /** Fails when the service cannot work; behind /readyz. */
  ready(): Promise<void>
  metrics?: Metrics
}

/** Slow-client limits: headers, whole request (uploads need the longer one), a peer that stopped reading. */
const HEADERS_TIMEOUT_MS = 15_000
const REQUEST_TIMEOUT_MS = 300_000
const SILENCE_TIMEOUT_MS = 60_000
const CHECK_INTERVAL_MS = 5_000
const KEEP_ALIVE_MS = 65_000
const MAX_PARAM_LENGTH = 500
const READY_DEADLINE_MS = 3_000
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'] as const

/** The Fastify instance of a service: its routes and nothing that is not declared. It does not listen yet. */
export const createHttp = <Ctx, Principal, Kind extends string, Access>(
  options: HttpOptions<Ctx, Principal, Kind, Access>,
): FastifyInstance => {
  for (const route of options.routes) refuseUndeclared(route, options.surfaces)
  const app = Fastify({
    logger: false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: SILENCE_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH, ignoreTrailingSlash: false, caseSensitive: true },
    genReqId: requestIds(),
    http: { headersTimeout: HEADERS_TIMEOUT_MS, connectionsCheckingInterval: CHECK_INTERVAL_MS },
  })
  const addresses = addressPolicy(options.trustedProxies)
  const limiter = createRateLimiter(options.clock)
  const openCall = (request: FastifyRequest, surface: Surface): Call => {
    request.call = { incoming: new Incoming(request.id, request.raw, addresses), surface, headers: {} }
    if (hasTwoHosts(request.raw.rawHeaders)) throw fault('invalid_json', { reason: 'Two Host headers' })
    return request.call
  }
  const shared = { ...options, limiter, openCall, publicOrigin: new URL(options.publicUrl).origin }

  app.decorateRequest('call')
  if (options.metrics) observe(app, options.metrics)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', receiveBody)
  addHealth(app, options)
  for (const route of options.routes) callRoute(app, route, shared)
  refuseOtherMethods(app, options)
  const render = errorRenderer(options)
  app.setErrorHandler(render)
  app.setNotFoundHandler((request, reply) => render(fault('route_not_found', { path: request.url }), request, reply))
  return app
}

/** Ends with in-flight requests answered; a client that does not finish in time is cut. */
export const stopHttp = async (app: FastifyInstance, deadlineMs = 10_000): Promise<void> => {
  const cut = setTimeout(() => app.server.closeAllConnections(), deadlineMs)
  await app.close()
  clearTimeout(cut)
}

const refuseUndeclared = (route: Route, surfaces: Readonly<Record<string, Surface>>): void => {
  const name = `${route.method} ${route.path}`
  if (route.auth !== PUBLIC && !(Array.isArray(route.auth) && route.auth.length > 0))
    throw new Error(`${name} declares no credential`)
  if (!surfaces[route.surface]) throw new Error(`${name} names the unknown surface '${route.surface}'`)
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

/** RFC 9112 §3.2: a request with more than one Host is refused; Node keeps the first silently. */
const hasTwoHosts = (rawHeaders: readonly string[]): boolean => {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts > 1
}

/**
 * A known path answers every other verb with 405, registered per path, so that a static path such as `/things/check`
 * is never taken for `/things/:id` by another verb.
 */
const refuseOtherMethods = (
  app: FastifyInstance,
  { routes, surfaces }: { routes: readonly Route[]; surfaces: Readonly<Record<string, Surface>> },
): void => {
  const byPath = Map.groupBy(routes, (route) => route.path)
  for (const [path, sharing] of byPath) {
    const known = new Set<string>(sharing.map((route) => route.method))
    if (known.has('GET')) known.add('HEAD')
    const allow = METHODS.filter((method) => known.has(method))
    const surface = surfaces[sharing[0]?.surface ?? 'api']
    app.route({
      method: METHODS.filter((method) => !known.has(method)),
      url: path,
      onRequest: (request, reply, done) => {
        if (request.method === 'OPTIONS' && surface?.cors) return preflight(request, reply, surface)
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
  <Ctx, Principal, Kind extends string, Access>(options: HttpOptions<Ctx, Principal, Kind, Access>) =>
  (raised: unknown, request: FastifyRequest, response: FastifyReply): void => {
    const error = toAppError(raised, options.faults)
    if (error.status >= 500)
      options.log[error.status === 503 ? 'warn' : 'error'](
        { requestId: request.id, method: request.method, route: request.routeOptions.url, err: raised },
        'request failed',
      )
    const { surface, headers } = request.call ?? { surface: options.surfaces.api, headers: {} }
    response
      .code(error.status)
      .headers(surface.headers)
      .headers({ ...headers, 'cache-control': 'no-store', 'x-request-id': request.id, ...error.headers })
      .header('content-type', 'application/json; charset=utf-8')
    if (raised instanceof Fault && raised.kind === 'too_large') response.header('connection', 'close')
    response.headers(corsHeaders(surface.cors, request.headers.origin, response.getHeader('vary')))
    response.send(JSON.stringify(options.renderError(error, request.id)))
  }

const toAppError = (raised: unknown, faults: FaultTable): AppError => {
  if (raised instanceof AppError) return raised
  if (raised instanceof Fault) return translateFault(faults, raised)
  const code = raised instanceof Error && 'code' in raised ? raised.code : undefined
  if (code === 'FST_ERR_BAD_URL' || code === 'FST_ERR_MAX_PARAM_LENGTH')
    return translateFault(faults, fault('route_not_found', { path: '' }))
  if (code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH')
    return translateFault(faults, fault('invalid_json', { reason: 'The body has another length than declared' }))
  return translateFault(faults, fault('internal', {}, raised))
}

const observe = (app: FastifyInstance, metrics: Metrics): void => {
  app.addHook('onResponse', (request, response, done) => {
    metrics.observe(request.method, request.routeOptions.url ?? 'unmatched', response.statusCode, response.elapsedTime)
    done()
  })
}

const addHealth = (app: FastifyInstance, options: { ready(): Promise<void>; surfaces: { api: Surface } }): void => {
  const answer = (response: FastifyReply, status: number, state: string) =>
    response.code(status).headers(options.surfaces.api.headers).type('application/json').send(`{"status":"${state}"}`)
  app.get('/healthz', (_request, response) => answer(response, 200, 'ok'))
  app.get('/readyz', async (_request, response) => {
    const late = new Promise<never>((_resolve, reject) => {
      setTimeout(() => reject(new Error('not ready in time')), READY_DEADLINE_MS).unref()
    })
    const isReady = await Promise.race([options.ready(), late]).then(
      () => true,
      () => false,
    )
    return isReady ? answer(response, 200, 'ready') : answer(response, 503, 'unavailable')
  })
}
