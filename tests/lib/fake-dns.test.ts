import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import dnsPacket from 'dns-packet'
import { type FakeDns, startFakeDns } from './fake-dns.ts'

let dns: FakeDns
let resolver: Resolver

before(async () => {
  dns = await startFakeDns()
  resolver = new Resolver({ timeout: 300, tries: 1 })
  resolver.setServers([dns.address])
})
after(() => dns.close())

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'answered',
    (error: { code?: string }) => error.code,
  )

test('scripted records are answered, whatever the case of the name, and others do not exist', async () => {
  dns.set('example.test', 'A', ['192.0.2.1', '192.0.2.2'])
  dns.set('example.test', 'MX', [
    { preference: 10, exchange: 'mx1.example.test' },
    { preference: 20, exchange: 'mx2.example.test' },
  ])
  dns.set('example.test', 'TXT', [['v=spf1 ', '-all']])
  dns.set('_sip._tcp.example.test', 'SRV', [{ priority: 1, weight: 2, port: 5060, target: 'sip.example.test' }])
  assert.deepEqual((await resolver.resolve4('EXAMPLE.test')).sort(), ['192.0.2.1', '192.0.2.2'])
  assert.deepEqual(await exchanges('example.test'), ['10 mx1.example.test', '20 mx2.example.test'])
  assert.deepEqual(await resolver.resolveTxt('example.test'), [['v=spf1 ', '-all']])
  assert.equal((await resolver.resolveSrv('_sip._tcp.example.test'))[0]?.port, 5060)
  assert.equal(await codeOf(resolver.resolve6('example.test')), 'ENODATA')
  assert.equal(await codeOf(resolver.resolve4('_tcp.example.test')), 'ENODATA')
  assert.equal(await codeOf(resolver.resolve4('nothing.test')), 'ENOTFOUND')
})

test('a null MX is answered with the root as exchange', async () => {
  dns.set('nomail.test', 'MX', [{ preference: 0, exchange: '.' }])
  assert.deepEqual(await exchanges('nomail.test'), ['0 '])
})

test('an alias is followed inside the answer, and a loop of aliases fails', async () => {
  dns.set('www.alias.test', 'CNAME', ['host.alias.test'])
  dns.set('host.alias.test', 'A', ['192.0.2.9'])
  dns.set('a.loop.test', 'CNAME', ['b.loop.test'])
  dns.set('b.loop.test', 'CNAME', ['a.loop.test'])
  assert.deepEqual(await resolver.resolve4('www.alias.test'), ['192.0.2.9'])
  assert.deepEqual(await resolver.resolveCname('www.alias.test'), ['host.alias.test'])
  assert.equal(await codeOf(resolver.resolve4('a.loop.test')), 'ESERVFAIL')
})

test('a sequence answers in order and its last reply stays', async () => {
  dns.sequence('rebind.test', 'A', [{ answers: ['203.0.113.5'] }, { rcode: 'SERVFAIL' }, { answers: ['127.0.0.1'] }])
  assert.deepEqual(await resolver.resolve4('rebind.test'), ['203.0.113.5'])
  assert.equal(await codeOf(resolver.resolve4('rebind.test')), 'ESERVFAIL')
  assert.deepEqual(await resolver.resolve4('rebind.test'), ['127.0.0.1'])
  assert.deepEqual(await resolver.resolve4('rebind.test'), ['127.0.0.1'])
})

test('failures, silence and removal are scripted per name and type', async () => {
  dns.fail('refused.test', 'A', 'REFUSED')
  dns.fail('silent.test', 'A', 'timeout')
  dns.set('gone.test', 'A', ['192.0.2.3'])
  dns.remove('gone.test')
  assert.equal(await codeOf(resolver.resolve4('refused.test')), 'EREFUSED')
  assert.equal(await codeOf(resolver.resolve4('silent.test')), 'ETIMEOUT')
  assert.equal(await codeOf(resolver.resolve4('gone.test')), 'ENOTFOUND')
})

test('a truncated and an oversized answer are fetched again over TCP', async () => {
  dns.set('truncated.test', 'A', ['192.0.2.4'], { truncate: true })
  const big = Array.from({ length: 40 }, (_, index) => `${index} ${'x'.repeat(200)}`)
  dns.set('big.test', 'TXT', big)
  assert.deepEqual(await resolver.resolve4('truncated.test'), ['192.0.2.4'])
  assert.equal((await resolver.resolveTxt('big.test')).length, 40)
  for (const name of ['truncated.test', 'big.test'])
    assert.deepEqual(
      dns.queries(name).map(({ transport }) => transport),
      ['udp', 'tcp'],
    )
})

test('queries are counted by name and type', async () => {
  dns.set('count.test', 'A', ['192.0.2.5'], { delayMs: 20 })
  await Promise.all([
    resolver.resolve4('count.test'),
    resolver.resolve4('count.test'),
    codeOf(resolver.resolve6('count.test')),
  ])
  assert.equal(dns.queries('count.test', 'A').length, 2)
  assert.equal(dns.queries('count.test').length, 3)
})

test('the question is echoed with the case it was asked in', async () => {
  dns.set('mixed.test', 'A', ['192.0.2.6'])
  const response = await ask(dnsPacket.encode({ type: 'query', id: 7, questions: [{ type: 'A', name: 'MiXeD.tEsT' }] }))
  assert.equal(response.id, 7)
  assert.equal(response.questions?.[0]?.name, 'MiXeD.tEsT')
  assert.equal(response.answers?.[0]?.name, 'MiXeD.tEsT')
})

test('a malformed query is answered with a format error and the server goes on', async () => {
  const response = await ask(Buffer.from('0102010000010000000000000fff', 'hex'))
  assert.equal((response.flags ?? 0) & 0xf, 1)
  dns.set('alive.test', 'A', ['192.0.2.7'])
  assert.deepEqual(await resolver.resolve4('alive.test'), ['192.0.2.7'])
})

const exchanges = async (name: string) =>
  (await resolver.resolveMx(name)).map(({ priority, exchange }) => `${priority} ${exchange}`)

const ask = async (query: Buffer) => {
  const socket = createSocket('udp4')
  socket.send(query, dns.port, '127.0.0.1')
  const [bytes]: Buffer[] = await once(socket, 'message')
  socket.close()
  if (!bytes) throw new Error('no answer')
  return dnsPacket.decode(bytes)
}
