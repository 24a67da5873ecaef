import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { AppError, Fault, translateFault } from '@stoa/kit/errors.ts'
import { addressPolicy } from '@stoa/kit/http/client-address.ts'
import { apiSurface } from '@stoa/kit/http/headers.ts'
import { Incoming } from '@stoa/kit/http/incoming.ts'
import { newId } from '@stoa/kit/ids.ts'
import { type WebSocket, WebSocketServer } from 'ws'
import { error, fail, faults, renderError } from '../../errors.ts'
import type { Authenticate } from '../../hosting/access/access.ts'
import type { MailboxPrincipal } from '../../principal.ts'
import type { Jmap } from './jmap.ts'
import { MAX_SIZE_REQUEST } from './limits.ts'
import { serveSocket } from './socket.ts'

const PATH = '/jmap/ws'
/** RFC 8887 §3. */
const PROTOCOL = 'jmap'
/** Sockets of one process. */
const MAX_SOCKETS = 20_000
/** A client that does not answer the goodbye. */
const CLOSE_TIMEOUT_MS = 3_000

export type JmapSockets = {
  /** Takes over an upgrade to a socket of JMAP. False: it is for somebody else. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean
  /** Closes all connections. */
  stop(): void
}

/** Whether the request asks for such a socket; any other upgrade is answered as if it had not been asked for. */
export const isSocketRequest = ({ url, headers }: IncomingMessage): boolean =>
  url?.split('?', 1)[0] === PATH && headers.upgrade?.toLowerCase() === 'websocket'

/** JMAP over WebSocket (RFC 8887). */
export const createJmapSockets = (jmap: Jmap, authenticate: Authenticate): JmapSockets => {
  const { config, log } = jmap.parts
  const server = new WebSocketServer(SERVER_OPTIONS)
  const addresses = addressPolicy(config.trustedProxies)
  const headers = apiSurface(config.publicUrl).headers
  const open = new Set<WebSocket>()
  let isStopped = false

  const letIn = async (request: IncomingMessage): Promise<MailboxPrincipal> => {
    if (isStopped || open.size >= MAX_SOCKETS) fail('service_unavailable', { headers: { 'retry-after': '10' } })
    if (!isOwnOrigin(config.publicUrl, request))
      fail('forbidden', { message: 'Cross-origin connections are not allowed.' })
    if (!protocolsOf(request).includes(PROTOCOL))
      fail('validation_error', { message: 'The socket must be opened with the protocol "jmap".' })
    const { principal } = await authenticate(new Incoming(newId(), request, addresses), ['mailbox', 'webmail'])
    return principal.kind === 'mailbox' ? principal : fail('unauthorized')
  }
  const accept = async (request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    const principal = await letIn(request)
    if (isStopped) fail('service_unavailable')
    if (socket.destroyed) return
    socket.off('error', ignore)
    server.handleUpgrade(request, socket, head, (accepted) => {
      open.add(accepted)
      accepted.once('close', () => open.delete(accepted))
      void serveSocket(jmap, accepted, principal)
    })
  }
  const refuse = (socket: Duplex, raised: unknown): void => {
    const refusal = toAppError(raised)
    if (refusal.status >= 500) log.warn({ err: raised }, 'a socket was not opened')
    answer(socket, refusal, headers)
  }
  server.on('wsClientError', (_error, socket) =>
    refuse(socket, error('validation_error', { message: 'The request is not a WebSocket handshake of version 13.' })),
  )

  return {
    upgrade(request, socket, head) {
      if (!isSocketRequest(request)) return false
      socket.on('error', ignore)
      accept(request, socket, head).catch((raised: unknown) => refuse(socket, raised))
      return true
    },
    stop() {
      isStopped = true
      for (const socket of open) socket.close(1001)
    },
  }
}

/** Compression costs 300 kB a socket. */
const SERVER_OPTIONS = {
  noServer: true,
  clientTracking: false,
  perMessageDeflate: false,
  maxPayload: MAX_SIZE_REQUEST,
  closeTimeout: CLOSE_TIMEOUT_MS,
  handleProtocols: () => PROTOCOL,
}

const protocolsOf = ({ headers }: IncomingMessage): string[] =>
  (headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim())

/** Mail programs say nothing about where they come from; browsers must come from our own pages. */
const isOwnOrigin = (publicUrl: string, { headers: { origin, host } }: IncomingMessage): boolean =>
  origin === undefined ||
  origin === new URL(publicUrl).origin ||
  (host !== undefined && [`http://${host}`, `https://${host}`].includes(origin))

const toAppError = (raised: unknown): AppError => {
  if (raised instanceof AppError) return raised
  return raised instanceof Fault ? translateFault(faults, raised) : faults.internal({}, raised)
}

const answer = (socket: Duplex, refusal: AppError, surface: Readonly<Record<string, string>>): void => {
  if (socket.destroyed) return
  const requestId = newId()
  const body = JSON.stringify(renderError(refusal))
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
