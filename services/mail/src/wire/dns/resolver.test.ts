import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { createTestClock } from '@stoa/kit/clock.ts'
import { type FakeDns, startFakeDns } from '@stoa/tests/lib/fake-dns.ts'
import dnsPacket, { type Answer, type Packet } from 'dns-packet'
import { reverseName } from './names.ts'
import { createResolver, DnsError, resolveForMailauth } from './resolver.ts'

const START = new Date('2026-03-01T12:00:00.000Z')

let dns: FakeDns
before(async () => {
  dns = await startFakeDns()
})
after(() => dns.close())

const fresh = (servers = [dns.address], timeoutMs = 10_000) => {
  const clock = createTestClock(START)
  return { clock, resolver: createResolver({ servers, timeoutMs, clock }) }
}
const kindOf = async (asking: Promise<unknown>): Promise<string> => {
  try {
    await asking
    return 'answered'
  } catch (error) {
    assert.ok(error instanceof DnsError)
    return `${error.kind} ${error.code}`
  }
}

describe('the resolver', () => {
  test('reads every kind of record', async () => {
    const { resolver } = fresh()
    dns.set('kinds.test', 'TXT', [['v=spf1 ', 'mx ~all'], 'other'])
    dns.set('kinds.test', 'MX', [
      { preference: 20, exchange: 'B.kinds.test' },
      { preference: 10, exchange: 'a.kinds.test' },
    ])
    dns.set('kinds.test', 'NS', ['ns1.kinds.test', 'ns2.kinds.test'])
    dns.set('null.kinds.test', 'MX', [{ preference: 0, exchange: '.' }])
    dns.set('a.kinds.test', 'A', ['192.0.2.1', '192.0.2.2'])
    dns.set('a.kinds.test', 'AAAA', ['2001:db8::1'])
    dns.set('four.kinds.test', 'A', ['192.0.2.4'])
    dns.set('1.2.0.192.in-addr.arpa', 'PTR', ['a.kinds.test'])
    dns.set('www.kinds.test', 'CNAME', ['a.kinds.test'])
    const certificate = Buffer.from('ab'.repeat(32), 'hex')
    dns.set('_25._tcp.a.kinds.test', 'TLSA', [{ usage: 3, selector: 1, matchingType: 1, certificate }])

    assert.deepEqual(await resolver.txt('Kinds.Test.'), ['v=spf1 mx ~all', 'other'])
    assert.deepEqual(await resolver.mx('kinds.test'), [
      { exchange: 'a.kinds.test', priority: 10 },
      { exchange: 'b.kinds.test', priority: 20 },
    ])
    assert.deepEqual(await resolver.mx('null.kinds.test'), [{ exchange: '', priority: 0 }])
    assert.deepEqual(await resolver.ns('kinds.test'), ['ns1.kinds.test', 'ns2.kinds.test'])
    assert.deepEqual(await resolver.addresses('a.kinds.test'), ['2001:db8::1', '192.0.2.1', '192.0.2.2'])
    assert.deepEqual(await resolver.addresses('a.kinds.test', { family: 4 }), ['192.0.2.1', '192.0.2.2'])
    assert.deepEqual(await resolver.addresses('four.kinds.test'), ['192.0.2.4'])
    assert.deepEqual(await resolver.addresses('www.kinds.test', { family: 6 }), ['2001:db8::1'])
    assert.deepEqual(await resolver.ptr('192.0.2.1'), ['a.kinds.test'])
    assert.equal(await resolver.cname('www.kinds.test'), 'a.kinds.test')
    const { records, authentic } = await resolver.tlsa('_25._tcp.a.kinds.test')
    assert.deepEqual(
      records.map(({ usage, selector, matchingType }) => [usage, selector, matchingType]),
      [[3, 1, 1]],
    )
    assert.ok(records[0]?.certificate.equals(certificate))
    assert.equal(authentic, false)
    assert.deepEqual(await resolver.tlsa('_25._tcp.four.kinds.test'), { records: [], authentic: false })
  })

  test('knows loopback names and addresses without a query', async () => {
    const { resolver } = fresh()
    assert.deepEqual(await resolver.addresses('localhost', { family: 4 }), ['127.0.0.1'])
    assert.deepEqual(await resolver.addresses('192.0.2.9'), ['192.0.2.9'])
    assert.deepEqual(dns.queries('localhost'), [])
  })

  test('distinguishes a missing name from a failed lookup', async () => {
    const { resolver } = fresh()
    dns.set('here.test', 'A', ['192.0.2.1'])
    dns.fail('broken.test', 'MX', 'SERVFAIL')
    dns.fail('refused.test', 'MX', 'REFUSED')
    dns.fail('half.test', 'AAAA', 'SERVFAIL')
    dns.set('half.test', 'A', [])
    dns.fail('useful.test', 'AAAA', 'SERVFAIL')
    dns.set('useful.test', 'A', ['192.0.2.5'])
    assert.equal(await kindOf(resolver.mx('missing.test')), 'none ENOTFOUND')
    assert.equal(await kindOf(resolver.mx('here.test')), 'none ENODATA')
    assert.equal(await kindOf(resolver.mx('broken.test')), 'temporary ESERVFAIL')
    assert.equal(await kindOf(resolver.mx('refused.test')), 'temporary ESERVFAIL')
    assert.equal(await kindOf(resolver.addresses('missing.test')), 'none ENOTFOUND')
    assert.equal(await kindOf(resolver.addresses('half.test')), 'temporary ESERVFAIL')
    assert.deepEqual(await resolver.addresses('useful.test'), ['192.0.2.5'])
  })

  test('refuses names that DNS cannot hold without a query', async () => {
    const { resolver } = fresh()
    const before = dns.queries().length
    for (const name of [
      '',
      '.',
      'a..b',
      `${'x'.repeat(64)}.test`,
      `${'long.'.repeat(60)}test`,
      'a b.test',
      'a\0.test',
      'a\r\n.test',
    ])
      assert.equal(await kindOf(resolver.txt(name)), 'none ENOTFOUND', JSON.stringify(name))
    assert.equal(await kindOf(resolver.ptr('not an address')), 'none ENOTFOUND')
    assert.equal(dns.queries().length, before)
  })

  test('queries an internationalized name in ASCII', async () => {
    const { resolver } = fresh()
    dns.set('xn--bcher-kva.test', 'TXT', ['found'])
    assert.deepEqual(await resolver.txt('b\u00fccher.test'), ['found'])
  })

  test('comes back over TCP for what does not fit a packet', async () => {
    const { resolver } = fresh()
    dns.set('cut.test', 'TXT', ['short'], { truncate: true })
    const long = Array.from({ length: 240 }, (_, n) => `${String(n).padStart(3, '0')}-${'x'.repeat(240)}`)
    dns.set('long.test', 'TXT', long)
    assert.deepEqual(await resolver.txt('cut.test'), ['short'])
    assert.deepEqual(
      dns.queries('cut.test').map(({ transport }) => transport),
      ['udp', 'tcp'],
    )
    const answer = await resolver.txt('long.test')
    assert.deepEqual(answer, long)
    assert.ok(answer.join('').length > 58_000)
  })

  test('follows CNAMEs to their end and gives up on a circle', async () => {
    const { resolver } = fresh()
    for (let n = 0; n < 5; n += 1) dns.set(`c${n}.chain.test`, 'CNAME', [`c${n + 1}.chain.test`])
    dns.set('c5.chain.test', 'A', ['192.0.2.7'])
    dns.set('one.circle.test', 'CNAME', ['two.circle.test'])
    dns.set('two.circle.test', 'CNAME', ['one.circle.test'])
    dns.set('self.circle.test', 'CNAME', ['self.circle.test'])
    assert.deepEqual(await resolver.addresses('c0.chain.test'), ['192.0.2.7'])
    assert.equal(await kindOf(resolver.addresses('one.circle.test')), 'temporary ESERVFAIL')
    assert.equal(await kindOf(resolver.mx('self.circle.test')), 'temporary ESERVFAIL')
  })

  test('gives up on a server that does not answer, and queries the next one', async () => {
    const silent = await startScripted(() => null)
    dns.set('next.test', 'TXT', ['found'])
    const { resolver } = fresh([silent.address, dns.address], 100)
    assert.deepEqual(await resolver.txt('next.test'), ['found'])
    const alone = fresh([silent.address], 60).resolver
    assert.equal(await kindOf(alone.txt('next.test')), 'temporary ETIMEOUT')
    assert.equal(silent.asked(), 3)
    await silent.close()
    assert.equal(await kindOf(fresh([silent.address], 200).resolver.txt('next.test')), 'temporary ETIMEOUT')
  })

  test('sends one query for the same question at the same moment', async () => {
    const { resolver } = fresh()
    dns.set('together.test', 'TXT', ['once'], { delayMs: 30 })
    const answers = await Promise.all(Array.from({ length: 20 }, () => resolver.txt('together.test')))
    assert.equal(answers.length, 20)
    assert.equal(dns.queries('together.test').length, 1)
  })
})

describe('what the resolver remembers', () => {
  test('holds as long as the TTL, an hour at most, and what is missing for a minute', async () => {
    const { resolver, clock } = fresh()
    dns.set('short.ttl.test', 'TXT', ['x'], { ttl: 10 })
    dns.set('long.ttl.test', 'TXT', ['x'], { ttl: 1_000_000 })
    const ask = async (name: string) => {
      await kindOf(resolver.txt(name))
      return dns.queries(name).length
    }
    const names = ['short.ttl.test', 'long.ttl.test', 'none.ttl.test']
    const counts = async () => Promise.all(names.map(ask))
    assert.deepEqual(await counts(), [1, 1, 1])
    clock.advance(9_000)
    assert.deepEqual(await counts(), [1, 1, 1])
    clock.advance(1_000)
    assert.deepEqual(await counts(), [2, 1, 1])
    clock.advance(50_000)
    assert.deepEqual(await counts(), [3, 1, 2])
    clock.advance(3_540_000)
    assert.deepEqual((await counts())[1], 2)
  })

  test('never is a failure', async () => {
    const { resolver } = fresh()
    dns.sequence('recovers.test', 'TXT', [{ rcode: 'SERVFAIL' }, { rcode: 'SERVFAIL' }, { answers: ['well'] }])
    assert.equal(await kindOf(resolver.txt('recovers.test')), 'temporary ESERVFAIL')
    assert.deepEqual(await resolver.txt('recovers.test'), ['well'])
  })
})

describe('an answer', () => {
  test('is authentic only when a server that the operator chose says so for the whole way', async () => {
    let flags = dnsPacket.AUTHENTIC_DATA
    const validating = await startScripted((query) => ({ ...reply(query, [txt(query, 'x')]), flags }))
    const ask = async (name: string) => fresh([validating.address]).resolver.authentic(name, 'TXT')
    assert.equal(await ask('signed.test'), true)
    flags = 0
    assert.equal(await ask('unsigned.test'), false)
    flags = dnsPacket.AUTHENTIC_DATA | 3
    const { records, authentic } = await fresh([validating.address]).resolver.tlsa('_25._tcp.none.test')
    assert.deepEqual([records, authentic], [[], true])
    await validating.close()
  })

  test('with another id, another question or no sense is not believed', async () => {
    const wrong: ((query: Packet) => Packet)[] = [
      (query) => ({ ...reply(query, [txt(query, 'forged')]), id: ((query.id ?? 0) + 1) % 65_536 }),
      (query) => ({
        ...reply(query, [txt(query, 'forged')]),
        questions: [{ name: 'other.test', type: 'TXT', class: 'IN' }],
      }),
      (query) => ({ ...reply(query, [txt(query, 'forged')]), questions: [] }),
      (query) => ({ ...reply(query, [txt(query, 'forged')]), type: 'query' }),
    ]
    const spoofed = await startScripted((query) => [
      ...wrong.map((make) => make(query)),
      Buffer.from('nonsense'),
      Buffer.alloc(600, 0xff),
      reply(query, [txt(query, 'true')]),
    ])
    assert.deepEqual(await fresh([spoofed.address]).resolver.txt('spoof.test'), ['true'])
    await spoofed.close()
  })

  test('with records of other names is read without them', async () => {
    const stuffed = await startScripted((query) =>
      reply(query, [
        { type: 'TXT', name: 'elsewhere.test', class: 'IN', ttl: 60, data: 'not asked' },
        txt(query, 'asked'),
        { type: 'A', name: 'stuffed.test', class: 'IN', ttl: 60, data: '192.0.2.66' },
      ]),
    )
    assert.deepEqual(await fresh([stuffed.address]).resolver.txt('stuffed.test'), ['asked'])
    await stuffed.close()
  })

  test('with bytes that were changed on the way never breaks more than its own look-up', async () => {
    let seed = 1
    const random = (below: number): number => {
      // A generator with a seed, so that a failure can be seen again.
      seed = (seed * 48_271) % 2_147_483_647
      return seed % below
    }
    const spoil = (packet: Packet): Buffer => {
      const bytes = Buffer.from(dnsPacket.encode(packet))
      for (let n = random(6); n >= 0; n -= 1) bytes[2 + random(bytes.length - 2)] = random(256)
      return random(4) === 0 ? bytes.subarray(0, random(bytes.length)) : bytes
    }
    const noisy = await startScripted((query) => {
      const records: Answer[] = [
        txt(query, 'x'),
        { type: 'CNAME', name: query.questions?.[0]?.name ?? '', class: 'IN', ttl: 9, data: 'a.test' },
      ]
      return [spoil(reply(query, records)), spoil(reply(query, records)), reply(query, [txt(query, 'x')])]
    })
    const { resolver } = fresh([noisy.address], 2_000)
    for (let n = 0; n < 500; n += 1)
      assert.match(await kindOf(resolver.txt(`n${n}.noise.test`)), /answered|none|temporary/)
    await noisy.close()
  })

  test('over TCP that ends early, never ends or makes no sense is a temporary failure', async () => {
    for (const behaviour of ['hang up', 'stall', 'nonsense'] as const) {
      const server = await startTruncating(behaviour)
      assert.equal(await kindOf(fresh([server.address], 150).resolver.txt('tcp.test')), 'temporary ETIMEOUT', behaviour)
      await server.close()
    }
  })
})

describe('for mailauth', () => {
  test('the resolver answers and fails like the one of Node', async () => {
    const { resolver } = fresh()
    const resolve = resolveForMailauth(resolver)
    dns.set('ma.test', 'TXT', [['v=spf1 ', '-all']])
    dns.set('ma.test', 'MX', [{ preference: 5, exchange: 'mx.ma.test' }])
    dns.set('mx.ma.test', 'A', ['192.0.2.1'])
    dns.set('1.2.0.192.in-addr.arpa', 'PTR', ['mx.ma.test'])
    dns.fail('bad.ma.test', 'TXT', 'SERVFAIL')
    assert.deepEqual(await resolve('ma.test', 'TXT'), [['v=spf1 -all']])
    assert.deepEqual(await resolve('ma.test', 'MX'), [{ exchange: 'mx.ma.test', priority: 5 }])
    assert.deepEqual(await resolve('mx.ma.test', 'A'), ['192.0.2.1'])
    assert.deepEqual(await resolve('1.2.0.192.in-addr.arpa', 'PTR'), ['mx.ma.test'])
    await assert.rejects(resolve('mx.ma.test', 'TXT'), { code: 'ENODATA' })
    await assert.rejects(resolve('nowhere.test', 'TXT'), { code: 'ENOTFOUND' })
    await assert.rejects(resolve('mx.ma.test', 'AAAA'), { code: 'ENODATA' })
    await assert.rejects(resolve('bad.ma.test', 'TXT'), { code: 'ESERVFAIL' })
  })
})

describe('the name of an address', () => {
  test('is built for both families', () => {
    assert.equal(reverseName('192.0.2.1'), '1.2.0.192.in-addr.arpa')
    assert.equal(reverseName('::ffff:192.0.2.1'), '1.2.0.192.in-addr.arpa')
    assert.equal(reverseName('2001:db8::1'), `1.${'0.'.repeat(23)}8.b.d.0.1.0.0.2.ip6.arpa`)
    assert.equal(reverseName('::1'), `1.${'0.'.repeat(31)}ip6.arpa`)
    assert.equal(reverseName('64:ff9b::192.0.2.33'), reverseName('64:ff9b::c000:221'))
    assert.equal(reverseName('1:2:3:4:5:6:7:8')?.length, 63 + '.ip6.arpa'.length)
    assert.equal(reverseName('mail.test'), null)
  })
})

type Scripted = { address: string; asked(): number; close(): Promise<void> }
type Script = (query: Packet) => Packet | Buffer | null | (Packet | Buffer)[]

/** A UDP server whose packets the test writes itself. */
const startScripted = async (script: Script): Promise<Scripted> => {
  const socket = createSocket('udp4')
  let asked = 0
  socket.on('message', (bytes, peer) => {
    asked += 1
    for (const packet of [script(dnsPacket.decode(bytes)) ?? []].flat())
      socket.send(Buffer.isBuffer(packet) ? packet : dnsPacket.encode(packet), peer.port, peer.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked: () => asked,
    close: async () => {
      socket.close()
      await once(socket, 'close')
    },
  }
}

/** Sends everybody to TCP, where it behaves badly. */
const startTruncating = async (behaviour: 'hang up' | 'stall' | 'nonsense') => {
  const tcp = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => {
      if (behaviour === 'hang up') socket.end(Buffer.from([0, 200, 1, 2, 3]))
      if (behaviour === 'stall') socket.write(Buffer.from([255, 255, 1]))
      if (behaviour === 'nonsense') socket.write(Buffer.concat([Buffer.from([0, 50]), Buffer.alloc(50, 0xee)]))
    })
  })
  tcp.listen(0, '127.0.0.1')
  await once(tcp, 'listening')
  const listening = tcp.address()
  assert.ok(listening && typeof listening === 'object')
  const udp = createSocket('udp4')
  udp.on('message', (bytes, peer) => {
    const answer = { ...reply(dnsPacket.decode(bytes), []), flags: dnsPacket.TRUNCATED_RESPONSE }
    udp.send(dnsPacket.encode(answer), peer.port, peer.address)
  })
  udp.bind(listening.port, '127.0.0.1')
  await once(udp, 'listening')
  return {
    address: `127.0.0.1:${listening.port}`,
    close: async () => {
      udp.close()
      tcp.close()
      await once(udp, 'close')
    },
  }
}

const reply = (query: Packet, answers: Answer[]): Packet => ({
  type: 'response',
  id: query.id ?? 0,
  flags: 0,
  questions: query.questions ?? [],
  answers,
})

const txt = (query: Packet, data: string): Answer => ({
  type: 'TXT',
  name: query.questions?.[0]?.name ?? '',
  class: 'IN',
  ttl: 600,
  data,
})
