import { generateKeyPairSync } from 'node:crypto'
import { Secret } from '@stoa/kit/secret.ts'
import { createResolver } from '../../../wire/dns/resolver.ts'
import type { QueueParts } from '../queue.ts'
import { SMTP_TIMEOUTS } from '../smtp-connection.ts'

export const HOSTNAME = 'mx.stoa.test'
const POLL_MS = 50
const GRACE_MS = 500

/** Signs everything in tests. */
export const SIGNING_KEY = generateKeyPairSync('rsa', { modulusLength: 2048 })
const privateKeyPem = SIGNING_KEY.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const signingKey = { domain: 'stoa.test', selector: 's1', algorithm: 'rsa-sha256', privateKeyPem } as const

/** What a test wants different. */
export type TestChoices = Partial<Omit<QueueParts, 'config'>> & { config?: Partial<QueueParts['config']> }

export type TestConnections = Pick<QueueParts, 'database' | 'blobs' | 'bus' | 'clock' | 'log'> & {
  dnsAddress: string
  /** Where all mail hosts listen. */
  port: number
}

/** A queue that looks everything up in the fake DNS, sends everything away and signs it with one key. */
export const testParts = (
  { dnsAddress, port, ...connections }: TestConnections,
  parts: TestChoices = {},
): QueueParts => ({
  resolver: createResolver({ servers: [dnsAddress], clock: connections.clock, timeoutMs: 500 }),
  deliverLocal: async () => ({ ok: true }),
  resolveRecipient: async () => ({ kind: 'foreign' }),
  signingKeyOf: async () => signingKey,
  ...connections,
  ...parts,
  config: {
    hostname: HOSTNAME,
    mxHosts: [HOSTNAME],
    outboundPort: port,
    relayUrl: null,
    outboundAllowPrivate: true,
    secret: new Secret('a secret of the tests, long enough for anyone'),
    ...parts.config,
  },
  tuning: { pollMs: POLL_MS, graceMs: GRACE_MS, signingThreads: 1, timeouts: SMTP_TIMEOUTS, ...parts.tuning },
})
