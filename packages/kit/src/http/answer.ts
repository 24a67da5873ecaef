import type { OutgoingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ZodType } from 'zod'
import { serializeCookie } from './cookies.ts'
import { corsHeaders } from './cors.ts'
import { isFresh } from './etag.ts'
import { Reply, type ReplyOptions, type Route } from './route.ts'
import type { Stopping } from './stopping.ts'
import { endSilence, type Timeouts } from './timeouts.ts'

/** Turns what an operation gave into the answer of its route. */
export type Send = (request: FastifyRequest, response: FastifyReply, route: Route, value: unknown) => FastifyReply

type Transport = { timeouts: Pick<Timeouts, 'stall' | 'silence'>; stopping: Stopping }

const NO_OPTIONS: ReplyOptions = {}

export const createSender = ({ timeouts, stopping }: Transport): Send => {
  /** Straight to the socket: Fastify's own way of sending costs as much as all the rest of the kit together. */
  const write = (
    response: FastifyReply,
    status: number,
    headers: OutgoingHttpHeaders,
    body: string | Buffer | null,
  ): FastifyReply => {
    if (body !== null) headers['content-length'] = Buffer.byteLength(body)
    try {
      response.raw.writeHead(status, headers)
    } catch (error) {
      // Node may have settled by now that this answer has no body: the connection would go on in the wrong place.
      response.header('connection', 'close')
      throw error
    }
    response.hijack()
    response.raw.end(response.request.method === 'HEAD' ? null : body)
    const { socket } = response.raw
    if (socket && socket.writableLength > 0) socket.setTimeout(timeouts.stall)
    return response
  }

  return (request, response, route, value) => {
    const { body, options } = value instanceof Reply ? value : { body: value, options: NO_OPTIONS }
    const headers = headersOf(request, options)
    if (stopping.now) headers.connection = 'close'
    if (options.etag && route.method === 'GET' && isFresh(request.headers['if-none-match'], options.etag))
      return write(response, 304, headers, discarded(body))
    const status = options.status ?? route.status
    if (route.output === 'empty' || status === 204) return write(response, status, headers, null)
    if (route.output !== 'raw') {
      headers['content-type'] = 'application/json; charset=utf-8'
      return write(response, status, headers, toJson(route.output, body))
    }
    headers['content-type'] = options.contentType ?? 'application/octet-stream'
    if (typeof body === 'string' || body instanceof Buffer) return write(response, status, headers, body)
    if (!(body instanceof Readable) || request.method === 'HEAD')
      return write(response, status, headers, discarded(body))
    endSilence(response.raw.socket, timeouts.silence)
    return response.code(status).headers(headers).send(body)
  }
}

const headersOf = (request: FastifyRequest, options: ReplyOptions): OutgoingHttpHeaders => {
  const { surface } = request.call
  const headers: OutgoingHttpHeaders = { ...surface.headers, ...request.call.headers, 'x-request-id': request.id }
  // Another spelling of a name would be sent beside the one that it means to replace.
  if (options.headers) for (const [name, text] of Object.entries(options.headers)) headers[name.toLowerCase()] = text
  if (options.cookies?.length) headers['set-cookie'] = options.cookies.map(serializeCookie)
  if (surface.cors) Object.assign(headers, corsHeaders(surface.cors, request.headers.origin, headers.vary))
  if (options.etag) headers.etag = options.etag
  return headers
}

/** Lets go of the file behind a body that is not sent. */
const discarded = (body: unknown): null => {
  // Nobody waits for this stream any more, so nobody needs to hear that it failed.
  if (body instanceof Readable) body.on('error', () => undefined).destroy()
  return null
}

/** Builds the answer from its schema, so that a member which is not in the contract cannot leave by accident. */
const toJson = (schema: ZodType, body: unknown): string => JSON.stringify(schema.parse(body))
