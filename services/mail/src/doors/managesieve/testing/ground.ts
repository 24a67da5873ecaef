import { createTestClock } from '@stoa/kit/clock.ts'
import { openBus } from '@stoa/kit/events/bus.ts'
import { parseCidr } from '@stoa/kit/http/client-address.ts'
import { createLogger } from '@stoa/kit/log.ts'
import { Secret } from '@stoa/kit/secret.ts'
import { selfSignedCertificate } from '@stoa/tests/lib/certificate.ts'
import { createCredentials } from '../../../hosting/addresses/credentials.ts'
import { createLiveSignIns } from '../../../hosting/addresses/live.ts'
import { openMailDatabase } from '../../../hosting/addresses/testing/database.ts'
import { MAILBOX_PASSWORD, plantAccount, plantAddress } from '../../../hosting/addresses/testing/hosting.ts'
import type { ManageSieveLimits } from '../limits.ts'
import { startManageSieve } from '../server.ts'
import { connectSieve, type SieveClient } from './client.ts'

export const NOW = new Date('2026-03-01T12:00:00.000Z')

const certificate = selfSignedCertificate(['localhost'])

export type SieveGround = Awaited<ReturnType<typeof startGround>>

/** A ManageSieve server on a real socket and a database of its own. */
export const startGround = async ({
  limits = {},
  isPlain = false,
}: {
  limits?: Partial<ManageSieveLimits>
  isPlain?: boolean
} = {}) => {
  const own = await openMailDatabase()
  const { database } = own
  const logs: string[] = []
  const log = createLogger({ name: 'mail', level: 'warn', destination: { write: (line) => void logs.push(line) } })
  const clock = createTestClock(NOW)
  const bus = openBus(database, { log })
  await bus.ready()
  const live = createLiveSignIns({ database, bus, log, clock })
  const limitExempt = [parseCidr('127.0.0.0/8')]
  const credentials = createCredentials({
    database,
    secret: new Secret('a secret of the tests'),
    clock,
    log,
    limitExempt,
  })
  const server = await startManageSieve(
    { database, credentials, live, clock, log },
    {
      port: 0,
      config: { host: '127.0.0.1', trustedProxies: [], smtpMaxPerIp: 50, limitExempt },
      certificate: isPlain ? null : { current: () => certificate, onChange: () => undefined },
    },
    { limits },
  )
  const account = await plantAccount(database, { now: NOW })
  const clients: SieveClient[] = []
  const connect = async () => {
    const connected = await connectSieve({ port: server.port })
    clients.push(connected.client)
    return connected
  }
  return {
    database,
    live,
    clock,
    logs,
    server,
    connect,
    address: (email: string) => plantAddress(database, email, { now: NOW, accountId: account.id }),
    /** A connection over TLS on which that mailbox has signed in. */
    async signedIn(email: string): Promise<SieveClient> {
      const { client } = await connect()
      if (!isPlain) await client.startTls()
      const answer = await client.signIn(email, MAILBOX_PASSWORD)
      if (answer.status !== 'OK') throw new Error(answer.text)
      return client
    },
    async close() {
      for (const client of clients) client.close()
      await server.stop()
      live.close()
      await bus.close()
      await own.close()
    },
  }
}
