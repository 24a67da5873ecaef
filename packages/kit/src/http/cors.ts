import type { OutgoingHttpHeader } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { fault } from '../errors.ts'
import type { Cors, Surface } from './headers.ts'

const PREFLIGHT_SECONDS = 600

/**
 * Names the calling origin when it is on the list. Exact match; `null`, suffixes and wildcards are never named. `Vary`
 * is always sent, because the response depends on the origin.
 */
export const corsHeaders = (
  cors: Cors | undefined,
  origin: string | undefined,
  vary?: OutgoingHttpHeader,
): Record<string, string> => {
  if (!cors) return {}
  const exposed = cors.exposeHeaders === undefined ? {} : { 'access-control-expose-headers': cors.exposeHeaders }
  // The same response for every origin needs no Vary header.
  if (cors.origins === '*') return { 'access-control-allow-origin': '*', ...exposed }
  const varies = { vary: withOrigin(vary) }
  if (origin === undefined || !cors.origins.has(origin)) return varies
  return { ...varies, 'access-control-allow-origin': origin, ...exposed }
}

// Surfaces have a few values of it, asked for on every answer.
const varying = new Map<OutgoingHttpHeader | undefined, string>()

const withOrigin = (vary: OutgoingHttpHeader | undefined): string => {
  const made = varying.get(vary) ?? addOrigin(vary === undefined ? '' : String(vary))
  if (varying.size < MAX_VARYING) varying.set(vary, made)
  return made
}

const MAX_VARYING = 100

const addOrigin = (known: string): string => {
  if (known === '') return 'Origin'
  return /(?:^|[\s,])(?:origin|\*)(?:$|[\s,])/i.test(known) ? known : `${known}, Origin`
}

/** Answers a browser's question whether it may call. */
export const preflight = (request: FastifyRequest, response: FastifyReply, surface: Surface): void => {
  const origin = request.headers.origin ?? ''
  if (!surface.cors || (surface.cors.origins !== '*' && !surface.cors.origins.has(origin)))
    throw fault('origin_refused', { origin })
  response
    .code(204)
    .headers(surface.headers)
    .headers({
      ...corsHeaders(surface.cors, origin, surface.headers.vary),
      'access-control-allow-methods': surface.cors.methods,
      'access-control-allow-headers': surface.cors.allowHeaders,
      'access-control-max-age': String(PREFLIGHT_SECONDS),
    })
    .send()
}
