import type { CertificateSource } from '@stoa/kit/tls/source.ts'
import type { Config } from '../../config.ts'
import { type DoorServer, startDoor } from '../../wire/listen/listen.ts'
import { servePop3 } from './connection.ts'
import { DEFAULT_LIMITS, type Pop3Limits } from './limits.ts'
import type { Pop3Parts } from './session.ts'

export type { Pop3Parts } from './session.ts'

export type Pop3Listen = {
  port: number
  config: Pick<Config, 'host' | 'trustedProxies' | 'imapMaxPerIp' | 'limitExempt'>
  /** Null: no TLS, and any client may sign in: for tests. */
  certificate: CertificateSource | null
  /** TLS from the first byte (995), or STLS (110). */
  isImplicit: boolean
}

/** Listens for POP3 clients (RFC 1939). */
export const startPop3 = (
  parts: Pop3Parts,
  listen: Pop3Listen,
  options: { limits?: Partial<Pop3Limits> } = {},
): Promise<DoorServer> => {
  const { host, trustedProxies, imapMaxPerIp, limitExempt } = listen.config
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  return startDoor(
    {
      host,
      port: listen.port,
      certificate: listen.certificate,
      isImplicit: listen.isImplicit,
      trustedProxies,
      maxPerIp: imapMaxPerIp,
      limitExempt,
      handshakeMs: limits.handshakeMs,
    },
    {
      name: 'POP3',
      log: parts.log,
      tooManyFromYou: '-ERR [SYS/TEMP] Too many connections from your address\r\n',
      tooMany: '-ERR [SYS/TEMP] Too many connections, try again later\r\n',
      serve: (connection, stopping) => servePop3(connection, { parts, limits, stopping }),
    },
  )
}
