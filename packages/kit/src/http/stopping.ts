import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Whether the service was told to stop: its answers then end their connections. */
export type Stopping = { now: boolean }

/** How often connections that have become idle are closed while the service stops. */
const SWEEP_MS = 250

/**
 * Node closes the connections that are idle at the moment it is told to stop. This closes those that become idle later,
 * and those that browsers open on suspicion and never use, so that a stop takes as long as the running requests.
 */
export const watchStop = (app: FastifyInstance): Stopping => {
  const stopping: Stopping = { now: false }
  const sockets = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const sweep = () => {
    app.server.closeIdleConnections()
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  }
  app.addHook('preClose', (done) => {
    stopping.now = true
    // One that never listened, inside of another server, has no connections of its own to close.
    if (!app.server.listening) return done()
    const timer = setInterval(sweep, SWEEP_MS)
    app.server.once('close', () => clearInterval(timer))
    done()
  })
  return stopping
}
