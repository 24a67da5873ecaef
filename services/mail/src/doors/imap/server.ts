import type { CertificateSource } from '@stoa/kit/tls/source.ts'
import type { Config } from '../../config.ts'
import { readDelta } from '../../store/store.ts'
import { type DoorServer, startDoor } from '../../wire/listen/listen.ts'
import { ImapConnection } from './connection.ts'
import { createDeltaCache } from './delta-cache.ts'
import { createFolderCache } from './folder-cache.ts'
import { DEFAULT_LIMITS, type ImapLimits } from './limits.ts'
import { createRecents } from './recents.ts'
import type { ImapParts } from './session.ts'
import { createWakeups } from './wakeups.ts'
import { createWriteMailbox } from './writes.ts'

export type { ImapParts } from './session.ts'

export type ImapListen = {
  port: number
  config: Pick<Config, 'host' | 'trustedProxies' | 'imapMaxPerIp' | 'limitExempt'>
  /** Null: no TLS, and any client may sign in: for tests. */
  certificate: CertificateSource | null
  /** TLS from the first byte (993), or STARTTLS (143). */
  isImplicit: boolean
}

/** Thousands of clients wait for mail at the same time. */
const MAX_CONNECTIONS = 20_000

/** Listens for IMAP clients. */
export const startImap = async (
  parts: ImapParts,
  listen: ImapListen,
  options: { limits?: Partial<ImapLimits> } = {},
): Promise<DoorServer> => {
  const { host, trustedProxies, imapMaxPerIp, limitExempt } = listen.config
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const { db } = parts.database
  const door = {
    wakeups: createWakeups(parts.bus),
    recents: createRecents(parts.database, parts.log),
    deltas: createDeltaCache((place, since) => readDelta(db, { ...place, ...since })),
    folders: createFolderCache(db),
    write: createWriteMailbox(parts.database),
  }
  const server = await startDoor(
    {
      host,
      port: listen.port,
      certificate: listen.certificate,
      isImplicit: listen.isImplicit,
      trustedProxies,
      maxPerIp: imapMaxPerIp,
      limitExempt,
      maxConnections: MAX_CONNECTIONS,
      handshakeMs: limits.handshakeMs,
    },
    {
      name: 'IMAP',
      log: parts.log,
      tooManyFromYou: '* BYE [LIMIT] Too many connections from your address\r\n',
      tooMany: '* BYE [UNAVAILABLE] Too many connections, try again later\r\n',
      serve: (connection, stopping) => new ImapConnection(connection, { parts, door, limits, stopping }).serve(),
    },
  )
  return {
    ...server,
    async stop() {
      await server.stop()
      door.wakeups.close()
      await door.recents.close()
    },
  }
}
