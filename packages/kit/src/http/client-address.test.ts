import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { addressPolicy, limitKeyOf, parseCidr } from './client-address.ts'

const policy = (...ranges: string[]) => addressPolicy(ranges.map(parseCidr))
const behind = policy('127.0.0.1', '10.0.0.0/8', 'fd00::/8')

describe('the client is the right-most hop that no trusted proxy vouches for', () => {
  const cases: [rule: string, remote: string, header: string | undefined, client: string][] = [
    ['no header', '127.0.0.1', undefined, '127.0.0.1'],
    ['an empty header', '127.0.0.1', '', '127.0.0.1'],
    ['one proxy', '127.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['two proxies', '127.0.0.1', '203.0.113.9, 10.1.2.3', '203.0.113.9'],
    ['forged left entries', '127.0.0.1', '1.1.1.1, 8.8.8.8, 203.0.113.9', '203.0.113.9'],
    ['a forged inner address', '127.0.0.1', '10.9.9.9, 203.0.113.9', '203.0.113.9'],
    ['a header from an untrusted peer', '198.51.100.7', '203.0.113.9', '198.51.100.7'],
    ['all hops trusted', '127.0.0.1', '10.0.0.1, 10.0.0.2', '10.0.0.1'],
    ['the peer as mapped IPv4', '::ffff:127.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['a hop as mapped IPv4', '127.0.0.1', '::ffff:203.0.113.9', '203.0.113.9'],
    ['a proxy as mapped IPv4', '127.0.0.1', '203.0.113.9, ::ffff:10.0.0.1', '203.0.113.9'],
    ['an IPv6 proxy', 'fd12::1', '2001:db8::5', '2001:db8::5'],
    ['another spelling of IPv6', '127.0.0.1', '2001:0DB8:0:0:0:0:0:5', '2001:db8::5'],
    ['a port', '127.0.0.1', '203.0.113.9:4711', '203.0.113.9'],
    ['brackets', '127.0.0.1', '[2001:db8::5]', '2001:db8::5'],
    ['brackets and a port', '127.0.0.1', '[2001:db8::5]:4711', '2001:db8::5'],
    ['a zone', '127.0.0.1', 'fe80::1%eth0', 'fe80::1'],
    ['spaces', '127.0.0.1', '  203.0.113.9  ', '203.0.113.9'],
    ['garbage on the right', '127.0.0.1', '203.0.113.9, unknown', '127.0.0.1'],
    ['garbage behind a proxy', '127.0.0.1', '203.0.113.9, nonsense, 10.0.0.1', '10.0.0.1'],
    ['an empty hop', '127.0.0.1', '203.0.113.9,', '127.0.0.1'],
    ['a short IPv4', '127.0.0.1', '127.1', '127.0.0.1'],
    ['a plain number', '127.0.0.1', '2130706433', '127.0.0.1'],
    ['hexadecimal', '127.0.0.1', '0x7f000001', '127.0.0.1'],
    ['octal', '127.0.0.1', '0177.0.0.1', '127.0.0.1'],
    ['an open bracket', '127.0.0.1', '[2001:db8::5', '127.0.0.1'],
    ['a name', '127.0.0.1', 'evil.example', '127.0.0.1'],
    ['a line break', '127.0.0.1', '203.0.113.9\n10.0.0.1', '127.0.0.1'],
  ]
  for (const [rule, remote, header, client] of cases)
    test(rule, () => {
      assert.equal(behind.clientOf(remote, header), client)
    })

  test('without trusted proxies the header is ignored', () => {
    assert.equal(policy().clientOf('198.51.100.7', '203.0.113.9'), '198.51.100.7')
    assert.equal(policy().clientOf('::ffff:198.51.100.7', '203.0.113.9'), '198.51.100.7')
    assert.equal(policy().clientOf('', '203.0.113.9'), '')
  })

  test('a very long chain is read from the right only', () => {
    assert.equal(behind.clientOf('127.0.0.1', `${'1.1.1.1, '.repeat(1_000)}10.0.0.1`), '1.1.1.1')
    assert.equal(behind.clientOf('127.0.0.1', `203.0.113.9${', 10.0.0.1'.repeat(100)}`), '10.0.0.1')
  })

  test('whatever stands to the left of it, the client stays the same', () => {
    const left = fc.string({ maxLength: 60 }).filter((text) => !text.includes('\n'))
    fc.assert(
      fc.property(left, fc.ipV4(), (forged, real) => {
        fc.pre(!real.startsWith('10.') && real !== '127.0.0.1')
        return behind.clientOf('127.0.0.1', `${forged}, ${real}, 10.0.0.1`) === behind.clientOf('127.0.0.1', real)
      }),
      { seed: 20260104, numRuns: 400 },
    )
  })

  test('any header gives some address and never throws', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 100, unit: 'binary' }),
        (header) => typeof behind.clientOf('127.0.0.1', header) === 'string',
      ),
      { seed: 20260105, numRuns: 600 },
    )
  })
})

describe('ranges', () => {
  const matches = (range: string, address: string) => policy(range).clientOf(address, '203.0.113.9') === '203.0.113.9'

  test('hold their addresses and no others', () => {
    assert.deepEqual([matches('10.0.0.0/8', '10.255.0.1'), matches('10.0.0.0/8', '11.0.0.1')], [true, false])
    assert.deepEqual([matches('10.0.0.7', '10.0.0.7'), matches('10.0.0.7', '10.0.0.8')], [true, false])
    assert.deepEqual([matches('fd00::/8', 'fdff::1'), matches('fd00::/8', 'fe00::1')], [true, false])
    assert.deepEqual([matches('::1', '::1'), matches('::1', '::2')], [true, false])
    assert.deepEqual([matches('0.0.0.0/0', '8.8.8.8'), matches('0.0.0.0/0', '2001:db8::1')], [true, false])
  })

  test('of mapped addresses hold the IPv4 ones', () => {
    assert.deepEqual([matches('::ffff:10.0.0.7', '10.0.0.7'), matches('::ffff:10.0.0.0/104', '10.9.9.9')], [true, true])
  })

  test('that are not ranges are refused, not guessed', () => {
    const wrong = [
      '',
      '/',
      '10',
      '10/8',
      '10.0.0.0/33',
      '10.0.0.0/-1',
      '10.0.0.0/',
      '10.0.0.0/8/8',
      '10.0.0.0/ 8',
      '::/129',
      'example.com',
      'loopback',
      '0x0a.0.0.0/8',
      '*',
    ]
    for (const text of wrong) assert.throws(() => parseCidr(text), /isn't an IP address or a range/, text)
  })
})

test('limits count an IPv4 address, and the /64 of an IPv6 one', () => {
  assert.equal(limitKeyOf('203.0.113.9'), '203.0.113.9')
  assert.equal(limitKeyOf('2001:db8:1:2::1'), limitKeyOf('2001:db8:1:2:ffff:ffff:ffff:ffff'))
  assert.notEqual(limitKeyOf('2001:db8:1:2::1'), limitKeyOf('2001:db8:1:3::1'))
  assert.equal(limitKeyOf(''), '')
})
