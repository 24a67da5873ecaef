import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:https'
import { connect as connectPlain } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { connect, type TLSSocket } from 'node:tls'
import { type RunningFake, startFakeProvider } from '@stoa/kit/dns-zones/testing/fake-provider.ts'
import { cloudflare } from '@stoa/kit/dns-zones/testing/fakes/cloudflare.ts'
import { programOf } from '../../scripts/services.ts'
import { bareEnvironment } from '../lib/bare-environment.ts'
import { type FakeDns, startFakeDns } from '../lib/fake-dns.ts'
import { freePort } from '../lib/free-port.ts'
import { missingPebble, type Pebble, startPebble } from '../lib/pebble.ts'
import { serviceDatabase } from '../lib/service-database.ts'
import { until } from '../lib/waiting.ts'
import { type Program, startProgram } from './processes.ts'

const root = join(import.meta.dirname, '../..')
const skip = missingPebble()

let folder: string
let dns: FakeDns
let pebble: Pebble
let challengePort: number
before(async () => {
  if (skip) return
  folder = await mkdtemp(join(tmpdir(), 'stoa-certificates-'))
  dns = await startFakeDns()
  for (const name of ['mx.host.test', 'panel.host.test', 'cms.host.test']) dns.set(name, 'A', ['127.0.0.1'])
  challengePort = await freePort()
  pebble = await startPebble({ challengePort, dns: dns.address })
  await writeFile(join(folder, 'pebble.pem'), pebble.ca)
})
after(async () => {
  if (skip) return
  await pebble.close()
  await dns.close()
  await rm(folder, { recursive: true, force: true })
})

const start = (service: 'cms' | 'mail', env: Record<string, string>): Program =>
  startProgram(process.execPath, [join(root, programOf(service))], {
    cwd: folder,
    env: {
      ...bareEnvironment(),
      NODE_ENV: 'production',
      NODE_EXTRA_CA_CERTS: join(folder, 'pebble.pem'),
      SECRET: 'a secret of the tests, long enough for anyone',
      HOST: '127.0.0.1',
      STORAGE_DRIVER: 'local',
      STORAGE_LOCAL_DIR: join(folder, 'files'),
      DATA_DIR: folder,
      ACME: 'on',
      ACME_DIRECTORY: pebble.directory,
      ACME_EMAIL: 'admin@host.test',
      HTTP_CHALLENGE_PORT: String(challengePort),
      ...env,
    },
  })

/** Waits until a page is served with a certificate that the authority gave. */
const untilServed = async (port: number, servername: string, program: Program): Promise<number> => {
  const ca = await pebble.root()
  const ask = async () => {
    const sent = request({ host: '127.0.0.1', port, servername, ca, path: '/healthz' })
    sent.end()
    const [response] = await once(sent, 'response').catch(() => [null])
    response?.resume()
    return response?.statusCode
  }
  return until(ask, () => `https is served with a certificate of the authority: ${program.output()}`)
}

const stop = async (...programs: Program[]): Promise<void> => {
  for (const { child, ends, output } of programs) {
    child.kill('SIGTERM')
    assert.equal(await ends(), 0, output())
    assert.equal(/PRIVATE KEY/.test(output()), false)
  }
}

test('two processes of mail get their certificates from a real authority, and serve https, IMAP and SMTP with them', {
  skip,
}, async (t) => {
  const database = await serviceDatabase('mail')
  t.after(() => database.drop())
  const ports = { http: await freePort(), https: await freePort(), imap: await freePort(), smtp: await freePort() }
  const env = {
    MAIL_DATABASE_URL: database.url,
    MAIL_HOSTNAME: 'mx.host.test',
    MAIL_PUBLIC_URL: 'https://panel.host.test',
    DNS_RESOLVERS: dns.address,
    HTTPS_PORT: String(ports.https),
  }
  const doors = { MAIL_PORT: String(ports.http), SMTP_PORT: String(ports.smtp) }
  const web = start('mail', { ...env, ...doors, MAIL_ROLES: 'http,smtp,worker' })
  await web.prints(/Mail panel/)
  const reading = start('mail', { ...env, MAIL_ROLES: 'imap,worker', IMAPS_PORT: String(ports.imap) })
  await reading.prints(/IMAP, TLS/)
  assert.equal(await untilServed(ports.https, 'panel.host.test', web), 200)
  const ca = await pebble.root()

  const imap = await until(
    async () => {
      const socket = connect({ host: '127.0.0.1', port: ports.imap, servername: 'mx.host.test', ca })
      const greeted = await once(socket, 'data').catch(() => null)
      socket.destroy()
      return greeted && String(greeted[0])
    },
    () => `IMAP is served with it in the other process: ${reading.output()}`,
  )
  assert.match(imap, /^\* OK/)

  const smtp = await startTls(ports.smtp, 'mx.host.test', ca)
  assert.deepEqual([smtp.authorized, smtp.getPeerX509Certificate()?.checkHost('mx.host.test')], [true, 'mx.host.test'])
  smtp.destroy()

  const redirect = await fetch(`http://127.0.0.1:${challengePort}/a`, { redirect: 'manual' })
  assert.equal(redirect.status, 308)
  await stop(web, reading)
})

test('the CMS gets its certificate from a real authority, over HTTP or with a DNS record, and serves https with it', {
  skip,
}, async (t) => {
  const database = await serviceDatabase('cms')
  t.after(() => database.drop())
  const [port, httpsPort] = [await freePort(), await freePort()]
  const env = { CMS_DATABASE_URL: database.url, PORT: String(port), HTTPS_PORT: String(httpsPort) }
  const cms = start('cms', { ...env, PUBLIC_URL: 'https://cms.host.test' })
  await cms.prints(/CMS admin/)
  assert.equal(await untilServed(httpsPort, 'cms.host.test', cms), 200)
  await stop(cms)

  const provider = await startZone('host.test')
  t.after(() => provider.close())
  const proven = start('cms', {
    ...env,
    PUBLIC_URL: 'https://inner.host.test',
    HTTP_CHALLENGE_PORT: '0',
    ACME_DNS_PROVIDER: cloudflare.id,
    ACME_DNS_CREDENTIALS: 'token' in cloudflare.good ? cloudflare.good.token : '',
    DNS_API_BASE_CLOUDFLARE: provider.url,
    DNS_RESOLVERS: dns.address,
  })
  await proven.prints(/CMS admin/)
  assert.equal(await untilServed(httpsPort, 'inner.host.test', proven), 200)
  await stop(proven)
  assert.deepEqual([provider.zone.rows, provider.problems], [[], []])
})

/** A zone at a DNS provider, whose records DNS has at once. */
const startZone = async (name: string): Promise<RunningFake> => {
  const provider = await startFakeProvider(cloudflare)
  const { zone } = provider
  const { add } = zone
  zone.name = name
  zone.add = (row) => {
    dns.set(row.fqdn, 'TXT', [row.data])
    return add(row)
  }
  return provider
}

/** A connection to an SMTP server after STARTTLS. */
const startTls = async (port: number, servername: string, ca: string): Promise<TLSSocket> => {
  const socket = connectPlain(port, '127.0.0.1')
  const said = async (pattern: RegExp): Promise<void> => {
    for (let seen = ''; !pattern.test(seen); ) seen += String((await once(socket, 'data'))[0])
  }
  await said(/^220 .*\r\n$/)
  socket.write('EHLO client.test\r\n')
  await said(/^250 .*\r\n$/m)
  socket.write('STARTTLS\r\n')
  await said(/^220 .*\r\n$/)
  const secured = connect({ socket, servername, ca })
  await once(secured, 'secureConnect')
  return secured
}
