import { once } from 'node:events'
import { createServer } from 'node:net'

/** A port on loopback that was free a moment ago, for programs that must be given theirs. */
export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port')
  return address.port
}
