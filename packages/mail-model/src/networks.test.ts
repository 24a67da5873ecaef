import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { neighborhoodOf, networksOf, parseNetwork } from './networks.ts'

describe('a network', () => {
  for (const [given, wanted] of [
    ['192.0.2.7', '192.0.2.7'],
    [' 192.0.2.7/32 ', '192.0.2.7'],
    ['192.0.2.7/24', '192.0.2.0/24'],
    ['10.255.0.0/8', '10.0.0.0/8'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['2001:db8:1::/32', '2001:db8::/32'],
    ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['2001:0:0:1:0:0:0:1', '2001:0:0:1::1'],
    ['::1', '::1'],
    ['fe80::/16', 'fe80::/16'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7/120', '192.0.2.0/24'],
  ] as const)
    test(`${given} is written ${wanted}`, () => assert.equal(parseNetwork(given), wanted))

  for (const wrong of ['', '192.0.2', '256.0.0.1', '192.0.2.0/33', '0.0.0.0/0', '::/0', '2001:db8::/8', '1::2::3', 'x'])
    test(`“${wrong}” is none`, () => assert.equal(parseNetwork(wrong), null))
})

test('an address is in every network around it, the narrowest first', () => {
  const ipv4 = networksOf('192.0.2.7')
  assert.deepEqual([ipv4.length, ipv4[0], ipv4[8], ipv4.at(-1)], [25, '192.0.2.7', '192.0.2.0/24', '192.0.0.0/8'])
  const ipv6 = networksOf('2001:db8::1')
  assert.deepEqual([ipv6.length, ipv6[0], ipv6[64], ipv6.at(-1)], [113, '2001:db8::1', '2001:db8::/64', '2001::/16'])
  for (const network of [...ipv4, ...ipv6]) assert.equal(parseNetwork(network), network)
  assert.deepEqual(networksOf('x'), [])
})

test('a server and its neighbors are one network', () => {
  assert.equal(neighborhoodOf('192.0.2.7'), '192.0.2.0/24')
  assert.equal(neighborhoodOf('2001:db8:1:2:3::1'), '2001:db8:1:2::/64')
  assert.equal(neighborhoodOf('x'), null)
})
