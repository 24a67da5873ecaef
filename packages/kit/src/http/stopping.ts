import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Whether the service was told to stop: its answers then end their connections. */
export type Stopping = { now: boolean }

/** How often connections that have become idle are closed while the service stops. */
const SWEEP_MS = 250
/** Whoever connected a moment ago is about to send a request, which may be waiting to be read on a busy machine. */
const UNUSED_MS = 1_000

/**
 * Node closes the connections that are idle at the moment it is told to stop. This closes those that become idle later,
 * and those that browsers open on suspicion and never use, so that a stop takes as long as the running requests.
 */
export const watchStop = (app: FastifyInstance): Stopping => {
  const stopping: Stopping = { now: false }
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
    // One that never listened, inside of another server, has no connections of its own to close.
    if (!app.server.listening) return done()
    const timer = setInterval(sweep, SWEEP_MS)
    app.server.once('close', () => clearInterval(timer))
    // What the listener has not accepted when it closes is reset: right after a turn of the loop, that is nothing.
    setImmediate(done)
  })
  return stopping
}
