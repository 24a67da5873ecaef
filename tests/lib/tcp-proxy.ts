import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A TCP relay in front of a server, for tests of networks that fail. */
export type TcpProxy = {
  port: number
  /** From now on a black hole: connections stay open and new ones are accepted, but no byte passes. */
  freeze(): void
  /** Passes bytes again, also the ones held back. */
  thaw(): void
  /** Ends every connection, without a goodbye. */
  cut(): void
  close(): Promise<void>
}

type Target = { host: string; port: number }

/** `target`: one server, or whom the next connection is led to. */
export const startTcpProxy = async (target: Target | (() => Target)): Promise<TcpProxy> => {
  const sockets = new Set<Socket>()
  let isFrozen = false
  const relay = (from: Socket, to: Socket) => {
    sockets.add(from)
    from.on('data', (chunk) => to.write(chunk))
    from.on('end', () => to.end())
    from.on('error', () => to.destroy())
    from.on('close', () => {
      sockets.delete(from)
      to.destroy()
    })
    if (isFrozen) from.pause()
  }
  const server = createServer((inbound) => {
    const outbound = connect(typeof target === 'function' ? target() : target)
    relay(inbound, outbound)
    relay(outbound, inbound)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('The proxy has no address')
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: address.port,
    freeze() {
      isFrozen = true
      for (const socket of sockets) socket.pause()
    },
    thaw() {
      isFrozen = false
      for (const socket of sockets) socket.resume()
    },
    cut,
    async close() {
      server.close()
      cut()
      await once(server, 'close')
    },
  }
}

/** The same URL through a proxy. */
export const throughProxy = (url: string, proxy: TcpProxy): string =>
  Object.assign(new URL(url), { port: String(proxy.port) }).href
