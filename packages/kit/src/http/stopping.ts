import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** Whether the service is stopping: its responses then close their connections, and it reports that it is not ready. */
export type Stopping = { now: boolean }

const stoppings = new WeakMap<FastifyInstance, Stopping>()

/**
 * Says that the service is about to stop while it still answers, so that a proxy which asks /readyz sends its requests
 * elsewhere before anything closes.
 */
export const drain = async (app: FastifyInstance, ms: number): Promise<void> => {
  const stopping = stoppings.get(app)
  if (!stopping || ms === 0) return
  stopping.now = true
  await sleep(ms)
}

/** How often connections that have become idle are closed while the service stops. */
const SWEEP_MS = 250
/** A client that connected a moment ago is about to send a request, which may be waiting to be read on a busy machine. */
const UNUSED_MS = 1_000

/**
 * Node closes the connections that are idle when the server is closed. This closes those that become idle later, and
 * those that browsers open speculatively and never use, so that a stop takes as long as the running requests.
 */
export const watchStop = (app: FastifyInstance): Stopping => {
  const stopping: Stopping = { now: false }
  stoppings.set(app, stopping)
  const sockets = new Map<Socket, number>()
  app.server.on('connection', (socket: Socket) => {
    sockets.set(socket, performance.now())
    socket.once('close', () => sockets.delete(socket))
  })
  const sweep = () => {
    app.server.closeIdleConnections()
    const before = performance.now() - UNUSED_MS
    for (const [socket, openedAt] of sockets) if (socket.bytesRead === 0 && openedAt < before) socket.destroy()
  }
  app.addHook('preClose', (done) => {
    stopping.now = true
    // An app inside another server never listened, and has no connections of its own to close.
    if (app.server.listening) {
      const timer = setInterval(sweep, SWEEP_MS)
      app.server.once('close', () => clearInterval(timer))
    }
    done()
  })
  closeWhenAllAreAccepted(app.server)
  return stopping
}

/** Clients that connect faster than we accept are not waited for any longer. */
const MAX_WAIT_MS = 1_000
/** A turn of the loop without work takes a fraction of this. */
const SHORT_TURN_MS = 0.2

/**
 * Closes a server's listener while its backlog is empty: clients in the backlog are already connected as far as they
 * know, and would be reset. So it closes right after a turn of the event loop in which nobody connected, and which was
 * too short for anybody to have connected since the loop polled. A turn may accept just one.
 */
const closeWhenAllAreAccepted = (server: Server): void => {
  const close = server.close.bind(server)
  server.close = (done) => {
    const latest = performance.now() + MAX_WAIT_MS
    let turnedAt = 0
    let hasAccepted = true
    const note = () => {
      hasAccepted = true
    }
    const turn = () => {
      const now = performance.now()
      if ((!hasAccepted && now - turnedAt < SHORT_TURN_MS) || now > latest) {
        server.off('connection', note)
        close(done)
        return
      }
      turnedAt = now
      hasAccepted = false
      setImmediate(turn)
    }
    server.on('connection', note)
    turn()
    return server
  }
}
