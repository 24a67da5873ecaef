import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { createTestClock, type TestClock } from '@stoa/kit/clock.ts'
import { createLogger } from '@stoa/kit/log.ts'
import { type FakeDns, startFakeDns } from '@stoa/tests/lib/fake-dns.ts'
import type { InstanceSettings } from '../../hosting/instance-settings/instance-settings.ts'
import { createResolver, resolveForMailauth } from '../../wire/dns/dns.ts'
import { createReputationCheck, type Reputation, type ReputationCheck } from './reputation.ts'

const IP = '192.0.2.99'
const NAME = '99.2.0.192'
const IPV6 = '2001:db8:1:2:3:4:567:89ab'
/** RFC 5782 §2.4 */
const IPV6_NAME = 'b.a.9.8.7.6.5.0.4.0.0.0.3.0.0.0.2.0.0.0.1.0.0.0.8.b.d.0.1.0.0.2'
/** Longer than anything here takes, and for lists that never answer. */
const [PATIENT_MS, HURRIED_MS] = [30_000, 300]
/** What the resolver allows a server, twice. */
const SLOW_MS = 5_000

let dns: FakeDns
let clock: TestClock
let patient: ReputationCheck
let hurried: ReputationCheck
let logs: string[]
before(async () => {
  dns = await startFakeDns()
})
after(() => dns.close())
beforeEach(() => {
  clock = createTestClock(new Date('2026-03-01T12:00:00.000Z'))
  logs = []
  const log = createLogger({ name: 'mail', level: 'warn', destination: { write: (line) => void logs.push(line) } })
  const lookup = resolveForMailauth(createResolver({ servers: [dns.address], clock, timeoutMs: SLOW_MS }))
  patient = createReputationCheck({ lookup, log, clock }, PATIENT_MS)
  hurried = createReputationCheck({ lookup, log, clock }, HURRIED_MS)
})

const settingsOf = (settings: Partial<InstanceSettings>): InstanceSettings => ({
  signups: null,
  dnsbl: [],
  dnswl: [],
  domain_dnsbl: [],
  greylisting: false,
  greylisting_minutes: 5,
  ...settings,
})
const ask = (settings: Partial<InstanceSettings>, ip = IP, domains: readonly string[] = []): Promise<Reputation> =>
  patient({ ip, domains: () => domains, settings: settingsOf(settings) })
const askSoon = (settings: Partial<InstanceSettings>, ip = IP): Promise<Reputation> =>
  hurried({ ip, domains: () => [], settings: settingsOf(settings) })
const found = ({ listings }: Reputation) =>
  listings.map(({ zone, about, answer, points }) => `${zone} ${about} ${answer} ${points}`)

describe('the reputation of a server', () => {
  test('is what lists say, with their own points or those of their kind, for IPv4 and IPv6', async () => {
    dns.set(`${NAME}.bl.test`, 'A', ['127.0.0.2'])
    dns.set(`${IPV6_NAME}.bl.test`, 'A', ['127.0.0.3'])
    dns.set(`${NAME}.wl.test`, 'A', ['127.0.5.1'])
    assert.deepEqual(found(await ask({ dnsbl: ['bl.test', 'other.test'], dnswl: ['wl.test'] })), [
      `bl.test ${IP} 127.0.0.2 4`,
      `wl.test ${IP} 127.0.5.1 -2`,
    ])
    assert.deepEqual(found(await ask({ dnsbl: ['bl.test*1.5'] }, IPV6)), [`bl.test ${IPV6} 127.0.0.3 1.5`])
    assert.deepEqual(found(await ask({ dnsbl: ['bl.test'] }, `::ffff:${IP}`)), [`bl.test ::ffff:${IP} 127.0.0.2 4`])
  })

  test('counts only the answers that an entry wants', async () => {
    dns.set(`${NAME}.codes.test`, 'A', ['127.0.0.4', '127.0.0.10'])
    const dnsbl = ['codes.test=127.0.0.2', 'codes.test=127.0.0.[9..11]*2', 'codes.test&0.0.0.4*3']
    assert.deepEqual(found(await ask({ dnsbl })), [`codes.test ${IP} 127.0.0.10 2`, `codes.test ${IP} 127.0.0.4 3`])
  })

  test('of a domain is that of the first that a list has, and each is looked up once', async () => {
    dns.set('bad.example.dbl.test', 'A', ['127.0.1.2'])
    const asked = await ask({ domain_dnsbl: ['dbl.test*reject'] }, IP, ['good.example', 'bad.example', 'bad.example'])
    assert.deepEqual(found(asked), ['dbl.test bad.example 127.0.1.2 4'])
    assert.equal(asked.listings[0]?.rejects, true)
    assert.equal(dns.queries('bad.example.dbl.test').length, 1)
    const many = Array.from({ length: 50 }, (_, nth) => `d${nth}.example`)
    await ask({ domain_dnsbl: ['many.test'] }, IP, many)
    assert.equal(dns.queries().filter(({ name }) => /^d\d+\.example\.many\.test$/.test(name)).length, 5)
  })

  test('costs no look-up while no list is set, and answers are kept for as long as they say', async () => {
    const before = dns.queries().length
    assert.deepEqual(await ask({}), { listings: [], hasReverseDns: null })
    assert.equal(dns.queries().length, before)
    dns.set(`${NAME}.kept.test`, 'A', ['127.0.0.2'], { ttl: 300 })
    for (let n = 0; n < 3; n += 1) assert.equal((await ask({ dnsbl: ['kept.test'] })).listings.length, 1)
    assert.equal(dns.queries(`${NAME}.kept.test`).length, 1)
    clock.advance(301_000)
    await ask({ dnsbl: ['kept.test'] })
    assert.equal(dns.queries(`${NAME}.kept.test`).length, 2)
  })

  test('includes whether its address has a name, when greylisting wants to know', async () => {
    assert.equal((await ask({ greylisting: true })).hasReverseDns, false)
    dns.set('8.2.0.192.in-addr.arpa', 'PTR', ['mail.example'])
    assert.equal((await ask({ greylisting: true }, '192.0.2.8')).hasReverseDns, true)
    dns.fail('9.2.0.192.in-addr.arpa', 'PTR', 'timeout')
    assert.equal((await askSoon({ greylisting: true }, '192.0.2.9')).hasReverseDns, null)
  })
})

describe('a list that does not work', () => {
  test('because it lists everything does not count', async () => {
    for (const name of [NAME, '1.0.0.127']) dns.set(`${name}.all.test`, 'A', ['127.0.0.2'])
    dns.set(`${NAME}.fine.test`, 'A', ['127.0.0.2'])
    assert.deepEqual(found(await ask({ dnsbl: ['all.test', 'fine.test'] })), [`fine.test ${IP} 127.0.0.2 4`])
    assert.match(logs.join(), /all\.test.*lists everything/)
    for (const name of ['bad.example', 'invalid']) dns.set(`${name}.alldomains.test`, 'A', ['127.0.1.2'])
    assert.deepEqual(found(await ask({ domain_dnsbl: ['alldomains.test'] }, IP, ['bad.example'])), [])
  })

  for (const answer of ['127.255.255.254', '127.255.255.252', '127.0.0.1', '198.51.100.1'])
    test(`because it answers ${answer} does not count`, async () => {
      dns.set(`${NAME}.refuses.test`, 'A', [answer])
      assert.deepEqual(found(await ask({ dnsbl: ['refuses.test'] })), [])
      dns.remove(`${NAME}.refuses.test`)
    })

  test('because it is slow delays mail once and within the bound; the others count, and it is asked again later', async () => {
    dns.set(`${NAME}.quick.test`, 'A', ['127.0.0.2'], { ttl: 3_600 })
    dns.fail(`${NAME}.slow.test`, 'A', 'timeout')
    // Known by now, however busy this machine is
    await ask({ dnsbl: ['quick.test'] })
    const settings = { dnsbl: ['slow.test', 'quick.test'] }
    const start = performance.now()
    assert.deepEqual(found(await askSoon(settings)), [`quick.test ${IP} 127.0.0.2 4`])
    assert.ok(performance.now() - start < SLOW_MS, 'the mail waited for the list')
    assert.match(logs.join(), /slow\.test.*does not answer/)
    assert.equal((await askSoon(settings, '192.0.2.98')).listings.length, 0)
    assert.equal(dns.queries('98.2.0.192.slow.test').length, 0)
    clock.advance(61_000)
    await askSoon(settings, '192.0.2.97')
    assert.equal(dns.queries('97.2.0.192.slow.test').length, 1)
  })
})
