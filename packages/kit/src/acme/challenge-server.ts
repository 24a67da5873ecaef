import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import { createSemaphore } from '../semaphore.ts'
import { type AnyDb, findChallenge } from './queries.ts'

export type ChallengeServerOptions = {
  host: string
  port: number
  database: { readonly db: AnyDb }
  /** The service's own address in browsers, which may have another port than the usual one. */
  publicUrl: string
  clock: Clock
  log: Log
}

export type ChallengeServer = { readonly port: number; close(): Promise<void> }

// RFC 8555 §8.3
const CHALLENGE = /^\/\.well-known\/acme-challenge\/([\w-]{20,256})$/
const HOST = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?(?=$|:\d{1,5}$)/i
const REQUEST_MS = 10_000

/** Plain HTTP, for two things: what a certificate authority looks for, and sending everybody else to https. */
export const startChallengeServer = async (options: ChallengeServerOptions): Promise<ChallengeServer> => {
  const { database, clock, log } = options
  // Anybody may ask here, and must not keep others from the database.
  const lookUps = createSemaphore({ parallel: 4, waiting: 100 })
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? '/'
    const [, token] = CHALLENGE.exec(path) ?? []
    if (token !== undefined) {
      const found = await lookUps.run(() => findChallenge(database.db, token, clock.now()))
      return end(response, found === undefined ? 404 : 200, found ?? '')
    }
    const location = httpsOf(request.headers.host, path, options.publicUrl)
    if (location === null) return end(response, 404, '')
    end(response, 308, '', { location })
  }
  const server = createServer({ requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS }, (request, response) => {
    request.resume()
    answer(request, response).catch((error: unknown) => {
      log.warn({ err: error }, 'a challenge could not be answered')
      end(response, 503, '')
    })
  })
  server.listen(options.port, options.host)
  await once(server, 'listening')
  const address = server.address()
  return {
    port: address !== null && typeof address === 'object' ? address.port : options.port,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

const end = (response: ServerResponse, status: number, text: string, headers: Record<string, string> = {}): void => {
  const type = { 'content-type': 'application/octet-stream', 'x-content-type-options': 'nosniff' }
  response.writeHead(status, { ...type, 'cache-control': 'no-store', connection: 'close', ...headers }).end(text)
}

/** The same page over https; null without a host, or when the path leads to another one. */
const httpsOf = (host: string | undefined, path: string, publicUrl: string): string | null => {
  const [name] = HOST.exec(host ?? '') ?? []
  if (name === undefined || !path.startsWith('/') || path.startsWith('//')) return null
  const own = new URL(publicUrl)
  const origin = own.hostname === name.toLowerCase() && own.protocol === 'https:' ? own.origin : `https://${name}`
  return origin + path
}
