import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { AppError, Fault, fault } from '../errors.ts'
import type { Send } from './answer.ts'
import { JSON_BODY_LIMIT, readBody } from './body.ts'
import { preflight } from './cors.ts'
import { refuseForeignWrite } from './csrf.ts'
import type { Surface } from './headers.ts'
import type { Incoming } from './incoming.ts'
import { parseInput } from './input.ts'
import { parseJson } from './json.ts'
import { chain } from './maybe-promise.ts'
import type { Rate, RateLimiter } from './rate-limit.ts'
import { type MaybePromise, type Mount, PUBLIC, type Route } from './route.ts'
import type { Authenticated, HttpOptions } from './server.ts'
import { endSilence, type Timeouts } from './timeouts.ts'

/** What the kit remembers of a request between its stages. */
export type Call = {
  incoming: Incoming
  surface: Surface
  headers: Record<string, string>
  context?: unknown
  /** For a mount: the route that was found, and its path parameters. */
  found?: { stages: Stages; params: Readonly<Record<string, string>> }
}

/** What is done with a request of one route: before its body is read, and after. */
type Stages = {
  admit(request: FastifyRequest): MaybePromise<void>
  // An answer that is already sent must not be returned: it would be waited for.
  handle(request: FastifyRequest, response: FastifyReply): Promise<FastifyReply> | undefined
}

declare module 'fastify' {
  interface FastifyRequest {
    call: Call
  }
  interface FastifyContextConfig {
    bodyLimit?: number
    /** The operation reads the body while it arrives. */
    isStreamed?: true
  }
}

type Shared<Ctx, Principal, Kind extends string, Access> = HttpOptions<Ctx, Principal, Kind, Access> & {
  limiter: RateLimiter
  publicOrigin: string
  send: Send
  silenceMs: number
  openCall(request: FastifyRequest, surface: Surface): Call
}

const EMPTY = Buffer.alloc(0)

/** Fastify's body stage, after `admit`: nobody makes us read a body before they were let in. */
export const bodyReceiver =
  ({ body: deadlineMs }: Timeouts) =>
  async (request: FastifyRequest, stream: IncomingMessage): Promise<Buffer> => {
    // Fastify reads bodies before it says that there is no such path.
    if (request.is404) throw fault('route_not_found', { path: request.url })
    if (request.routeOptions.config.isStreamed) return EMPTY
    const body = await readBody(stream, request.routeOptions.config.bodyLimit ?? JSON_BODY_LIMIT, deadlineMs)
    const contentType = request.headers['content-type'] ?? ''
    // Other types can be sent by any web page without asking (CORS "simple" requests).
    if (body.length > 0 && !/^application\/json\s*(;|$)/i.test(contentType))
      throw fault('unsupported_media', { contentType })
    return body
  }

/** Registers one declared route. */
export const callRoute = <Ctx, Principal, Kind extends string, Access>(
  app: FastifyInstance,
  route: Route<Ctx, Kind, Access>,
  shared: Shared<Ctx, Principal, Kind, Access>,
): void => {
  const { admit, handle } = stagesOf(route, shared)
  app.route({
    method: route.method,
    url: route.path,
    ...(route.bodyLimit === undefined ? {} : { bodyLimit: route.bodyLimit, config: { bodyLimit: route.bodyLimit } }),
    ...(route.form === undefined ? {} : { config: { isStreamed: true as const } }),
    onRequest: (request, _response, done) => settle(() => admit(request), done),
    handler: handle,
  })
}

/** Registers addresses whose routes are looked up when they are called. */
export const callMount = <Ctx, Principal, Kind extends string, Access>(
  app: FastifyInstance,
  mount: Mount<Ctx, Kind, Access>,
  shared: Shared<Ctx, Principal, Kind, Access>,
): void => {
  const surfaceOf = (name: string): Surface => shared.surfaces[name] ?? shared.surfaces.api
  const known = new WeakMap<Route<Ctx, Kind, Access>, Stages>()
  const stagesFor = (route: Route<Ctx, Kind, Access>): Stages => {
    const stages = known.get(route) ?? stagesOf(route, shared)
    known.set(route, stages)
    return stages
  }

  const enter = (request: FastifyRequest, response: FastifyReply): MaybePromise<void> | 'answered' => {
    shared.openCall(request, surfaceOf(mount.surface))
    const [path = ''] = request.url.split('?', 1)
    const found = mount.find(path)
    if (found === null || found.routes.length === 0) throw fault('route_not_found', { path })
    const { routes } = found
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const route = routes.find((one) => one.method === method)
    if (route) {
      const stages = stagesFor(route)
      return chain(stages.admit(request), () => {
        request.call.found = { stages, params: found.paramsOf(route) }
      })
    }
    const asked = request.headers['access-control-request-method']
    const { surface } = routes.find((one) => one.method === asked) ?? { surface: mount.surface }
    if (isPreflight(request) && surfaceOf(surface).cors) {
      preflight(request, response, surfaceOf(surface))
      return 'answered'
    }
    throw fault('method_not_allowed', { allow: allowedMethods(routes) })
  }

  app.route({
    method: [...METHODS],
    url: mount.path,
    onRequest: (request, response, done) => {
      let answered = false
      settle(
        () => {
          const entered = enter(request, response)
          answered = entered === 'answered'
          return entered === 'answered' ? undefined : entered
        },
        (error) => {
          if (error || !answered) done(error)
        },
      )
    },
    handler: (request, response) => request.call.found?.stages.handle(request, response),
  })
}

/** All verbs that are answered at all; others are no HTTP of ours. */
export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'] as const

/** What `Allow` says of a path with these routes. */
export const allowedMethods = (routes: readonly { method: string }[]): string[] => {
  const known = new Set(routes.map(({ method }) => method))
  if (known.has('GET')) known.add('HEAD')
  return METHODS.filter((method) => known.has(method))
}

export const isPreflight = (request: FastifyRequest): boolean =>
  request.method === 'OPTIONS' && request.headers.origin !== undefined

/** One route's way: limit, credential, permission, object, input, operation, answer. */
const stagesOf = <Ctx, Principal, Kind extends string, Access>(
  route: Route<Ctx, Kind, Access>,
  shared: Shared<Ctx, Principal, Kind, Access>,
): Stages => {
  const surface = shared.surfaces[route.surface] ?? shared.surfaces.api
  const noMembers = shared.refuseUnknown ? NO_MEMBERS : ANY_MEMBERS

  const enter = (call: Call, { principal, viaCookie }: Authenticated<Principal>): MaybePromise<void> => {
    if (viaCookie || (route.auth === PUBLIC && !route.crossOrigin))
      refuseForeignWrite(call.incoming, {
        publicOrigin: shared.publicOrigin,
        requireProof: viaCookie && shared.csrfProof,
      })
    shared.authorise(principal, route)
    const context = shared.context(principal, call.incoming)
    call.context = context
    return route.admit?.(context, call.incoming)
  }

  const admit = (request: FastifyRequest): MaybePromise<void> => {
    const call = shared.openCall(request, surface)
    if (hasEmptyParam(request.params)) throw fault('route_not_found', { path: request.url })
    return chain(authenticate(call, route, shared), (found) => enter(call, found))
  }

  const operate = (request: FastifyRequest, params: unknown, query: unknown, loaded: unknown): MaybePromise<unknown> =>
    route.run(request.call.context as Ctx, {
      params: params as never,
      query: query as never,
      body: bodyOf(route, request.body, noMembers) as never,
      loaded: loaded as never,
      request: request.call.incoming,
    })

  const handle: Stages['handle'] = (request, response) => {
    if (route.form) endSilence(request.raw.socket, shared.silenceMs)
    const params = parseInput(route.params, request.call.found?.params ?? request.params, 'params')
    const query = parseInput(route.query, request.query, 'query')
    const answer = route.load
      ? route
          .load(request.call.context as Ctx, { params: params as never, query: query as never })
          .then((loaded) => operate(request, params, query, loaded))
      : operate(request, params, query, undefined)
    const sent = chain(answer, (value) => shared.send(request, response, route, value))
    return sent instanceof Promise ? sent : undefined
  }

  return { admit, handle }
}

/** Lets a request in as its route does, where nothing has to be waited for; otherwise it is not let in, and not counted. */
export const admitAtOnce =
  <Ctx, Principal, Kind extends string, Access>(
    shared: Pick<Shared<Ctx, Principal, Kind, Access>, 'rates' | 'authenticate' | 'authorise'>,
  ) =>
  (request: Incoming, route: Route<Ctx, Kind, Access>): boolean => {
    if (shared.rates || route.rate || route.admit || route.load || route.auth === PUBLIC) return false
    const found = shared.authenticate(request, route.auth)
    if (found instanceof Promise) return false
    shared.authorise(found.principal, route)
    return !found.viaCookie
  }

/**
 * Anonymous requests and those with a refused credential count against the address, the others against their
 * principal; the state of whichever counted is on every answer.
 */
const authenticate = <Ctx, Principal, Kind extends string, Access>(
  call: Call,
  route: Route<Ctx, Kind, Access>,
  shared: Shared<Ctx, Principal, Kind, Access>,
): MaybePromise<Authenticated<Principal>> => {
  const { rates, limiter } = shared
  const address = call.incoming
  const isPublic = route.auth === PUBLIC
  const counted = route.rate
    ? count(call, limiter, `${route.method} ${route.path} ${address.limitKey}`, route.rate)
    : rates && isPublic && count(call, limiter, addressKey(address), rates.anonymous)
  if (!rates || isPublic) return chain(counted, () => shared.authenticate(address, route.auth))
  const refused = async (error: unknown): Promise<never> => {
    if (isRefusal(error)) await count(call, limiter, addressKey(address), rates.anonymous)
    throw error
  }
  return new Promise<Authenticated<Principal>>((resolve) => {
    resolve(chain(counted, () => shared.authenticate(address, route.auth)))
  }).then((found) => {
    const key = rates.keyOf(found.principal)
    const own = route.principalRate
    if (key === null) return found
    const taken = count(call, limiter, own ? `${route.path} ${key}` : key, own ?? rates.principal)
    return chain(taken, () => found)
  }, refused)
}

/** The credential was not good, as opposed to: nobody could look. */
const isRefusal = (error: unknown): boolean =>
  (error instanceof AppError && error.status < 500) || (error instanceof Fault && error.kind === 'unauthenticated')

/** The router takes `/things/` for `/things/:id` with an empty id. */
export const hasEmptyParam = (params: unknown): boolean => {
  if (typeof params !== 'object' || params === null) return false
  for (const name in params) if (Reflect.get(params, name) === '') return true
  return false
}

/** What requests without a valid credential count against. */
export const addressKey = (request: Incoming): string => `ip ${request.limitKey}`

const settle = (act: () => MaybePromise<void>, done: (error?: Error) => void): void => {
  // Whatever was thrown, also nothing at all, must stop the request.
  const stop = (error: unknown) => done(error instanceof Error ? error : new Error(String(error)))
  let pending: MaybePromise<void>
  try {
    pending = act()
  } catch (error) {
    stop(error)
    return
  }
  if (pending instanceof Promise) pending.then(() => done(), stop)
  else done()
}

const count = (call: Call, limiter: RateLimiter, key: string, rate: Rate): MaybePromise<void> =>
  chain(limiter.take(key, rate), ({ allowed, headers, retryAfterSeconds }) => {
    Object.assign(call.headers, headers)
    if (!allowed) throw fault('rate_limited', { retryAfterSeconds, headers })
  })

/** A route that takes no members still refuses what is not an object: the client meant something else. */
const bodyOf = (route: Route, body: unknown, noMembers: z.ZodType): unknown => {
  const isExpected = route.body !== undefined
  if (!isExpected && !(body instanceof Buffer && body.length > 0)) return undefined
  const parsed = parseInput(route.body ?? noMembers, parseJson(textOf(body), route.jsonLimits), 'body')
  return isExpected ? parsed : undefined
}

const ANY_MEMBERS = z.looseObject({})
const NO_MEMBERS = z.strictObject({})

const textOf = (body: unknown): string => {
  const bytes = body instanceof Buffer ? body : EMPTY
  if (!isUtf8(bytes)) throw fault('invalid_json', { reason: "The body isn't UTF-8" })
  return bytes.toString('utf8')
}
