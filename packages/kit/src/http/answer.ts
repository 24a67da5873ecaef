import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ZodType } from 'zod'
import { serializeCookie } from './cookies.ts'
import { corsHeaders } from './cors.ts'
import { isFresh } from './etag.ts'
import type { Surface } from './headers.ts'
import type { Incoming } from './incoming.ts'
import { Reply, type ReplyOptions, type Route } from './route.ts'
import type { Stopping } from './stopping.ts'
import { endSilence, type Timeouts } from './timeouts.ts'

/** Turns what an operation gave into the answer of its route. */
export type Send = (request: FastifyRequest, response: FastifyReply, route: Route, value: unknown) => FastifyReply

/** `Send` for an answer that is ready before the request reaches the routes. */
export type SendReady = (asked: AnsweredRequest, response: ServerResponse, route: Answering, value: Ready) => void

/** What an answer depends on besides its value: the request, and what is remembered of it. */
export type AnsweredRequest = {
  incoming: Pick<Incoming, 'id' | 'method' | 'headers'>
  surface: Surface
  headers: object
}
export type Answering = Pick<Route, 'method' | 'status' | 'output'>
export type Ready = Reply<string | Buffer | null>

type Transport = { timeouts: Pick<Timeouts, 'stall' | 'silence'>; stopping: Stopping }

/** An answer in full. A stream is sent by Fastify, everything else by us. */
type Composed = { status: number; headers: OutgoingHttpHeaders; body: string | Buffer | Readable | null }

const NO_OPTIONS: ReplyOptions = {}

export const createSender = ({ timeouts, stopping }: Transport): { send: Send; sendReady: SendReady } => {
  const compose = (asked: AnsweredRequest, route: Answering, value: unknown): Composed => {
    const { body, options } = value instanceof Reply ? value : { body: value, options: NO_OPTIONS }
    const headers = headersOf(asked, options)
    if (stopping.now) headers.connection = 'close'
    if (options.etag && route.method === 'GET' && isFresh(asked.incoming.headers['if-none-match'], options.etag))
      return { status: 304, headers, body: discarded(body) }
    const status = options.status ?? route.status
    if (route.output === 'empty' || status === 204) return { status, headers, body: null }
    if (route.output !== 'raw') {
      headers['content-type'] = 'application/json; charset=utf-8'
      return { status, headers, body: toJson(route.output, body) }
    }
    headers['content-type'] = options.contentType ?? 'application/octet-stream'
    if (typeof body === 'string' || body instanceof Buffer) return { status, headers, body }
    return {
      status,
      headers,
      body: body instanceof Readable && asked.incoming.method !== 'HEAD' ? body : discarded(body),
    }
  }

  const writeHead = (response: ServerResponse, { status, headers, body }: Composed): void => {
    if (typeof body === 'string' || body instanceof Buffer) headers['content-length'] = Buffer.byteLength(body)
    response.writeHead(status, headers)
  }

  const end = (response: ServerResponse, method: string, body: Composed['body']): void => {
    response.end(method === 'HEAD' ? null : body)
    if (response.socket) limitStall(response.socket)
    // The response waits for earlier ones of the connection, and is written right after this event.
    else response.once('socket', (socket: Socket) => process.nextTick(limitStall, socket))
  }

  const limitStall = (socket: Socket): void => {
    if (socket.writableLength > 0) socket.setTimeout(timeouts.stall)
  }

  return {
    send(request, response, route, value) {
      const composed = compose(request.call, route, value)
      const { status, headers, body } = composed
      if (body instanceof Readable) {
        endSilence(response.raw.socket, timeouts.silence)
        return response.code(status).headers(headers).send(body)
      }
      // Straight to the socket: Fastify's own way of sending costs as much as all the rest of the kit together.
      try {
        writeHead(response.raw, composed)
      } catch (error) {
        // Node may have settled by now that this answer has no body: the connection would go on in the wrong place.
        response.header('connection', 'close')
        throw error
      }
      response.hijack()
      end(response.raw, request.method, body)
      return response
    },
    sendReady(asked, response, route, value) {
      const composed = compose(asked, route, value)
      writeHead(response, composed)
      end(response, asked.incoming.method, composed.body)
    },
  }
}

const headersOf = (
  { incoming, surface, headers: own }: AnsweredRequest,
  options: ReplyOptions,
): OutgoingHttpHeaders => {
  const headers: OutgoingHttpHeaders = { ...surface.headers, ...own, 'x-request-id': incoming.id }
  // Another spelling of a name would be sent beside the one that it means to replace.
  if (options.headers) for (const [name, text] of Object.entries(options.headers)) headers[name.toLowerCase()] = text
  if (options.cookies?.length) headers['set-cookie'] = options.cookies.map(serializeCookie)
  if (surface.cors) Object.assign(headers, corsHeaders(surface.cors, incoming.headers.origin, headers.vary))
  if (options.etag) headers.etag = options.etag
  return headers
}

/** Lets go of the file behind a body that is not sent. */
const discarded = (body: unknown): null => {
  // The stream is not read any more, so its errors are ignored.
  if (body instanceof Readable) body.on('error', () => undefined).destroy()
  return null
}

/** Builds the answer from its schema, so that a member which is not in the contract cannot leave by accident. */
const toJson = (schema: ZodType, body: unknown): string => JSON.stringify(schema.parse(body))
