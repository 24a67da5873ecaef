import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { createTestClock, type TestClock } from '../../clock.ts'
import { type AppError, defineErrors, type FaultKind, type FaultTable } from '../../errors.ts'
import { createLogger } from '../../log.ts'
import { apiSurface, type Surface } from '../headers.ts'
import type { Incoming } from '../incoming.ts'
import { PUBLIC, type Route, reply, routeFor } from '../route.ts'
import { createHttp, type HttpOptions, stopHttp } from '../server.ts'

/** A tiny service for the tests of this folder: things that can be read and written with a token or a cookie. */
export type Principal = { name: string; role: 'reader' | 'writer' | 'nobody' }
export type Context = { principal: Principal; ip: string; limitKey: string }
export type Kind = 'token' | 'cookie'
export type Access = 'read' | 'write' | 'all'
export type Options = HttpOptions<Context, Principal, Kind, Access>
export type Service = { app: FastifyInstance; port: number; logged: string[]; clock: TestClock; stop(): Promise<void> }

export const PUBLIC_URL = 'http://things.example'
export const SECRET_TEXT = 'password=hunter2 at /srv/app/db.ts select * from users'

const statuses: Record<FaultKind | 'forbidden' | 'gone', number> = {
  invalid_input: 400,
  invalid_json: 400,
  too_large: 413,
  unsupported_media: 415,
  route_not_found: 404,
  method_not_allowed: 405,
  unauthenticated: 401,
  csrf: 403,
  origin_refused: 403,
  rate_limited: 429,
  conflict: 409,
  reference: 409,
  invalid_value: 400,
  unavailable: 503,
  internal: 500,
  forbidden: 403,
  gone: 404,
}
const entries = Object.entries(statuses).map(([code, status]) => [code, { status, message: `It is ${code}` }] as const)
export const { error, fail } = defineErrors(Object.fromEntries(entries))

export const faults: FaultTable = {
  invalid_input: ({ issues }) => error('invalid_input', { details: { issues } }),
  invalid_json: ({ reason }) => error('invalid_json', { message: reason }),
  too_large: ({ limit }) => error('too_large', { details: { limit } }),
  unsupported_media: ({ contentType }) => error('unsupported_media', { details: { contentType } }),
  route_not_found: () => error('route_not_found'),
  method_not_allowed: ({ allow }) => error('method_not_allowed', { headers: { allow: allow.join(', ') } }),
  unauthenticated: () => error('unauthenticated'),
  csrf: ({ reason }) => error('csrf', { details: { reason } }),
  origin_refused: () => error('origin_refused'),
  rate_limited: ({ headers }) => error('rate_limited', { headers }),
  conflict: () => error('conflict'),
  reference: () => error('reference'),
  invalid_value: () => error('invalid_value'),
  unavailable: ({ retryAfterSeconds }) => error('unavailable', { headers: { 'retry-after': `${retryAfterSeconds}` } }),
  internal: (_detail, cause) => error('internal', { cause }),
}

export const route = routeFor<Context, Kind, Access>()

const thingInput = z.strictObject({
  name: z.string().max(20),
  size: z.int().optional(),
  tags: z.array(z.string()).optional(),
})
const thing = z.object({ id: z.string(), name: z.string() })
const guarded = { auth: ['token', 'cookie'] as const, access: 'read' as const, summary: 'A guarded thing' }
const open = { auth: PUBLIC, access: 'all' as const, summary: 'Open to all' } as const

/** Routes that most tests need; a test adds its own. */
export const routes: readonly Route<Context, Kind, Access>[] = [
  route({
    ...guarded,
    method: 'GET',
    path: '/api/things',
    query: z.object({ page: z.coerce.number().int().optional(), search: z.string().optional() }),
    output: z.object({ page: z.number(), search: z.string().nullable() }),
    run: (_ctx, { query }) => ({ page: query.page ?? 1, search: query.search ?? null }),
  }),
  route({
    ...guarded,
    access: 'write',
    method: 'POST',
    path: '/api/things',
    body: thingInput,
    output: thing,
    status: 201,
    run: (_ctx, { body }) => ({ id: 'new', ...body }),
  }),
  route({
    ...guarded,
    method: 'GET',
    path: '/api/things/:id',
    params: z.object({ id: z.string() }),
    output: thing,
    run: (_ctx, { params }) => Object.assign({ id: params.id, name: 'A thing' }, { secret: SECRET_TEXT }),
  }),
  route({
    ...guarded,
    access: 'write',
    method: 'PUT',
    path: '/api/things/:id',
    params: z.object({ id: z.string() }),
    body: thingInput,
    output: thing,
    load: async (_ctx, { params }) => (params.id === 'missing' ? fail('gone') : { id: params.id }),
    run: (_ctx, { loaded, body }) => ({ id: loaded.id, name: body.name }),
  }),
  route({
    ...guarded,
    access: 'write',
    method: 'DELETE',
    path: '/api/things/:id',
    output: 'empty',
    run: () => undefined,
  }),
  route({
    ...open,
    method: 'POST',
    path: '/api/things/check',
    body: z.unknown(),
    output: z.object({ ok: z.boolean(), body: z.unknown() }),
    run: (_ctx, { body }) => ({ ok: true, body }),
  }),
  route({
    ...open,
    method: 'GET',
    path: '/api/who',
    output: z.object({ ip: z.string(), limitKey: z.string(), name: z.string() }),
    run: ({ principal, ip, limitKey }) => ({ ip, limitKey, name: principal.name }),
  }),
  route({
    ...open,
    method: 'POST',
    path: '/api/sign-in',
    rate: { limit: 2, windowSeconds: 10 },
    output: 'empty',
    run: () => undefined,
  }),
  route({
    ...open,
    method: 'GET',
    path: '/api/broken',
    output: 'empty',
    run: () => {
      throw new Error(SECRET_TEXT)
    },
  }),
  route({
    ...open,
    method: 'GET',
    path: '/api/broken-stream',
    output: 'raw',
    run: () =>
      reply(new Readable({ read: (): void => undefined, construct: (done) => done(new Error(SECRET_TEXT)) }), {
        etag: '"stream"',
        headers: { 'cache-control': 'public, max-age=31536000', 'content-disposition': 'attachment' },
      }),
  }),
]

/** Starts the service on a free port. Logged lines are kept, nothing is printed. */
export const startService = async (changed: Partial<Options> = {}): Promise<Service> => {
  const logged: string[] = []
  const clock = createTestClock(new Date('2026-01-01T00:00:00Z'))
  const app = createHttp<Context, Principal, Kind, Access>({ ...defaults(logged, clock), ...changed })
  await app.listen({ port: 0, host: '127.0.0.1' })
  // A test that failed half-way must not keep its process waiting for connections.
  app.server.unref()
  const address = app.server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  return { app, port: address.port, logged, clock, stop: () => stopHttp(app, 500) }
}

export const defaults = (logged: string[], clock: TestClock): Options => ({
  routes,
  log: createLogger({
    name: 'things',
    level: 'warn',
    destination: { write: (line) => void logged.push(line) },
    pretty: false,
  }),
  clock,
  publicUrl: PUBLIC_URL,
  trustedProxies: [],
  surfaces: { api: apiSurface(PUBLIC_URL) satisfies Surface },
  faults,
  renderError: (raised: AppError, requestId) => ({
    code: raised.code,
    message: raised.message,
    ...(raised.details ? { details: raised.details } : {}),
    requestId,
  }),
  authenticate,
  authorise: (principal, { access }) => {
    if (access === 'write' && principal.role !== 'writer') throw error('forbidden')
  },
  context: (principal, request) => ({ principal, ip: request.ip, limitKey: request.limitKey }),
  csrfProof: false,
  ready: async () => undefined,
})

const authenticate: Options['authenticate'] = (request: Incoming, kinds) => {
  if (kinds === PUBLIC) return { principal: { name: 'anyone', role: 'nobody' }, viaCookie: false }
  const bearer = request.header('authorization')
  if (bearer !== undefined) return { principal: principalOf(bearer.replace('Bearer ', '')), viaCookie: false }
  const cookie = request.cookie('session')
  if (cookie === undefined) throw error('unauthenticated')
  return { principal: principalOf(cookie), viaCookie: true }
}

const principalOf = (secret: string): Principal => {
  if (secret.startsWith('writer')) return { name: secret, role: 'writer' }
  if (secret.startsWith('reader')) return { name: secret, role: 'reader' }
  throw error('unauthenticated')
}
