import type { OutgoingHttpHeader } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { fault } from '../errors.ts'
import type { Cors, Surface } from './headers.ts'

const PREFLIGHT_SECONDS = 600

/** Names the calling origin when it is on the list. Exact match; `null`, suffixes and wildcards are never named. */
export const corsHeaders = (
  cors: Cors | undefined,
  origin: string | undefined,
  vary?: OutgoingHttpHeader,
): Record<string, string> => {
  if (!cors) return {}
  const varies = vary ? {} : { vary: 'Origin' }
  return origin !== undefined && cors.origins.has(origin)
    ? { ...varies, 'access-control-allow-origin': origin }
    : varies
}

/** Answers a browser's question whether it may call. */
export const preflight = (request: FastifyRequest, response: FastifyReply, surface: Surface): void => {
  const origin = request.headers.origin ?? ''
  if (!surface.cors?.origins.has(origin)) throw fault('origin_refused', { origin })
  response
    .code(204)
    .headers(surface.headers)
    .headers({
      ...corsHeaders(surface.cors, origin),
      'access-control-allow-methods': surface.cors.methods,
      'access-control-allow-headers': surface.cors.allowHeaders,
      'access-control-max-age': String(PREFLIGHT_SECONDS),
    })
    .send()
}
