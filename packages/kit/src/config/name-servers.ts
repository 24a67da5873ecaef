import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { StartError } from '../errors.ts'

/** Node asks name servers by their addresses: names among them are looked up once, at the start, by the operating system. */
export const lookUpNameServers = (servers: readonly string[]): Promise<string[]> =>
  Promise.all(
    servers.map(async (server) => {
      const at = server.lastIndexOf(':')
      const [host, port] = [server.slice(0, at), server.slice(at + 1)]
      if (host.startsWith('[') || isIP(host)) return server
      const { address, family } = await lookup(host, { order: 'ipv4first' }).catch((error: unknown) => {
        throw new StartError(`DNS_RESOLVERS: no address of "${host}" was found. Enter the server's IP address.`, {
          cause: error,
        })
      })
      return family === 6 ? `[${address}]:${port}` : `${address}:${port}`
    }),
  )
