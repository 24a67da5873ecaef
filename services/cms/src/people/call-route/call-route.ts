import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { AppError, Fault, fault, translateFault } from '@stoa/kit/errors.ts'
import { addressPolicy } from '@stoa/kit/http/client-address.ts'
import { versionEtag } from '@stoa/kit/http/etag.ts'
import { Incoming } from '@stoa/kit/http/incoming.ts'
import { parseInput } from '@stoa/kit/http/input.ts'
import { type Method, Reply } from '@stoa/kit/http/route.ts'
import type { Ctx } from '../../context.ts'
import { failFields, faults } from '../../errors.ts'
import { authorise, type Route } from '../access/access.ts'

declare module '../../context.ts' {
  interface Ports {
    /** Every route of the service, for those who act by calling them. */
    routes(): readonly Route[]
  }
}

/** What JSON can hold. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [member: string]: Json }

export type RouteCall = {
  readonly method: Method
  /** As the route declares it: `/api/entries/:id`. */
  readonly path: string
  readonly params?: Record<string, Json | undefined>
  readonly query?: Json | undefined
  readonly body?: Json | undefined
  readonly ifVersion?: Json | undefined
}

/**
 * What a request to this route would do for the principal of the context: the same right, the same checks of what comes in
 * and goes out, the same operation, the same errors.
 */
export const callRoute = async (
  ctx: Ctx,
  routes: readonly Route[],
  { method, path, ...given }: RouteCall,
): Promise<Json | undefined> => {
  const route = routes.find((one) => one.method === method && one.path === path)
  if (!route) throw new Error(`there is no route ${method} ${path}`)
  authorise(ctx.principal, route)
  const params = parseInput(route.params, paramsOf(given.params ?? {}), 'params') as never
  const query = parseInput(route.query, queryOf(given.query ?? {}), 'query') as never
  const loaded = (await route.load?.(ctx, { params, query })) as never
  const body = parseInput(route.body, given.body ?? {}, 'body') as never
  const request = requestOf(method, given.ifVersion)
  const answer = await route.run(ctx, { params, query, body, loaded, request })
  if (typeof route.output === 'string') return undefined
  return route.output.parse(answer instanceof Reply ? answer.body : answer) as Json
}

/** Whatever an operation throws, as an error response would show it; anything unexpected is INTERNAL. */
export const appErrorOf = (raised: unknown): AppError =>
  raised instanceof AppError ? raised : translateFault(faults, toFault(raised))

const toFault = (raised: unknown): Fault => (raised instanceof Fault ? raised : fault('internal', {}, raised))

/** In an address everything is text, and an empty segment names nothing. */
const paramsOf = (params: Record<string, Json | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, isScalar(value) ? String(value) : '']))

const isScalar = (value: Json | undefined): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

/** In a query everything is text, and what is not there is not written. */
const queryOf = (query: Json): Json => {
  if (typeof query !== 'object' || query === null || Array.isArray(query)) return query
  const members = Object.entries(query).filter(([, value]) => value !== null)
  return Object.fromEntries(members.map(([name, value]) => [name, isScalar(value) ? String(value) : value]))
}

const versionOf = (ifVersion: Json): number => {
  if (typeof ifVersion === 'number' && Number.isSafeInteger(ifVersion) && ifVersion >= 0) return ifVersion
  return failFields([{ key: 'ifVersion', message: 'must be the version of a record' }])
}

const NOWHERE = addressPolicy([])

const requestOf = (method: Method, ifVersion: Json | undefined): Incoming => {
  const raw = new IncomingMessage(new Socket())
  raw.method = method
  if (ifVersion !== undefined && ifVersion !== null) raw.headers = { 'if-match': versionEtag(versionOf(ifVersion)) }
  return new Incoming('inner', raw, NOWHERE)
}
