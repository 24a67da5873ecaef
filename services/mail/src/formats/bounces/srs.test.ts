import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Secret } from '@stoa/kit/secret.ts'
import fc from 'fast-check'
import { srsForward, srsReverse } from './srs.ts'

const HOST = 'mail.example.test'
const secret = new Secret('a secret of the tests, long enough for anyone')
const NOW = new Date('2026-03-01T12:00:00Z')
const later = (days: number) => new Date(NOW.getTime() + days * 86_400_000)
const localOf = (address: string) => address.slice(0, address.lastIndexOf('@'))
const reverse = (address: string, now = NOW) => srsReverse(localOf(address), secret, now)

describe('a forwarded sender', () => {
  test('is an address of ours that leads back for three weeks', () => {
    const address = srsForward('ann=x@Example.ORG', HOST, secret, NOW)
    assert.match(address, /^SRS0=[a-z2-7]{8}=[a-z2-7]{2}=example\.org=ann=x@mail\.example\.test$/)
    assert.equal(reverse(address), 'ann=x@example.org')
    assert.equal(reverse(address, later(21)), 'ann=x@example.org')
    assert.equal(reverse(address, later(22)), null)
    assert.equal(reverse(address, later(-2)), null)
  })

  test('survives a change of case on the way', () => {
    const address = srsForward('Ann@example.org', HOST, secret, NOW)
    assert.equal(srsReverse(localOf(address).toUpperCase(), secret, NOW), 'ANN@example.org')
    assert.equal(srsReverse(localOf(address).toLowerCase(), secret, NOW), 'ann@example.org')
  })

  test('of somebody who forwarded before us leads to them, however often it is forwarded', () => {
    const first = 'SRS0=HHHH=TT=origin.example=ann@one.example'
    const second = srsForward(first, HOST, secret, NOW)
    assert.match(second, /^SRS1=[a-z2-7]{8}=one\.example==HHHH=TT=origin\.example=ann@mail\.example\.test$/)
    assert.equal(reverse(second), first)
    const third = srsForward(second.replace(HOST, 'two.example'), HOST, secret, NOW)
    assert.equal(reverse(third), first)
    assert.equal(srsForward(second, HOST, secret, NOW), second)
  })

  test('is the null sender when there was none or there is no room', () => {
    assert.equal(srsForward('', HOST, secret, NOW), '')
    assert.equal(srsForward('nobody', HOST, secret, NOW), '')
    assert.equal(srsForward(`${'a'.repeat(240)}@example.org`, HOST, secret, NOW), '')
  })
})

describe('an address that we did not make', () => {
  test('leads nowhere: we are no open relay for reports', () => {
    const address = localOf(srsForward('ann@example.org', HOST, secret, NOW))
    const [, hash = '', day = ''] = address.split('=')
    for (const forged of [
      address.replace('ann', 'eve'),
      address.replace('example.org', 'example.com'),
      address.replace(hash, 'aaaaaaaa'),
      address.replace(hash, ''),
      address.replace(`=${day}=`, '=zz='),
      `SRS1=${hash}=one.example==HHHH=TT=origin.example=ann`,
      'SRS0',
      'SRS0=',
      'ann',
      '',
    ])
      assert.equal(srsReverse(forged, secret, NOW), null, forged)
    assert.equal(srsReverse(address, new Secret('another secret'), NOW), null)
  })
})

test('any sender leads back to itself, and any local part is read without an error', () => {
  const atom = fc.string({ unit: fc.constantFrom(...'abcXYZ019.=+-_é'), minLength: 1, maxLength: 40 })
  const domain = fc.constantFrom('example.org', 'a-b.example', 'xn--bcher-kva.example')
  fc.assert(
    fc.property(atom, domain, fc.nat(21), (local, name, days) => {
      fc.pre(!/^srs[01]/i.test(local))
      const address = srsForward(`${local}@${name}`, HOST, secret, NOW)
      assert.equal(reverse(address, later(days)), `${local}@${name}`)
    }),
    { seed: 20260501, numRuns: 1_000 },
  )
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.constantFrom('', 'SRS0=', 'SRS1='),
      (text, prefix) => {
        assert.equal(srsReverse(prefix + text, secret, NOW), null)
      },
    ),
    { seed: 20260501, numRuns: 2_000 },
  )
})
