import type { Socket } from 'node:net'
import { limitKeyOf } from '../http/client-address.ts'
import { createSlots } from '../workers/slots.ts'

export type HandshakeLimits = {
  /** Until a handshake is complete. */
  ms: number
  /** At a time, in one process. All clients of a company come from one address, and come back together. */
  perIp: number
  /** The memory for so many is small. */
  all: number
}

export const HANDSHAKE_LIMITS: HandshakeLimits = { ms: 10_000, perIp: 500, all: 2_000 }

type Peer = Pick<Socket, 'remoteAddress' | 'remotePort'>

/** TLS doesn't say which connection it has secured, but both ends of it have the same peer. */
const nameOf = ({ remoteAddress, remotePort }: Peer): string => `${remoteAddress} ${remotePort}`

/** Connections whose handshake isn't complete: anybody can begin one and then say nothing. */
export const createHandshakes = ({ perIp, all }: HandshakeLimits) => {
  const slots = createSlots()
  /** The oldest first. */
  const open = new Map<string, { socket: Socket; key: string }>()

  const end = (peer: string): void => {
    const ended = open.get(peer)
    if (!ended) return
    open.delete(peer)
    slots.free(ended.key)
  }
  return {
    begin(socket: Socket): void {
      const key = limitKeyOf(socket.remoteAddress ?? '')
      if (key === '' || !slots.take(key, perIp)) return void socket.destroy()
      const [oldest] = open.values()
      // Good clients are done long before they are the oldest, so that silent ones only push each other out.
      if (open.size >= all) oldest?.socket.destroy()
      const peer = nameOf(socket)
      open.set(peer, { socket, key })
      socket.once('close', () => end(peer))
    },
    complete: (secured: Peer): void => end(nameOf(secured)),
    cut(): void {
      for (const { socket } of open.values()) socket.destroy()
    },
  }
}
