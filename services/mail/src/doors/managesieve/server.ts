import { type DoorServer, type Listen, startDoor } from '../../wire/listen/listen.ts'
import { serveConnection } from './connection.ts'
import { defaultLimits, type ManageSieveLimits } from './limits.ts'
import type { ManageSieveParts } from './session.ts'

export type { ManageSieveParts } from './session.ts'

const HANDSHAKE_MS = 10_000

/** Listens for programs that manage the Sieve scripts of a mailbox, with STARTTLS. */
export const startManageSieve = (
  parts: ManageSieveParts,
  listen: Listen,
  options: { limits?: Partial<ManageSieveLimits> } = {},
): Promise<DoorServer> => {
  const { host, trustedProxies, smtpMaxPerIp, limitExempt } = listen.config
  const limits = { ...defaultLimits, ...options.limits }
  return startDoor(
    {
      host,
      port: listen.port,
      certificate: listen.certificate,
      isImplicit: false,
      trustedProxies,
      maxPerIp: smtpMaxPerIp,
      limitExempt,
      handshakeMs: HANDSHAKE_MS,
    },
    {
      name: 'ManageSieve',
      log: parts.log,
      tooManyFromYou: 'BYE (TRYLATER) "Too many connections from your address."\r\n',
      tooMany: 'BYE (TRYLATER) "Too many connections."\r\n',
      serve: (connection, stopping) => serveConnection(parts, limits, connection, stopping),
    },
  )
}
