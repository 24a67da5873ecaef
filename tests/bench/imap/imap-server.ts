import { setTimeout } from 'node:timers/promises'
import { openLocalBlobs } from '@stoa/kit/blobs/local.ts'
import { systemClock } from '@stoa/kit/clock.ts'
import { openDatabase } from '@stoa/kit/db/database.ts'
import { openBus } from '@stoa/kit/events/bus.ts'
import { parseCidr } from '@stoa/kit/http/client-address.ts'
import { createLogger } from '@stoa/kit/log.ts'
import { Secret } from '@stoa/kit/secret.ts'
import { startImap } from '@stoa/mail/doors/imap/server.ts'
import { createCredentials } from '@stoa/mail/hosting/addresses/credentials.ts'
import { createLiveSignIns } from '@stoa/mail/hosting/addresses/live.ts'
import { indexPending } from '@stoa/mail/store/search/search.ts'
import type { Tables } from '@stoa/mail/tables.ts'
import { selfSignedCertificate } from '../../lib/certificate.ts'

/** The IMAP server as the service runs it. It reports its memory and CPU over IPC on request. */
const [url = '', folder = '', tls = ''] = process.argv.slice(2)
const log = createLogger({ name: 'bench', level: 'warn' })
const database = openDatabase<Tables>({ url, poolSize: 5, log, applicationName: 'bench-imap' })
const bus = openBus(database, { log })
await bus.ready()
const clock = systemClock
const loopback = [parseCidr('127.0.0.0/8')]
const certificate = selfSignedCertificate(['localhost'])
const blobs = await openLocalBlobs(folder)
const server = await startImap(
  {
    database,
    blobs,
    bus,
    log,
    clock,
    live: createLiveSignIns({ database, bus, log, clock }),
    credentials: createCredentials({
      database,
      secret: new Secret('a secret of the bench, long enough for anyone'),
      clock,
      log,
      limitExempt: loopback,
    }),
    config: {
      hostname: 'mx.ours.test',
      publicUrl: 'https://mail.ours.test',
      maxMessageBytes: 52_428_800,
      imapMaxPerUser: 20,
    },
  },
  {
    port: 0,
    config: { host: '127.0.0.1', trustedProxies: [], imapMaxPerIp: 50, limitExempt: loopback },
    certificate: tls === 'tls' ? { current: () => certificate, onChange: () => undefined } : null,
    isImplicit: tls === 'tls',
  },
)

/** What upkeep does each minute; with `keep` again and again, until it is asked for the last time. */
let isKept = false
const index = async (): Promise<void> => {
  do await indexPending({ database, blobs, log })
  while (isKept && (await setTimeout(500, true)))
}

process.on('message', async (question) => {
  const { user, system } = process.cpuUsage()
  if (question === 'keep indexing') isKept = true
  if (question === 'index') isKept = false
  if (question === 'keep indexing') void index()
  if (question === 'index') await index()
  if (question === 'rss') process.send?.({ type: 'rss', bytes: process.memoryUsage.rss() })
  else process.send?.({ type: 'cpu', seconds: (user + system) / 1e6 })
})
process.on('disconnect', () => process.exit())
process.send?.({ type: 'ready', port: server.port })
