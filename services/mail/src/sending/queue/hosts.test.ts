import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { systemClock } from '@stoa/kit/clock.ts'
import { type FakeDns, startFakeDns } from '@stoa/tests/lib/fake-dns.ts'
import { createResolver } from '../../wire/dns/resolver.ts'
import { findHosts } from './hosts.ts'

let dns: FakeDns
before(async () => {
  dns = await startFakeDns()
})
after(() => dns.close())

const PUBLIC = '192.0.9.1'
let counter = 0
let domain = ''
beforeEach(() => {
  counter += 1
  domain = `d${counter}.test`
})
const find = (name = domain, allowPrivate = false, timeoutMs = 20_000) => {
  const resolver = createResolver({ servers: [dns.address], clock: systemClock, timeoutMs })
  return findHosts(resolver, name, { own: ['mx.stoa.test'], allowPrivate })
}
const mx = (...hosts: [string, number][]) =>
  dns.set(
    domain,
    'MX',
    hosts.map(([exchange, preference]) => ({ exchange, preference })),
  )
const names = async (...given: Parameters<typeof find>) => {
  const found = await find(...given)
  return found.kind === 'hosts' ? found.hosts.map(({ name }) => name) : found.status
}

describe('the hosts of a domain', () => {
  test('are those of its MX records in their order, with addresses of both families', async () => {
    mx([`b.${domain}`, 20], [`a.${domain}`, 10])
    dns.set(`a.${domain}`, 'A', [PUBLIC, '192.0.9.2'])
    dns.set(`a.${domain}`, 'AAAA', ['2600::1'])
    dns.set(`b.${domain}`, 'A', [PUBLIC])
    const found = await find()
    assert.ok(found.kind === 'hosts')
    assert.deepEqual(found.hosts, [
      { name: `a.${domain}`, addresses: ['2600::1', PUBLIC, '192.0.9.2'] },
      { name: `b.${domain}`, addresses: [PUBLIC] },
    ])
  })

  test('are the domain itself without MX records', async () => {
    dns.set(domain, 'A', [PUBLIC])
    assert.deepEqual(await names(), [domain])
  })

  test('are none with a null MX, without any record, and when nothing resolves: for good', async () => {
    mx(['.', 0])
    assert.equal(await names(), '5.1.10')
    assert.equal(await names('absent.test'), '5.1.2')
    mx([`absent.${domain}x.test`, 10])
    assert.equal(await names(), '5.4.4')
  })

  test('are not known when DNS does not answer: for now', async () => {
    dns.fail(domain, 'MX', 'SERVFAIL')
    assert.equal(await names(), '4.4.3')
    dns.fail('late.test', 'MX', 'timeout')
    assert.equal(await names('late.test', false, 200), '4.4.3')
    mx([`a.${domain}`, 10])
    dns.fail(`a.${domain}`, 'A', 'SERVFAIL')
    dns.fail(`a.${domain}`, 'AAAA', 'SERVFAIL')
    assert.equal(await names(), '4.4.3')
  })

  test('never have a private address, in whatever spelling, unless that is allowed', async () => {
    const inner = ['127.0.0.1', '10.1.2.3', '169.254.169.254', '192.168.0.1', '100.64.0.1', '0.0.0.0']
    mx([`a.${domain}`, 10])
    dns.set(`a.${domain}`, 'A', inner)
    dns.set(`a.${domain}`, 'AAAA', ['::1', 'fe80::1', 'fc00::1', '::ffff:127.0.0.1', '64:ff9b::7f00:1'])
    assert.equal(await names(), '5.4.4')
    assert.deepEqual(await names(domain, true), [`a.${domain}`])
    dns.set(`a.${domain}`, 'A', [...inner, PUBLIC])
    const found = await find()
    assert.deepEqual(found.kind === 'hosts' && found.hosts[0]?.addresses, [PUBLIC])
    assert.equal(await names('[127.0.0.1]'), '5.4.4')
    assert.equal(await names('[IPv6:::1]'), '5.4.4')
    assert.deepEqual(await names(`[${PUBLIC}]`), [PUBLIC])
  })

  test('are no more than ten of a thousand', async () => {
    const hosts = Array.from({ length: 1000 }, (_, index): [string, number] => [`h${index}.${domain}`, index])
    mx(...hosts)
    for (const [host] of hosts) dns.set(host, 'A', [PUBLIC])
    const found = await names()
    assert.deepEqual(
      found,
      hosts.slice(0, 10).map(([host]) => host),
    )
    assert.ok(dns.queries().length < 60)
  })

  test('are only those before ourselves; mail that would come back is refused', async () => {
    mx(['a.test', 5], ['MX.stoa.test', 10], ['c.test', 20])
    dns.set('a.test', 'A', [PUBLIC])
    dns.set('c.test', 'A', [PUBLIC])
    assert.deepEqual(await names(), ['a.test'])
    domain = `self${counter}.test`
    mx(['mx.stoa.test', 10])
    assert.equal(await names(), '5.4.6')
  })

  test('are never called what no host is called', async () => {
    mx(['a\r\nQUIT.test', 10], ['<b>.test', 11], ['"c d".test', 12], [`ok.${domain}`, 20])
    for (const name of ['a\r\nQUIT.test', '<b>.test', `ok.${domain}`]) dns.set(name, 'A', [PUBLIC])
    assert.deepEqual(await names(), [`ok.${domain}`])
  })

  test('that are aliases without end are none', async () => {
    mx([`loop.${domain}`, 10])
    dns.set(`loop.${domain}`, 'CNAME', [`pool.${domain}`])
    dns.set(`pool.${domain}`, 'CNAME', [`loop.${domain}`])
    assert.match(String(await names()), /^[45]\.4\./)
  })
})
