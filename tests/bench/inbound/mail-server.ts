import { openLocalBlobs } from '@stoa/kit/blobs/local.ts'
import { systemClock } from '@stoa/kit/clock.ts'
import { openDatabase } from '@stoa/kit/db/database.ts'
import { openBus } from '@stoa/kit/events/bus.ts'
import { parseCidr } from '@stoa/kit/http/client-address.ts'
import { createLogger } from '@stoa/kit/log.ts'
import { Secret } from '@stoa/kit/secret.ts'
import type { DnsLookup } from '@stoa/mail/formats/authenticity/lookups.ts'
import { createMailRates } from '@stoa/mail/receiving/receive/rates.ts'
import { createReceiveParts, startMx } from '@stoa/mail/receiving/receive/receive.ts'
import type { Tables } from '@stoa/mail/tables.ts'
import { createResolver } from '@stoa/mail/wire/dns/resolver.ts'
import { selfSignedCertificate } from '../../lib/certificate.ts'
import { serveBench } from '../harness.ts'

/** The MX door as the service runs it. */
const [url = '', folder = '', dns = ''] = process.argv.slice(2)
const log = createLogger({ name: 'bench', level: 'warn' })
const database = openDatabase<Tables>({ url, poolSize: 10, log })
const bus = openBus(database, { log })
await bus.ready()
const hostname = 'mx.ours.test'
const resolver = createResolver({ servers: [dns], clock: systemClock })
const lookup: DnsLookup = async (name, type) =>
  type === 'TXT' ? (await resolver.txt(name)).map((text) => [text]) : resolver.addresses(name, { family: 4 })
const loopback = [parseCidr('127.0.0.0/8')]
const parts = createReceiveParts({
  database,
  blobs: await openLocalBlobs(folder),
  config: {
    hostname,
    secret: new Secret('a secret of the bench, long enough for anyone'),
    maxMessageBytes: 52_428_800,
    rspamdUrl: null,
    scannerUrl: null,
    environment: 'production',
    arcTrustedSealers: [],
    limitExempt: loopback,
  },
  lookup,
  log,
  clock: systemClock,
  bus,
})
const certificate = selfSignedCertificate(['localhost'])
const server = await startMx(
  parts,
  {
    port: 0,
    config: { host: '127.0.0.1', trustedProxies: [], smtpMaxPerIp: 50, limitExempt: loopback },
    certificate: { current: () => certificate, onChange: () => undefined },
  },
  { hosting: { hostname }, rates: createMailRates(systemClock, { isExempt: () => true }) },
)
serveBench(server.port)
