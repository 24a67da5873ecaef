import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Below those that systems give to connections and to servers that ask for any port, and above the last that `fetch`
 * refuses, 10080 (Fetch §2.9).
 */
const [LOWEST, HIGHEST] = [10_081, 32_000]

/**
 * A port on loopback that is free, for programs that must be given theirs. Nobody else gets it before they start, but for
 * another caller with the same luck.
 */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST)
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EADDRINUSE') throw error
        return false
      },
    )
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
}
