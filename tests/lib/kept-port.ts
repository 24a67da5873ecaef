import { once } from 'node:events'
import { createServer } from 'node:net'

let isWanted = false
let last = 0

/**
 * Services of this process get the same port, one after the other. A browser knows scripts by their address: with a port
 * for every file it would load and compile all of them again, which is half the work of opening a page.
 */
export const keepPort = (): void => {
  isWanted = true
}

/** The port for the next service; 0 is any. */
export const nextPort = async (): Promise<number> => (last > 0 && (await isFree(last)) ? last : 0)

/** Notes where a service listens. */
export const notePort = (url: string): void => {
  if (isWanted && last === 0) last = Number(new URL(url).port)
}

const isFree = async (port: number): Promise<boolean> => {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
