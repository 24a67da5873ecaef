import { isUtf8 } from 'node:buffer'
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ZodType } from 'zod'
import { Fault, fault } from '../errors.ts'
import { readBody } from './body.ts'
import { serializeCookie } from './cookies.ts'
import { corsHeaders } from './cors.ts'
import { refuseForeignWrite } from './csrf.ts'
import { isFresh } from './etag.ts'
import type { Surface } from './headers.ts'
import type { Incoming } from './incoming.ts'
import { parseInput } from './input.ts'
import { parseJson } from './json.ts'
import type { Rate, RateLimiter, RateState } from './rate-limit.ts'
import { type MaybePromise, PUBLIC, Reply, type ReplyOptions, type Route } from './route.ts'
import type { Authenticated, HttpOptions } from './server.ts'

/** What the kit remembers of a request between its stages. */
export type Call = { incoming: Incoming; surface: Surface; headers: Record<string, string>; context?: unknown }

declare module 'fastify' {
  interface FastifyRequest {
    call: Call
  }
  interface FastifyContextConfig {
    bodyLimit?: number
  }
}

type Shared<Ctx, Principal, Kind extends string, Access> = HttpOptions<Ctx, Principal, Kind, Access> & {
  limiter: RateLimiter
  publicOrigin: string
  openCall(request: FastifyRequest, surface: Surface): Call
}

const JSON_BODY_LIMIT = 1024 * 1024
const EMPTY = Buffer.alloc(0)
const NO_OPTIONS: ReplyOptions = {}

/** Fastify's body stage, after `admit`: nobody makes us read a body before they were let in. */
export const receiveBody = async (request: FastifyRequest, stream: IncomingMessage): Promise<Buffer> => {
  const body = await readBody(stream, request.routeOptions.config.bodyLimit ?? JSON_BODY_LIMIT)
  const contentType = request.headers['content-type'] ?? ''
  // Other types can be sent by any web page without asking (CORS "simple" requests).
  if (body.length > 0 && !/^application\/json\s*(;|$)/i.test(contentType))
    throw fault('unsupported_media', { contentType })
  return body
}

/** Registers one declared route: limit, credential, permission, object, input, operation, answer. */
export const callRoute = <Ctx, Principal, Kind extends string, Access>(
  app: FastifyInstance,
  route: Route<Ctx, Kind, Access>,
  shared: Shared<Ctx, Principal, Kind, Access>,
): void => {
  const surface = shared.surfaces[route.surface] ?? shared.surfaces.api

  const enter = (call: Call, { principal, viaCookie }: Authenticated<Principal>): void => {
    if (viaCookie || (route.auth === PUBLIC && !route.crossOrigin))
      refuseForeignWrite(call.incoming, {
        publicOrigin: shared.publicOrigin,
        requireProof: viaCookie && shared.csrfProof,
      })
    shared.authorise(principal, route)
    call.context = shared.context(principal, call.incoming)
  }

  const admit = (request: FastifyRequest): MaybePromise<void> => {
    const call = shared.openCall(request, surface)
    return chain(authenticate(call, route, shared), (found) => enter(call, found))
  }

  const operate = (request: FastifyRequest, params: unknown, query: unknown, loaded: unknown): MaybePromise<unknown> =>
    route.run(request.call.context as Ctx, {
      params: params as never,
      query: query as never,
      body: (route.body ? parseInput(route.body, parseJson(textOf(request.body)), 'body') : undefined) as never,
      loaded: loaded as never,
      request: request.call.incoming,
    })

  const handle = (request: FastifyRequest, response: FastifyReply): MaybePromise<FastifyReply> => {
    const params = parseInput(route.params, request.params, 'params')
    const query = parseInput(route.query, request.query, 'query')
    const answer = route.load
      ? route
          .load(request.call.context as Ctx, { params: params as never, query: query as never })
          .then((loaded) => operate(request, params, query, loaded))
      : operate(request, params, query, undefined)
    return chain(answer, (value) => send(request, response, route, value))
  }

  app.route({
    method: route.method,
    url: route.path,
    ...(route.bodyLimit === undefined ? {} : { bodyLimit: route.bodyLimit, config: { bodyLimit: route.bodyLimit } }),
    onRequest: (request, _response, done) => settle(() => admit(request), done),
    handler: handle,
  })
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
  if (route.rate) count(call, limiter, `${route.method} ${route.path} ${address.limitKey}`, route.rate)
  else if (rates && isPublic) count(call, limiter, `ip ${address.limitKey}`, rates.anonymous)
  if (!rates || isPublic) return shared.authenticate(address, route.auth)
  const refused = (error: unknown): never => {
    if (!(error instanceof Fault)) count(call, limiter, `ip ${address.limitKey}`, rates.anonymous)
    throw error
  }
  return new Promise<Authenticated<Principal>>((resolve) => {
    resolve(shared.authenticate(address, route.auth))
  }).then((found) => {
    count(call, limiter, rates.keyOf(found.principal), rates.principal)
    return found
  }, refused)
}

/** Goes on at once with a value that is there already: an answer from memory never waits for another turn. */
const chain = <A, B>(value: MaybePromise<A>, next: (value: A) => MaybePromise<B>): MaybePromise<B> =>
  value instanceof Promise ? value.then(next) : next(value)

const settle = (act: () => MaybePromise<void>, done: (error?: Error) => void): void => {
  try {
    const pending = act()
    if (pending instanceof Promise) pending.then(() => done(), done)
    else done()
  } catch (error) {
    done(error instanceof Error ? error : new Error(String(error)))
  }
}

const count = (call: Call, limiter: RateLimiter, key: string, rate: Rate): void => {
  const state: RateState = limiter.take(key, rate)
  Object.assign(call.headers, state.headers)
  if (!state.allowed)
    throw fault('rate_limited', { retryAfterSeconds: state.retryAfterSeconds, headers: state.headers })
}

const textOf = (body: unknown): string => {
  const bytes = body instanceof Buffer ? body : EMPTY
  if (!isUtf8(bytes)) throw fault('invalid_json', { reason: 'The body is not UTF-8' })
  return bytes.toString('utf8')
}

const send = (request: FastifyRequest, response: FastifyReply, route: Route, answer: unknown): FastifyReply => {
  const { body, options } = answer instanceof Reply ? answer : { body: answer, options: NO_OPTIONS }
  const { surface } = request.call
  const headers: OutgoingHttpHeaders = {
    ...surface.headers,
    ...request.call.headers,
    'x-request-id': request.id,
    ...options.headers,
  }
  if (options.cookies?.length) headers['set-cookie'] = options.cookies.map(serializeCookie)
  if (surface.cors) Object.assign(headers, corsHeaders(surface.cors, request.headers.origin, headers.vary))
  if (options.etag) {
    headers.etag = options.etag
    if (route.method === 'GET' && isFresh(request.headers['if-none-match'], options.etag))
      return write(response, 304, headers, null)
  }
  const status = options.status ?? route.status
  if (route.output === 'empty') return write(response, status, headers, null)
  if (route.output !== 'raw') {
    headers['content-type'] = 'application/json; charset=utf-8'
    return write(response, status, headers, toJson(route.output, body))
  }
  headers['content-type'] = options.contentType ?? 'application/octet-stream'
  if (body instanceof Readable) return response.code(status).headers(headers).send(body)
  return write(response, status, headers, typeof body === 'string' || body instanceof Buffer ? body : null)
}

/** Straight to the socket: Fastify's own way of sending costs as much as all the rest of the kit together. */
const write = (
  response: FastifyReply,
  status: number,
  headers: OutgoingHttpHeaders,
  body: string | Buffer | null,
): FastifyReply => {
  if (body !== null) headers['content-length'] = Buffer.byteLength(body)
  // Fastify asks for this while it is stopping, so that clients open their next connection elsewhere.
  if (response.getHeader('connection') === 'close') headers.connection = 'close'
  response.raw.writeHead(status, headers)
  response.hijack()
  response.raw.end(response.request.method === 'HEAD' ? null : body)
  return response
}

/** Builds the answer from its schema, so that a member which is not in the contract cannot leave by accident. */
const toJson = (schema: ZodType, body: unknown): string => JSON.stringify(schema.parse(body))
