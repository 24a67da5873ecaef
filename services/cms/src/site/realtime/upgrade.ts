import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { MAX_FRAME_BYTES } from '@stoa/cms-model/realtime.ts'
import { AppError, Fault, translateFault } from '@stoa/kit/errors.ts'
import { addressPolicy, parseCidr } from '@stoa/kit/http/client-address.ts'
import { apiSurface } from '@stoa/kit/http/headers.ts'
import { Incoming } from '@stoa/kit/http/incoming.ts'
import { openRateLimiter, type Rate } from '@stoa/kit/http/rate-limit.ts'
import { newId } from '@stoa/kit/ids.ts'
import { WebSocketServer } from 'ws'
import { API_VERSION } from '../../api-version.ts'
import type { Services } from '../../context.ts'
import { error, fail, faults, renderError } from '../../errors.ts'
import type { Holder } from './holders.ts'
import type { Hub } from './hub.ts'
import { redeemTicket } from './tickets.ts'

const PATH = '/realtime'

/** Sockets of one process, and the part of them that websites cannot take from the people who edit. */
const MAX_SOCKETS = 20_000
const KEPT_FOR_SESSIONS = 1_000
/** Tabs of one browser. */
const MAX_PER_SESSION = 50
/** The invalid tickets allowed: too few to find a ticket by guessing, or to load the database with lookups. */
const BAD_TICKETS: Rate = { limit: 60, windowSeconds: 60 }
/** A client that does not answer the goodbye. */
const CLOSE_TIMEOUT_MS = 3_000

/** Whether the request asks for a socket of this service; all others are answered as what they are without the upgrade. */
export const isSocketRequest = ({ url, headers }: IncomingMessage): boolean =>
  url !== undefined && url.split('?', 1)[0] === PATH && headers.upgrade?.toLowerCase() === 'websocket'

export type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean

/** Accepts clients with a valid ticket from an allowed origin. False: not a socket of ours. */
export const createUpgrade = (services: Services, hub: Hub): { upgrade: Upgrade; stop(): void } => {
  const { config, log } = services
  const server = new WebSocketServer(serverOptions)
  const tickets = ticketWindow(services)
  const isFrom = originRule(services)
  const headers = apiSurface(config.publicUrl, { 'x-cms-version': API_VERSION }).headers
  let opening = 0
  let isStopped = false

  const refuse = (socket: Duplex, raised: unknown): void => {
    const refusal = toAppError(raised)
    if (refusal.status >= 500) log.warn({ err: raised }, 'a socket was not opened')
    answer(socket, refusal, headers)
  }

  const letIn = async (request: IncomingMessage): Promise<Holder> => {
    if (isStopped) fail('UNAVAILABLE')
    // Before the ticket is spent.
    if (!isFrom('session', request) && !isFrom('delivery', request)) fail('ORIGIN_NOT_ALLOWED')
    if (hub.count().all + opening >= MAX_SOCKETS) fail('UNAVAILABLE', { headers: { 'retry-after': '10' } })
    const holder = await tickets.redeem(request)
    if (!isFrom(holder.kind, request)) fail('ORIGIN_NOT_ALLOWED')
    const { ofHolder, delivery } = hub.count(holder.id)
    if (holder.kind === 'session' && ofHolder >= MAX_PER_SESSION)
      fail('RATE_LIMITED', { headers: { 'retry-after': '10' } })
    if (holder.kind === 'delivery' && delivery >= MAX_SOCKETS - KEPT_FOR_SESSIONS)
      fail('UNAVAILABLE', { headers: { 'retry-after': '10' } })
    return holder
  }

  const open = async (request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    const holder = await letIn(request)
    if (isStopped) fail('UNAVAILABLE')
    if (socket.destroyed) return
    socket.off('error', ignore)
    server.handleUpgrade(request, socket, head, (accepted) => hub.admit(accepted, holder))
  }

  server.on('wsClientError', (_error, socket) =>
    refuse(socket, error('INVALID_JSON', { message: "The request isn't a WebSocket handshake of version 13" })),
  )

  return {
    upgrade(request, socket, head) {
      if (!isSocketRequest(request)) return false
      socket.on('error', ignore)
      opening += 1
      open(request, socket, head)
        .catch((raised: unknown) => refuse(socket, raised))
        .finally(() => {
          opening -= 1
        })
      return true
    },
    stop() {
      isStopped = true
    },
  }
}

/**
 * The pages that may open a socket: of a session the service's own, under the public address or the one that this request
 * came to; of a website the listed ones. Browsers say nothing else about where a socket comes from.
 */
const originRule = ({ config }: Services) => {
  const own = new URL(config.publicUrl).origin
  const listed = new Set(config.deliveryOrigins)
  return (kind: Holder['kind'], { headers: { origin, host } }: IncomingMessage): boolean => {
    if (origin === undefined) return true
    if (kind === 'delivery') return listed.has(origin)
    return origin === own || (host !== undefined && [`http://${host}`, `https://${host}`].includes(origin))
  }
}

/** Compression costs 300 kB a socket, and frames are short. */
const serverOptions = {
  noServer: true,
  clientTracking: false,
  perMessageDeflate: false,
  maxPayload: MAX_FRAME_BYTES,
  closeTimeout: CLOSE_TIMEOUT_MS,
}

const ticketWindow = (services: Services) => {
  const limiter = openRateLimiter(services.clock, 'tickets')
  const addresses = addressPolicy(services.config.trustedProxies.map(parseCidr))
  return {
    async redeem(request: IncomingMessage): Promise<Holder> {
      const guesser = new Incoming('', request, addresses).limitKey
      const { headers, retryAfterSeconds } = await limiter.peek(guesser, BAD_TICKETS)
      if (headers['ratelimit-remaining'] === '0')
        return fail('RATE_LIMITED', { headers: { 'retry-after': String(retryAfterSeconds) } })
      const holder = await redeemTicket(services, ticketOf(request.url ?? ''))
      if (holder) return holder
      await limiter.take(guesser, BAD_TICKETS)
      return fail('TICKET_INVALID')
    },
  }
}

/** Two tickets are as good as none: nobody knows which was meant. */
const ticketOf = (url: string): string => {
  const [ticket = '', ...more] = new URLSearchParams(url.split('?').slice(1).join('?')).getAll('ticket')
  return more.length > 0 ? '' : ticket
}

const toAppError = (raised: unknown): AppError => {
  if (raised instanceof AppError) return raised
  if (raised instanceof Fault) return translateFault(faults, raised)
  return faults.internal({}, raised)
}

const answer = (socket: Duplex, refusal: AppError, surface: Readonly<Record<string, string>>): void => {
  if (socket.destroyed) return
  const requestId = newId()
  const body = JSON.stringify(renderError(refusal, requestId))
  const headers: Record<string, string> = {
    ...surface,
    ...refusal.headers,
    'x-request-id': requestId,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.once('finish', () => socket.destroy())
  socket.end(`HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
}

const ignore = (): void => undefined
