import type { LookupFunction } from 'node:net'
import tls from 'node:tls'
import type { Egress } from '@stoa/kit/egress/egress.ts'
import type { Secret } from '@stoa/kit/secret.ts'
import type { ImapFlow } from 'imapflow'
import { TransferProblem } from './problems.ts'
import { addressesOf, type Source } from './source.ts'

export type SourceLogin = {
  source: Source
  username: string
  password: Secret
  /** The largest message that is taken. */
  maxMessageBytes: number
  /** Certificates trusted in addition to the usual authorities. */
  trustedCa: readonly string[]
  signal: AbortSignal
}

const CONNECT_MS = 15_000
/** Servers may have to look for a large message on slow disks. */
const SILENCE_MS = 120_000
/** A list of a million UIDs. */
const MAX_LINE_BYTES = 16 * 2 ** 20
/** Around a message in one answer. */
const FRAME_BYTES = 2 ** 20

/** Signs in at the source, at an address that was checked and no other. It must be closed. */
export const openSource = async (egress: Egress, login: SourceLogin): Promise<ImapFlow> => {
  const { source, signal } = login
  const { host, addresses } = await addressesOf(egress, source)
  // Loaded by those who transfer; most never do.
  const { ImapFlow: Client } = await import('imapflow')
  signal.throwIfAborted()
  const client = new Client({
    host,
    port: source.port,
    secure: source.security === 'tls',
    ...(source.security !== 'tls' && { doSTARTTLS: source.security === 'starttls' }),
    tls: {
      lookup: pinned(addresses),
      minVersion: 'TLSv1.2',
      // Said here because an environment variable can turn the default off.
      rejectUnauthorized: true,
      ...(login.trustedCa.length > 0 && { ca: [...tls.getCACertificates('default'), ...login.trustedCa] }),
    },
    auth: { user: login.username, pass: login.password.reveal() },
    clientInfo: { name: 'Stoa', version: '1', vendor: 'Stoa', 'support-url': '' },
    logger: false,
    disableAutoIdle: true,
    disableAutoEnable: true,
    disableBinary: true,
    // Compressed data could grow here without a limit that we can set.
    disableCompression: true,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    maxLineLength: MAX_LINE_BYTES,
    maxLiteralSize: login.maxMessageBytes + FRAME_BYTES,
    maxResponseSize: Math.max(MAX_LINE_BYTES, login.maxMessageBytes) + 2 * FRAME_BYTES,
  })
  // The pending command gets the error too.
  client.on('error', () => undefined)
  const close = () => client.close()
  signal.addEventListener('abort', close)
  client.once('close', () => signal.removeEventListener('abort', close))
  try {
    await client.connect()
    if (source.security !== 'none' && !client.secureConnection)
      throw new TransferProblem("The server doesn't support secure connections.")
    return client
  } catch (error) {
    client.close()
    signal.throwIfAborted()
    throw error
  }
}

/** Ends a connection as a client should, without waiting for a server that does not answer. */
export const leaveSource = async (client: ImapFlow): Promise<void> => {
  const timer = setTimeout(() => client.close(), LEAVE_MS)
  try {
    await client.logout()
  } catch {
    // The connection is closed already, as intended.
  } finally {
    clearTimeout(timer)
    client.close()
  }
}

const LEAVE_MS = 2_000

/** The name is never resolved again: that is how it could come to mean another place. */
const pinned =
  (addresses: readonly string[]): LookupFunction =>
  (_host, options, callback) => {
    const all = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    const [first] = all
    if (options.all || !first) callback(null, all)
    else callback(null, first.address, first.family)
  }
