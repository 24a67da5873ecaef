import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { type RunningFake, startFakeProvider } from '@stoa/kit/dns-zones/testing/fake-provider.ts'
import { cloudflare } from '@stoa/kit/dns-zones/testing/fakes/cloudflare.ts'
import { until } from '@stoa/tests/lib/waiting.ts'
import { type ServiceProcess, startService } from '../faults/service-process.ts'
import { freshDatabase } from '../lib/cluster.ts'
import { type FakeDns, startFakeDns } from '../lib/fake-dns.ts'
import { freePort } from '../lib/free-port.ts'
import { type SourceServer, signIn, startDovecot, startOwnDoor } from './source-server.ts'

const DOMAIN = 'roofs-of-the-journey.com'
const EMAIL = `ada@${DOMAIN}`
const PASSWORD = 'a pass phrase for the mailbox'
const _PATIENCE_MS = 15_000

let folder: string
let database: Awaited<ReturnType<typeof freshDatabase>>
let dns: FakeDns
let provider: RunningFake
let service: ServiceProcess
let imapPort: number
let source: SourceServer
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stoa-journey-'))
  database = await freshDatabase()
  dns = await startFakeDns()
  provider = await startFakeProvider(cloudflare)
  imapPort = await freePort()
  service = await startService('mail', {
    MAIL_DATABASE_URL: database.url,
    DATA_DIR: join(folder, 'data'),
    MAIL_ROLES: 'http,imap,worker',
    IMAP_PORT: String(imapPort),
    IMAPS_PORT: '0',
    POP3_PORT: '0',
    POP3S_PORT: '0',
    MANAGESIEVE_PORT: '0',
    MAIL_HOSTNAME: 'mx.journey-host.com',
    DNS_RESOLVERS: dns.address,
    DNS_API_BASE_CLOUDFLARE: provider.url,
    TRANSFER_ALLOW_PRIVATE_HOSTS: 'true',
    RATE_LIMIT_PER_SECOND: '1000',
  })
  source = (await startDovecot()) ?? (await startOwnDoor())
})
after(async () => {
  await source.close()
  await service.stop()
  await provider.close()
  await dns.close()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

// biome-ignore lint/suspicious/noExplicitAny: a reader of JSON looks into answers of every shape
type Answer = { status: number; body: any }

/** What somebody types who has nothing but curl; the jar holds the cookie of the sign-up. */
const curl = async (method: string, path: string, body?: object): Promise<Answer> => {
  const jar = join(folder, 'cookies')
  const data = body ? ['--header', 'content-type: application/json', '--data', JSON.stringify(body)] : []
  const { stdout } = await promisify(execFile)('curl', [
    '--silent',
    '--show-error',
    ...['--request', method, '--cookie', jar, '--cookie-jar', jar, '--write-out', '\n%{http_code}'],
    ...data,
    service.url + path,
  ])
  const at = stdout.lastIndexOf('\n')
  return { status: Number(stdout.slice(at + 1)), body: JSON.parse(stdout.slice(0, at)) }
}
const made = async (path: string, body: object) => {
  const answer = await curl('POST', path, body)
  assert.ok(answer.status < 300, `${path}: ${JSON.stringify(answer)}`)
  return answer.body
}
const read = async (path: string) => (await curl('GET', path)).body

/** What the provider's name servers say from now on. */
const serveZone = ({ zone }: RunningFake): void => {
  for (const [fqdn, rows] of Map.groupBy(zone.rows, (row) => row.fqdn)) {
    const of = (type: string) => rows.filter((row) => row.type === type).map(({ data }) => data)
    const texts = of('TXT').map((data) => data.match(/.{1,200}/g) ?? [])
    if (texts.length > 0) dns.set(fqdn, 'TXT', texts)
    const exchanges = of('MX').map((data) => {
      const [preference = '', exchange = ''] = data.split(' ')
      return { preference: Number(preference), exchange }
    })
    if (exchanges.length > 0) dns.set(fqdn, 'MX', exchanges)
  }
}

const mailOf = (nth: number): string =>
  [
    `Message-ID: <old-${nth}@old-place.example>`,
    'From: Grace <grace@old-place.example>',
    `To: ${EMAIL}`,
    `Subject: Old mail ${nth}`,
    'Date: Thu, 1 Jan 2026 12:00:00 +0000',
    '',
    `What was written in letter ${nth}.`,
    '',
  ].join('\r\n')

/** Mail at the old place. */
const fillSource = async (server: SourceServer): Promise<void> => {
  const client = await signIn(server)
  await client.mailboxCreate(server.projects)
  const day = (nth: number) => new Date(Date.UTC(2026, 0, nth, 8, 30))
  for (let nth = 1; nth <= 5; nth += 1)
    await client.append('INBOX', mailOf(nth), nth === 1 ? ['\\Seen', '\\Flagged'] : [], day(nth))
  await client.append(server.sent, mailOf(6), ['\\Seen'], day(6))
  await client.append(server.projects, mailOf(7), [], day(7))
  await client.logout()
}

describe('with curl alone', () => {
  test('a new user signs up, publishes a domain, moves a mailbox and reads it', async (context) => {
    const user = await made('/api/auth/signup', {
      email: 'ada@elsewhere.example',
      password: 'a pass phrase for the panel',
    })
    assert.equal(user.role, 'owner')

    const domain = await made('/api/domains', { name: DOMAIN })
    assert.deepEqual([domain.status, domain.capabilities.receiving], ['not_started', 'disabled'])
    dns.set(DOMAIN, 'NS', ['ada.ns.cloudflare.com'])
    provider.zone.name = DOMAIN
    const detected = await read(`/api/domains/${domain.id}/dns/provider`)
    assert.deepEqual([detected.provider, detected.publish_supported], ['cloudflare', true])
    const published = await made(`/api/domains/${domain.id}/dns/publish`, { token: 'good-token-of-the-tests' })
    assert.deepEqual([published.failed, published.created, provider.problems], [0, published.results.length, []])

    serveZone(provider)
    const checked = await made(`/api/domains/${domain.id}/check`, {})
    assert.equal(checked.status, 'verified', JSON.stringify(checked.records))
    const verified = await read(`/api/domains/${domain.id}`)
    assert.deepEqual(verified.capabilities, { sending: 'enabled', receiving: 'enabled' })

    const address = await made(`/api/domains/${domain.id}/addresses`, { local_part: 'ada', password: PASSWORD })
    assert.equal(address.email, EMAIL)
    const destinations = await read('/api/transfers/destinations')
    assert.ok(destinations.data.some(({ id }: { id: string }) => id === address.id))

    await fillSource(source)
    context.diagnostic(`the old place is ${source.name}`)
    const { id } = await made('/api/transfers', {
      address_id: address.id,
      host: '127.0.0.1',
      port: source.port,
      security: source.security,
      username: source.username,
      password: source.password,
    })
    const transfer = await until(async () => {
      const now = await read(`/api/transfers/${id}`)
      return now.finished_at !== null && now
    }, 'the transfer has ended')
    assert.deepEqual([transfer.status, transfer.messages_copied, transfer.error], ['completed', 7, null])

    const client = await signIn({ port: imapPort, security: 'starttls', username: EMAIL, password: PASSWORD })
    await client.mailboxOpen('INBOX', { readOnly: true })
    const letters = await client.fetchAll('1:*', { uid: true, flags: true, internalDate: true, envelope: true })
    assert.deepEqual(
      letters.map(({ envelope, internalDate }) => [envelope?.subject, new Date(internalDate ?? 0).toISOString()]),
      [1, 2, 3, 4, 5].map((nth) => [`Old mail ${nth}`, `2026-01-0${nth}T08:30:00.000Z`]),
    )
    const [first] = letters
    assert.deepEqual([...(first?.flags ?? [])].filter((flag) => flag !== '\\Recent').sort(), ['\\Flagged', '\\Seen'])
    for (const [path, subject] of [
      ['Sent', 'Old mail 6'],
      ['Projekte/Dächer', 'Old mail 7'],
    ] as const) {
      await client.mailboxOpen(path, { readOnly: true })
      const [only] = await client.fetchAll('1:*', { uid: true, envelope: true, source: true })
      assert.equal(only?.envelope?.subject, subject)
      assert.equal(only?.source?.toString(), mailOf(Number(subject.slice(-1))))
    }
    await client.logout()
  })
})
