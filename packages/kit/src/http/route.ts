import type { Readable } from 'node:stream'
import type { ZodType, z } from 'zod'
import type { CookieOptions } from './cookies.ts'
import type { Incoming } from './incoming.ts'
import type { JsonLimits } from './json.ts'
import type { Rate } from './rate-limit.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Stands for "no credential": must be written out, a route without a declared credential does not start. */
export const PUBLIC = 'public'

type Parsed<S> = S extends ZodType ? z.output<S> : undefined

/** What an operation receives after everything was checked. */
export type Input<P = unknown, Q = unknown, B = unknown, L = unknown> = {
  params: P
  query: Q
  body: B
  /** What `load` found. */
  loaded: L
  request: Incoming
}

/** An operation answers now or later; an answer from memory need not wait. */
export type MaybePromise<T> = T | Promise<T>

/** Null: nothing but the headers, for HEAD and for what the client has already. */
export type RawBody = string | Buffer | Readable | null

/** `ZodType`: JSON with exactly these members. `'empty'`: 204. `'raw'`: bytes with the given content type. */
export type Output = ZodType | 'empty' | 'raw'
type Answer<O> = O extends ZodType ? z.input<O> : O extends 'raw' ? RawBody : undefined

/** The types that a route's schemas would give. */
export type Described = {
  readonly query?: ZodType
  readonly output?: ZodType
  /** Media types of a body that the operation reads by itself, each with the schema of what it holds if it has one. */
  readonly body?: Readonly<Record<string, ZodType | null>>
  /** The media type of a raw answer. */
  readonly type?: string
}

type RouteSpec<
  Ctx,
  Kind extends string,
  Access,
  P extends ZodType | undefined,
  Q extends ZodType | undefined,
  B extends ZodType | undefined,
  O extends Output,
  L,
> = {
  method: Method
  path: string
  /** One line for the API reference. */
  summary: string
  /** Credential kinds that may call this, or PUBLIC. */
  auth: readonly [Kind, ...Kind[]] | typeof PUBLIC
  /** What the service's `authorise` reads: permission, rank, plan feature … */
  access: Access
  params?: P
  query?: Q
  body?: B
  /** The body is a form with a file, which the operation reads from the request itself; the text members beside it. */
  form?: ZodType
  output: O
  /** For the API reference alone: what a route checks or writes by itself, because it answers from memory. */
  describes?: Described
  status?: number
  /** Overrides the 1 MiB of a JSON body. */
  bodyLimit?: number
  /** Overrides how many items and names a JSON body may have. */
  jsonLimits?: JsonLimits
  /** Requests per IP in place of the service's anonymous rate, e.g. for sign-in. */
  rate?: Rate
  /** Requests per principal in place of the service's rate, counted apart: all pictures of a page come at once. */
  principalRate?: Rate
  /** A foreign page may call this public route: it neither sets nor reads a cookie. */
  crossOrigin?: true
  /** Which set of response headers it belongs to; `api` if absent. */
  surface?: string
  /** Refuses by what the headers say, before the body is read. */
  admit?: (ctx: Ctx, request: Incoming) => MaybePromise<void>
  /** Finds the object the path names, before the body is looked at: a foreign id is 404 whatever was sent. */
  load?: (ctx: Ctx, input: { params: Parsed<P>; query: Parsed<Q> }) => Promise<L>
  run: (ctx: Ctx, input: Input<Parsed<P>, Parsed<Q>, Parsed<B>, L>) => MaybePromise<Answer<O> | Reply<Answer<O>>>
}

/** A route with its schemas' types erased, as the server, the matrix test and the API reference see it. */
export type Route<Ctx = never, Kind extends string = string, Access = unknown> = {
  readonly method: Method
  readonly path: string
  readonly summary: string
  readonly auth: readonly Kind[] | typeof PUBLIC
  readonly access: Access
  readonly params: ZodType | undefined
  readonly query: ZodType | undefined
  readonly body: ZodType | undefined
  readonly form: ZodType | undefined
  readonly output: Output
  readonly describes: Described
  readonly status: number
  readonly bodyLimit: number | undefined
  readonly jsonLimits: JsonLimits | undefined
  readonly rate: Rate | undefined
  readonly principalRate: Rate | undefined
  readonly crossOrigin: boolean
  readonly surface: string
  readonly admit: ((ctx: Ctx, request: Incoming) => MaybePromise<void>) | undefined
  readonly load: ((ctx: Ctx, input: { params: never; query: never }) => Promise<unknown>) | undefined
  readonly run: (ctx: Ctx, input: Input<never, never, never, never>) => unknown
}

/**
 * A branch of addresses whose routes are known only while the service runs, such as those of plugins. They go through all
 * that other routes go through, and are in no API reference.
 */
export type Mount<Ctx = never, Kind extends string = string, Access = unknown> = {
  /** `/ext/*` */
  readonly path: string
  /** Which headers the answer has where nothing is found. */
  readonly surface: string
  /** The routes at an address, one for each method. The path is as it was sent, and without the query. */
  find(path: string): MountedRoutes<Ctx, Kind, Access> | null
}
export type MountedRoutes<Ctx = never, Kind extends string = string, Access = unknown> = {
  readonly routes: readonly Route<Ctx, Kind, Access>[]
  /** The path parameters, by the names in the route. */
  paramsOf(route: Route<Ctx, Kind, Access>): Readonly<Record<string, string>>
}

/** Binds the route builder to a service's context, credential kinds and access rules. */
export const routeFor =
  <Ctx, Kind extends string, Access>() =>
  <
    P extends ZodType | undefined = undefined,
    Q extends ZodType | undefined = undefined,
    B extends ZodType | undefined = undefined,
    O extends Output = 'empty',
    L = undefined,
  >(
    spec: RouteSpec<Ctx, Kind, Access, P, Q, B, O, L>,
  ): Route<Ctx, Kind, Access> => ({
    method: spec.method,
    path: spec.path,
    summary: spec.summary,
    auth: spec.auth,
    access: spec.access,
    params: spec.params,
    query: spec.query,
    body: spec.body,
    form: spec.form,
    output: spec.output,
    describes: spec.describes ?? {},
    status: spec.status ?? (spec.output === 'empty' ? 204 : 200),
    bodyLimit: spec.bodyLimit,
    jsonLimits: spec.jsonLimits,
    rate: spec.rate,
    principalRate: spec.principalRate,
    crossOrigin: spec.crossOrigin === true,
    surface: spec.surface ?? 'api',
    admit: spec.admit,
    load: spec.load,
    run: spec.run,
  })

export type ReplyOptions = {
  status?: number
  headers?: Record<string, string>
  cookies?: readonly CookieOptions[]
  contentType?: string
  /** Strong validator; a matching If-None-Match turns the answer into 304. */
  etag?: string
}

/** An answer with more than a body. */
export class Reply<T> {
  readonly body: T
  readonly options: ReplyOptions

  constructor(body: T, options: ReplyOptions) {
    this.body = body
    this.options = options
  }
}

export const reply = <T>(body: T, options: ReplyOptions): Reply<T> => new Reply(body, options)
