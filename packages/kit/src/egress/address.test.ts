import assert from 'node:assert/strict'
import { BlockList, isIPv4 } from 'node:net'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { isLoopbackHost, isPublicAddress, parseHost } from './address.ts'

// IANA IPv4 and IPv6 Special-Purpose Address Registries, plus multicast and the cloud's one public metadata address.
const SPECIAL_V4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const
const SPECIAL_V6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
] as const

const special = new BlockList()
for (const [net, prefix] of SPECIAL_V4) special.addSubnet(net, prefix, 'ipv4')
for (const [net, prefix] of SPECIAL_V6) special.addSubnet(net, prefix, 'ipv6')
const globalUnicast = new BlockList()
globalUnicast.addSubnet('2000::', 3, 'ipv6')

const dotted = (value: number) => [24, 16, 8, 0].map((shift) => (value >>> shift) & 0xff).join('.')
const toNumber = (address: string) => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
const groups = (words: readonly number[]) => words.map((word) => word.toString(16)).join(':')

/** Random addresses hardly ever hit a small range: half of them are taken at and around the edges of one. */
const ipv4 = fc.oneof(
  fc.nat(0xffff_ffff).map(dotted),
  fc
    .tuple(fc.constantFrom(...SPECIAL_V4), fc.boolean(), fc.integer({ min: -1, max: 1 }))
    .map(([[net, prefix], atEnd, step]) => dotted((toNumber(net) + (atEnd ? 2 ** (32 - prefix) - 1 : 0) + step) >>> 0)),
)
const word = fc.integer({ min: 0, max: 0xffff })
const words = (count: number) => fc.array(word, { minLength: count, maxLength: count })
const ipv6 = fc.oneof(
  words(8).map(groups),
  fc.tuple(fc.integer({ min: 0x1fff, max: 0x4000 }), words(7)).map(([first, rest]) => groups([first, ...rest])),
  fc
    .tuple(fc.constantFrom(0x2001, 0x2002, 0x2620, 0x3fff, 0xfc00, 0xfe80, 0xfec0, 0xff02, 0x100, 0x5f00), words(7))
    .map(([first, rest]) => groups([first, ...rest])),
  fc
    .tuple(fc.constant(0x2001), fc.integer({ min: 0, max: 0x400 }), words(6))
    .map(([a, b, rest]) => groups([a, b, ...rest])),
)

describe('isPublicAddress', () => {
  test('agrees with the special-purpose registry on every IPv4 address', () => {
    fc.assert(
      fc.property(ipv4, (address) => isPublicAddress(address) === !special.check(address, 'ipv4')),
      { seed: 20, numRuns: 5_000 },
    )
  })

  test('agrees with the registry on IPv6: global unicast without the special blocks', () => {
    const expected = (address: string) => globalUnicast.check(address, 'ipv6') && !special.check(address, 'ipv6')
    fc.assert(
      fc.property(ipv6, (address) => isPublicAddress(address) === expected(address)),
      { seed: 21, numRuns: 5_000 },
    )
  })

  test('an IPv4 address inside a mapped or NAT64 address is judged as that IPv4 address', () => {
    fc.assert(
      fc.property(ipv4, fc.constantFrom('::ffff:', '0:0:0:0:0:ffff:', '64:ff9b::'), (address, prefix) => {
        const hex = groups([toNumber(address) >>> 16, toNumber(address) & 0xffff])
        const expected = isPublicAddress(address)
        return isPublicAddress(prefix + address) === expected && isPublicAddress(prefix + hex) === expected
      }),
      { seed: 22, numRuns: 2_000 },
    )
  })

  test('a tunnel never passes, whatever it carries', () => {
    fc.assert(
      fc.property(ipv4, words(4), (address, rest) => {
        const [high, low] = [toNumber(address) >>> 16, toNumber(address) & 0xffff]
        const tunnels = [
          groups([0x2002, high, low, rest[0]!, 0, 0, 0, 1]),
          groups([0x2001, 0, high, low, rest[0]!, rest[1]!, 0xffff - high, 0xffff - low]),
          groups([0x64, 0xff9b, 1, rest[0]!, rest[1]!, 0, high, low]),
          `::${groups([high, low])}`,
          `::ffff:0:${groups([high, low])}`,
        ]
        return tunnels.every((tunnel) => !isPublicAddress(tunnel))
      }),
      { seed: 23, numRuns: 1_000 },
    )
  })

  const refused = [
    ['loopback', '127.0.0.1', '127.0.0.2', '127.255.255.254', '::1'],
    ['private', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fc00::1', 'fd12:3456::1'],
    ['link-local and site-local', '169.254.1.1', 'fe80::1', 'fec0::1'],
    ['metadata', '169.254.169.254', 'fd00:ec2::254', '100.100.100.200', '168.63.129.16', '192.0.0.192'],
    ['shared', '100.64.0.1', '100.127.255.255'],
    ['unspecified', '0.0.0.0', '0.1.2.3', '::'],
    ['multicast and broadcast', '224.0.0.1', '239.255.255.250', '255.255.255.255', 'ff02::1'],
    ['documentation', '192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1'],
    ['benchmarking, reserved, discard', '198.18.0.1', '240.0.0.1', '2001:2::1', '100::1', '100:0:0:1::1'],
    ['mapped and NAT64 of private', '::ffff:127.0.0.1', '::ffff:a9fe:a9fe', '64:ff9b::10.0.0.1', '64:ff9b:1::8.8.8.8'],
    ['with a zone', 'fe80::1%eth0', '2606:4700::1%eth0'],
    ['no address', '', 'example.com', '1.2.3', '0x7f.1', '1.2.3.4 ', '[::1]'],
  ]
  for (const [kind, ...addresses] of refused)
    test(`refuses: ${kind}`, () => {
      for (const address of addresses) assert.equal(isPublicAddress(address), false, address)
    })

  test('global unicast passes', () => {
    const addresses = [
      '1.1.1.1',
      '8.8.8.8',
      '172.32.0.1',
      '100.128.0.1',
      '2606:4700:4700::1111',
      '2a00:1450::1',
      '::ffff:8.8.8.8',
    ]
    for (const address of addresses) assert.equal(isPublicAddress(address), true, address)
  })
})

describe('parseHost', () => {
  const loopbacks = [
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '0x7f.1',
    '0x7f000001',
    '0177.0.0.1',
    '2130706433',
    '127.0.0.1.',
    '127。0。0。1',
    '%31%32%37.0.0.1',
  ]
  for (const text of loopbacks)
    test(`reads ${text} as 127.0.0.1`, () => {
      assert.deepEqual(parseHost(text), { kind: 'address', address: '127.0.0.1' })
    })

  test('reads IPv6 with and without brackets in its shortest form', () => {
    for (const text of ['::1', '[::1]', '[0:0:0:0:0:0:0:1]'])
      assert.deepEqual(parseHost(text), { kind: 'address', address: '::1' })
    assert.deepEqual(parseHost('::ffff:127.0.0.1'), { kind: 'address', address: '::ffff:7f00:1' })
  })

  test('a name is lower case, ASCII and without the trailing dot', () => {
    assert.deepEqual(parseHost('Example.COM.'), { kind: 'name', name: 'example.com' })
    assert.deepEqual(parseHost('bücher.example'), { kind: 'name', name: 'xn--bcher-kva.example' })
    assert.deepEqual(parseHost('ⓔxample.com'), { kind: 'name', name: 'example.com' })
  })

  const refused = [
    '',
    '.',
    '..',
    'a..b',
    'example.com..',
    'a@b',
    'a:80',
    '[::1]:80',
    'a/b',
    'a\\b',
    'a?b',
    'a#b',
    'a b',
    'a\tb',
    'a\n',
    '[fe80::1%25eth0]',
    'fe80::1%eth0',
    '[::1',
    '::1]',
    '256.256.256.256',
    '1.2.3.4.5',
    `${'a'.repeat(64)}.example`,
    'a.'.repeat(130),
  ]
  for (const text of refused)
    test(`refuses ${JSON.stringify(text.slice(0, 20))}`, () => {
      assert.equal(parseHost(text), null)
    })

  test('gives an address, a name that is not an address, or null for any text', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary' }), fc.webAuthority({ withPort: true, withUserInfo: true }), ipv4, ipv6),
        (text) => {
          const host = parseHost(text)
          if (host === null) return true
          if (host.kind === 'name') return !isIPv4(host.name) && !/[\s/@:%]/.test(host.name)
          return URL.canParse(`http://${host.address.includes(':') ? `[${host.address}]` : host.address}/`)
        },
      ),
      { seed: 24, numRuns: 3_000 },
    )
  })
})

test('a host is loopback by its form: an address of this machine, or a name under localhost', () => {
  const isLoopback = (text: string) => {
    const host = parseHost(text)
    return host !== null && isLoopbackHost(host)
  }
  for (const text of [
    '127.0.0.1',
    '127.9.9.9',
    '0x7f.1',
    '::1',
    '::ffff:127.0.0.1',
    'localhost',
    'a.LOCALHOST',
    'localhost.',
  ])
    assert.equal(isLoopback(text), true, text)
  for (const text of ['128.0.0.1', '0.0.0.0', '::', '10.0.0.1', 'localhost.example.com', 'notlocalhost', 'fe80::1'])
    assert.equal(isLoopback(text), false, text)
})
