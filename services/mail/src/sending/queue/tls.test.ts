import assert from 'node:assert/strict'
import { createHash, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import https from 'node:https'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { createEgress } from '@stoa/kit/egress/egress.ts'
import { createLogger } from '@stoa/kit/log.ts'
import { selfSignedCertificate } from '@stoa/tests/lib/certificate.ts'
import { type FakeSmtp, type FakeSmtpOptions, startFakeSmtp } from '@stoa/tests/lib/fake-smtp.ts'
import { DnsError } from '../../wire/dns/dns.ts'
import { createResolver, type Resolver } from '../../wire/dns/resolver.ts'
import { createStsPolicies, readStsPolicy } from './mta-sts.ts'
import { openGround, type QueueGround } from './testing/ground.ts'
import { isListed } from './tls-policy.ts'

let ground: QueueGround
let policyHost: https.Server
let policyPort = 0
let policyText = ''
let policyHits = 0
const certificate = selfSignedCertificate(['mta-sts.example.test'])
const open: { stop(): Promise<void> }[] = []

before(async () => {
  ground = await openGround()
  policyHost = https.createServer(certificate, (_request, response) => {
    policyHits += 1
    response.writeHead(200, { 'content-type': 'text/plain' }).end(policyText)
  })
  policyHost.listen(0, '127.0.0.1')
  await once(policyHost, 'listening')
  const address = policyHost.address()
  policyPort = address !== null && typeof address !== 'string' ? address.port : 0
  ground.dns.set('mta-sts.example.test', 'A', ['127.0.0.1'])
})
after(async () => {
  policyHost.closeAllConnections()
  policyHost.close()
  await ground.close()
})
beforeEach(() => {
  ground.dns.remove('_mta-sts.example.test')
})
afterEach(async () => {
  for (const one of open.splice(0)) await one.stop()
  for (const table of ['queue_message', 'queue_destination', 'mta_sts_policy', 'tls_counter'])
    await ground.query(`delete from ${table}`)
})

type Setting = FakeSmtpOptions & { trusted?: boolean; resolver?: (own: Resolver, smtp: FakeSmtp) => Resolver }

const prepare = async ({ trusted = true, resolver, ...options }: Setting = {}): Promise<FakeSmtp> => {
  const smtp = await startFakeSmtp({ names: ['mx.example.test'], ...options })
  ground.route('example.test', [{ host: 'mx.example.test', address: smtp.host }])
  const own = createResolver({ servers: [ground.dns.address], clock: ground.clock, timeoutMs: 10_000 })
  const queue = await ground.start(smtp.port, {
    ...(resolver ? { resolver: resolver(own, smtp) } : {}),
    tuning: {
      trustedCa: [certificate.cert, ...(trusted ? [smtp.certificate.cert] : [])],
      mtaStsPort: policyPort,
    },
  })
  open.push(queue, { stop: smtp.close })
  return smtp
}
let announced = 0
const announce = (mode: string, mx = 'mx.example.test', more = ''): void => {
  announced += 1
  ground.clock.advance(600_000)
  ground.dns.set('_mta-sts.example.test', 'TXT', [`v=STSv1; id=policy${announced};`], { ttl: 1 })
  policyText = `version: STSv1\r\nmode: ${mode}\r\nmx: ${mx}\r\nmax_age: 86400\r\n${more}`
}
const send = async (...states: string[]) => {
  const id = await ground.send('you@example.test')
  const [row] = await ground.settled(id, ...states)
  const [attempt] = await ground.query('select * from queue_attempt where message_id = $1', [id])
  return { row, attempt }
}
/** What is waiting would be tried again when the clock moves. */
const forget = async () => {
  await ground.query('delete from queue_message')
  await ground.query('delete from queue_destination')
}
const counts = async () => {
  for (const one of open.splice(0)) await one.stop()
  return ground.query('select policy_type, host, result, sessions from tls_counter order by result')
}

describe('without a policy', () => {
  test('any certificate is taken, and what happened is counted', async () => {
    const smtp = await prepare({ trusted: false, names: ['other.test'] })
    const { attempt } = await send('delivered')
    assert.equal(attempt?.policy, 'opportunistic')
    assert.equal(smtp.messages[0]?.isSecure, true)
    assert.deepEqual(await counts(), [
      { policy_type: 'no-policy-found', host: 'mx.example.test', result: 'success', sessions: 1 },
    ])
  })

  test('a host without TLS gets the mail in clear', async () => {
    const smtp = await prepare({ tls: 'none' })
    await send('delivered')
    assert.equal(smtp.messages[0]?.isSecure, false)
    assert.equal((await counts())[0]?.result, 'starttls-not-supported')
  })

  test('mail that requires TLS waits for a host without it', async () => {
    const smtp = await prepare({ tls: 'none' })
    const id = await ground.send('you@example.test', { requiresTls: true })
    const [row] = await ground.settled(id, 'deferred')
    assert.equal(row?.last_status, '4.7.5')
    assert.equal(smtp.messages.length, 0)
  })
})

describe('an MTA-STS policy that is enforced', () => {
  test('lets mail through to a listed host with a good certificate, and is fetched once', async () => {
    const smtp = await prepare()
    announce('enforce')
    policyHits = 0
    const { attempt } = await send('delivered')
    await send('delivered')
    assert.equal(attempt?.policy, 'mta-sts')
    assert.equal(smtp.messages.length, 2)
    assert.equal(policyHits, 1)
    const [stored] = await ground.query('select mode, mx from mta_sts_policy')
    assert.deepEqual(stored, { mode: 'enforce', mx: ['mx.example.test'] })
  })

  const refusals: [string, Setting, string][] = [
    ['a certificate for another name', { names: ['other.test'] }, 'certificate-host-mismatch'],
    ['a certificate that nobody vouches for', { trusted: false }, 'certificate-not-trusted'],
    ['a host without TLS, as after a downgrade', { tls: 'none' }, 'starttls-not-supported'],
  ]
  for (const [what, setting, result] of refusals) {
    test(`holds mail back from ${what}`, async () => {
      const smtp = await prepare(setting)
      announce('enforce')
      const { row } = await send('deferred')
      assert.equal(row?.last_status, '4.7.5')
      assert.equal(smtp.messages.length, 0)
      const counted = await counts()
      assert.deepEqual(
        counted.map((one) => [one.policy_type, one.result]),
        [['sts', result]],
      )
    })
  }

  test('holds mail back from a host that it does not list, without a connection', async () => {
    const smtp = await prepare()
    announce('enforce', 'mail.other.test')
    await send('deferred')
    assert.equal(smtp.connections(), 0)
    assert.equal((await counts())[0]?.result, 'validation-failure')
  })

  test('holds when its record is gone, until it expires', async () => {
    const smtp = await prepare({ tls: 'none' })
    announce('enforce')
    await send('deferred')
    ground.dns.remove('_mta-sts.example.test')
    await forget()
    ground.clock.advance(3_600_000)
    await send('deferred')
    assert.equal(smtp.messages.length, 0)
    await forget()
    ground.clock.advance(86_400_000)
    await send('delivered')
  })
})

test('a policy that is tried out or cannot be fetched holds nothing back, but failures are counted', async () => {
  const smtp = await prepare({ trusted: false })
  announce('testing')
  await send('delivered')
  announce('enforce', 'mx.example.test', 'mx: bad host name\r\n')
  await send('delivered')
  assert.equal(smtp.messages.length, 2)
  assert.ok((await counts()).some((one) => one.policy_type === 'sts' && one.result === 'certificate-not-trusted'))
})

test('a policy is never fetched from a private address, unless that is allowed', async () => {
  announce('enforce')
  policyHits = 0
  const { database, clock } = ground
  const resolver = createResolver({ servers: [ground.dns.address], clock, timeoutMs: 10_000 })
  const find = (allowPrivate: boolean) => {
    const egress = createEgress({
      ports: [policyPort],
      allowPrivate,
      resolver: (name) => resolver.addresses(name),
      trustedCa: [certificate.cert],
    })
    const log = createLogger({ name: 'test', level: 'silent' })
    return createStsPolicies({ database, resolver, egress, clock, log, port: policyPort }).find('example.test')
  }
  assert.equal(await find(false), null)
  assert.equal(policyHits, 0)
  assert.equal((await find(true))?.mode, 'enforce')
})

test('policies are read strictly', () => {
  const now = new Date()
  const read = (text: string) => readStsPolicy(text, now)
  const good = 'version: STSv1\nmode: enforce\nmx: a.test\nmx: *.b.test\nmax_age: 100\n'
  assert.deepEqual(read(good)?.mx, ['a.test', '*.b.test'])
  for (const bad of [
    '',
    good.replace('STSv1', 'STSv2'),
    good.replace('enforce', 'Enforce'),
    good.replace('max_age: 100', 'max_age: -1'),
    good.replace(/mx:.*\n/g, ''),
    good.replace('a.test', '*.*.test'),
    good.replace('a.test', 'a.test b.test'),
  ])
    assert.equal(read(bad), null, JSON.stringify(bad))
  const policy = { id: 'x', mode: 'enforce', mx: ['*.b.test', 'a.test'], expiresAt: now } as const
  assert.deepEqual(
    ['a.test', 'x.b.test', 'X.B.TEST', 'b.test', 'x.y.b.test', 'xa.test'].map((host) => isListed(policy, host)),
    [true, true, true, false, false, false],
  )
})

describe('DANE', () => {
  const tlsa =
    (of: (smtp: FakeSmtp) => { usage: number; selector: number; matchingType: number; certificate: Buffer }[]) =>
    (own: Resolver, smtp: FakeSmtp): Resolver => ({
      ...own,
      authentic: async () => true,
      tlsa: async () => ({ authentic: true, records: of(smtp) }),
    })
  const keyHash = (cert: string, algorithm = 'sha256') =>
    createHash(algorithm)
      .update(new X509Certificate(cert).publicKey.export({ type: 'spki', format: 'der' }))
      .digest()

  test('accepts the key of the record, whatever the name and the issuer, and takes precedence over MTA-STS', async () => {
    const smtp = await prepare({
      trusted: false,
      names: ['wrong.test'],
      resolver: tlsa((one) => [
        { usage: 3, selector: 1, matchingType: 2, certificate: keyHash(one.certificate.cert, 'sha512') },
      ]),
    })
    announce('enforce', 'elsewhere.test')
    const { attempt } = await send('delivered')
    assert.equal(attempt?.policy, 'dane')
    assert.equal(smtp.messages[0]?.isSecure, true)
  })

  test('accepts a certificate under the anchor of the record, if it is for the host', async () => {
    const anchor = (one: FakeSmtp) => [
      { usage: 2, selector: 0, matchingType: 0, certificate: new X509Certificate(one.certificate.cert).raw },
    ]
    ground.clock.set(new Date())
    await prepare({ resolver: tlsa(anchor) })
    await send('delivered')
    for (const one of open.splice(0)) await one.stop()
    await prepare({ names: ['wrong.test'], resolver: tlsa(anchor) })
    await send('deferred')
  })

  test('holds mail back from another key and from a host without TLS', async () => {
    const other = [{ usage: 3, selector: 1, matchingType: 1, certificate: Buffer.alloc(32, 1) }]
    const smtp = await prepare({ resolver: tlsa(() => other) })
    await send('deferred')
    assert.deepEqual(
      (await counts()).map((one) => [one.policy_type, one.result]),
      [['tlsa', 'validation-failure']],
    )
    const plain = await prepare({ tls: 'none', resolver: tlsa(() => other) })
    await ground.query('delete from queue_destination')
    await send('deferred')
    assert.equal(smtp.messages.length + plain.messages.length, 0)
  })

  test('defers mail while its records cannot be looked up: somebody may suppress them', async () => {
    const smtp = await prepare({
      resolver: (own) => ({
        ...own,
        authentic: async () => true,
        tlsa: async () => {
          throw new DnsError('ESERVFAIL', 'no answer')
        },
      }),
    })
    await send('deferred')
    assert.deepEqual(
      (await counts()).map((one) => [one.policy_type, one.result]),
      [['tlsa', 'dnssec-invalid']],
    )
    assert.equal(smtp.messages.length, 0)
  })

  test('records that did not come signed, or that nobody can use, ask for nothing more than TLS', async () => {
    const useless = [{ usage: 1, selector: 0, matchingType: 1, certificate: Buffer.alloc(32) }]
    await prepare({ trusted: false, resolver: tlsa(() => useless) })
    assert.equal((await send('delivered')).attempt?.policy, 'encrypted')
    for (const one of open.splice(0)) await one.stop()
    await prepare({
      tls: 'none',
      resolver: (own) => ({ ...own, tlsa: async () => ({ authentic: false, records: useless }) }),
    })
    assert.equal((await send('delivered')).attempt?.policy, 'opportunistic')
  })
})
