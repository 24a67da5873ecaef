import { join } from 'node:path'
import { openLocalBlobs } from '@stoa/kit/blobs/local.ts'
import { type Clock, systemClock } from '@stoa/kit/clock.ts'
import { openDatabase } from '@stoa/kit/db/database.ts'
import { openBus } from '@stoa/kit/events/bus.ts'
import { apiSurface } from '@stoa/kit/http/headers.ts'
import { createHttp, stopHttp } from '@stoa/kit/http/server.ts'
import { createLogger } from '@stoa/kit/log.ts'
import { PATIENT } from '@stoa/tests/lib/cluster.ts'
import { freePort } from '@stoa/tests/lib/free-port.ts'
import { readConfig } from '../../../config.ts'
import type { Ctx, SharedParts } from '../../../context.ts'
import { faults, renderError } from '../../../errors.ts'
import {
  authorise,
  createAuthenticate,
  createSessionTokens,
  createWebmailTokens,
} from '../../../hosting/access/access.ts'
import { createCredentials } from '../../../hosting/addresses/credentials.ts'
import { createLiveSignIns } from '../../../hosting/addresses/live.ts'
import { createHosting } from '../../../hosting/domains/hosting.ts'
import type { Principal } from '../../../principal.ts'
import type { Tables } from '../../../tables.ts'
import { createJmap, type Jmap } from '../jmap.ts'
import { jmapRoutes } from '../routes.ts'
import { createJmapSockets } from '../websocket.ts'

export type JmapServer = {
  url: string
  port: number
  parts: SharedParts
  jmap: Jmap
  /** Every line that was logged. */
  logs: string[]
  close(): Promise<void>
}

export type ServerOptions = {
  databaseUrl: string
  /** Of blobs and the like. */
  folder: string
  env?: Record<string, string>
  clock?: Clock
  poolSize?: number
}

const ENV = {
  NODE_ENV: 'test',
  MAIL_PORT: '0',
  SECRET: 'a secret of the tests, long enough for anyone',
  // Clients of one test machine all have the same address.
  LIMIT_EXEMPT: '127.0.0.0/8',
}

const NO_PAYMENTS = { payments: null, prices: { get: () => undefined } }

/** The HTTP server of the service with nothing but JMAP, on a database that is there. */
export const startJmapServer = async ({
  databaseUrl,
  folder,
  env = {},
  clock = systemClock,
  poolSize = 6,
}: ServerOptions): Promise<JmapServer> => {
  const logs: string[] = []
  const log = createLogger({ name: 'mail', level: 'info', destination: { write: (line) => void logs.push(line) } })
  // The session names absolute addresses, so the port is needed before the server is made.
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const config = readConfig({ ...ENV, MAIL_DATABASE_URL: databaseUrl, MAIL_PUBLIC_URL: url, DATA_DIR: folder, ...env })
  const database = openDatabase<Tables>({ url: databaseUrl, poolSize, log, ...PATIENT })
  const bus = openBus(database, { log })
  await bus.ready()
  const blobs = await openLocalBlobs(join(folder, 'mail'))
  const hosting = createHosting(config, bus)
  const live = createLiveSignIns({ database, bus, log, clock })
  const credentials = createCredentials({
    database,
    secret: config.secret,
    clock,
    log,
    limitExempt: config.limitExempt,
  })
  const sessionTokens = createSessionTokens(config.secret)
  const webmailTokens = createWebmailTokens(config.secret)
  const authenticate = createAuthenticate({ database, tokens: sessionTokens, webmailTokens, credentials, clock })
  const parts = { database, blobs, bus, log, clock, config, hosting, live, credentials, ...NO_PAYMENTS }
  const jmap = createJmap(parts)
  const sockets = createJmapSockets(jmap, authenticate)
  const http = createHttp({
    routes: jmapRoutes(jmap),
    log,
    clock,
    publicUrl: url,
    trustedProxies: [],
    surfaces: { api: apiSurface(url) },
    faults,
    renderError,
    authenticate,
    authorise,
    context: (principal: Principal): Ctx => ({
      db: database.db,
      tx: database.tx,
      principal,
      config,
      log,
      sessionTokens,
      webmailTokens,
      parts,
      now: clock.now,
    }),
    csrfProof: false,
    ready: database.ping,
  })
  http.server.on('upgrade', (request, socket, head) => {
    if (!sockets.upgrade(request, socket, head)) socket.destroy()
  })
  await http.listen({ port, host: '127.0.0.1' })
  return {
    url,
    port,
    parts,
    jmap,
    logs,
    async close() {
      sockets.stop()
      jmap.stop()
      await stopHttp(http, 1_000)
      live.close()
      hosting.close()
      await bus.close()
      await blobs.close()
      await database.close()
    },
  }
}
