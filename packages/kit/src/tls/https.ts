import { once } from 'node:events'
import type { Socket } from 'node:net'
import { createServer, type TLSSocket } from 'node:tls'
import type { FastifyInstance } from 'fastify'
import type { Log } from '../log.ts'
import { createHandshakes, HANDSHAKE_LIMITS, type HandshakeLimits } from './handshakes.ts'
import { type CertificateSource, createContexts } from './source.ts'

export type HttpsOptions = {
  port: number
  host: string
  certificate: CertificateSource
  log: Log
  /** Other limits than the usual ones. */
  handshakes?: Partial<HandshakeLimits>
}

export type HttpsServer = {
  readonly port: number
  /** Together with the HTTP server: answers what is under way, and cuts who does not finish in time. */
  close(deadlineMs?: number): Promise<void>
}

const CLOSE_MS = 10_000
/** How often connections that have become idle are closed while it stops. */
const SWEEP_MS = 250
/** While it stops: who has a request to send has done the handshake by then. */
const STOP_HANDSHAKES_MS = 1_000

/** Serves the same over TLS: its connections are handed to the HTTP server, with all of its routes and limits. */
export const listenHttps = async (app: FastifyInstance, options: HttpsOptions): Promise<HttpsServer> => {
  const { certificate, log } = options
  const contexts = createContexts(certificate)
  const limits = { ...HANDSHAKE_LIMITS, ...options.handshakes }
  const handshakes = createHandshakes(limits)
  const sockets = new Set<Socket>()
  const server = createServer(
    {
      ...certificate.current(),
      SNICallback: contexts.SNICallback,
      minVersion: 'TLSv1.2',
      ALPNProtocols: ['http/1.1'],
      handshakeTimeout: limits.ms,
      noDelay: true,
    },
    (socket: TLSSocket) => {
      handshakes.complete(socket)
      // Its handler sees its end; without a listener an error would end the process.
      socket.on('error', (error) => log.debug({ err: error }, 'an https connection broke'))
      app.server.emit('connection', socket)
    },
  )
  // For clients that ask for no name. Connections that are open keep what they have.
  certificate.onChange(() => server.setSecureContext({ ...certificate.current(), minVersion: 'TLSv1.2' }))
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    handshakes.begin(socket)
  })
  server.on('tlsClientError', (error, socket) => {
    log.debug({ err: error }, 'a TLS handshake failed')
    // Node leaves one open that took too long.
    socket.destroy()
  })
  server.listen(options.port, options.host)
  await once(server, 'listening')
  const address = server.address()
  return {
    port: address !== null && typeof address === 'object' ? address.port : options.port,
    async close(deadlineMs = CLOSE_MS) {
      const closed = once(server, 'close')
      server.close()
      const sweep = setInterval(() => app.server.closeIdleConnections(), SWEEP_MS)
      const cutHandshakes = setTimeout(handshakes.cut, STOP_HANDSHAKES_MS)
      const cut = setTimeout(() => {
        for (const socket of sockets) socket.destroy()
      }, deadlineMs)
      await closed
      clearInterval(sweep)
      clearTimeout(cutHandshakes)
      clearTimeout(cut)
    },
  }
}
