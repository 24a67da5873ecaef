import { once } from 'node:events'
import { WebSocket } from 'ws'
import { memberOf, must } from './outcomes.ts'
import { until } from './readiness.ts'

/** A client of the socket, and all that it received. */
export type Listener = {
  readonly frames: readonly unknown[]
  /** How it was closed; null while it is open. */
  closedWith(): number | null
  /** Resolves with the time it took until this event of that record is received. */
  receives(event: string, id: string, limitMs?: number): Promise<number>
  close(): void
}

export const ticketFor = async (url: string, token: string): Promise<string> =>
  memberOf(await must(`${url}/api/realtime/ticket`, { method: 'POST', token }), 'ticket')

export const socketUrl = (url: string, ticket: string): string =>
  `${url.replace('http', 'ws')}/realtime?ticket=${encodeURIComponent(ticket)}`

/** Opens a socket with the ticket, and listens to the topic. */
export const listen = async (url: string, ticket: string, topic: string): Promise<Listener> => {
  const socket = new WebSocket(socketUrl(url, ticket))
  const frames: unknown[] = []
  let closed: number | null = null
  socket.on('message', (data) => frames.push(JSON.parse(data.toString())))
  socket.on('close', (code) => {
    closed = code
  })
  await once(socket, 'open')
  socket.on('error', () => undefined)
  socket.send(JSON.stringify({ action: 'subscribe', topic }))
  await until('the topic is listened to', () => frames.some((frame) => memberOf(frame, 'event') === 'subscribed'))
  return {
    frames,
    closedWith: () => closed,
    receives: (event, id, limitMs = 5_000) =>
      until(`${event} of ${id} is received`, () => frames.some((frame) => isAbout(frame, event, id)), {
        limitMs,
        everyMs: 2,
      }),
    close: () => socket.terminate(),
  }
}

/** The status with which the socket is refused; 101 when it is not. */
export const upgradeStatus = (url: string, ticket: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(socketUrl(url, ticket))
    socket.on('unexpected-response', (_request, response) => {
      response.resume()
      socket.terminate()
      resolve(response.statusCode ?? 0)
    })
    socket.on('open', () => {
      socket.terminate()
      resolve(101)
    })
    socket.on('error', (error) => (socket.readyState === WebSocket.CLOSING ? undefined : reject(error)))
  })

const isAbout = (frame: unknown, event: string, id: string): boolean =>
  memberOf(frame, 'event') === event && memberOf(Reflect.get(Object(frame), 'data'), 'id') === id
