import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { leastWorkMs } from '@stoa/tests/lib/work.ts'
import fc from 'fast-check'
import { parseCookies, serializeCookie } from './cookies.ts'

const read = (header: string | undefined) => Object.fromEntries(parseCookies(header))

describe('reading cookies', () => {
  test('pairs, spaces, quotes and values with an equals sign', () => {
    assert.deepEqual(read('a=1; b=2;c=3 ;  d = 4'), { a: '1', b: '2', c: '3', d: '4' })
    assert.deepEqual(read('a="1"; b="; c=x=y=; d=""; e="'), { a: '1', b: '"', c: 'x=y=', d: '', e: '"' })
  })

  test('what is no pair is skipped', () => {
    assert.deepEqual(read(undefined), {})
    assert.deepEqual(read(''), {})
    assert.deepEqual(read('a; =1; ; ;; b=2; =;c'), { b: '2' })
  })

  test('the first of a name wins, so that one that was slipped in later cannot replace it', () => {
    assert.deepEqual(read('session=mine; session=theirs; session=""'), { session: 'mine' })
  })

  test('nothing is decoded', () => {
    assert.deepEqual(read('a=%20; b=%zz'), { a: '%20', b: '%zz' })
  })

  test('names of what every object inherits are ordinary names', () => {
    const cookies = parseCookies('__proto__=1; constructor=2')
    assert.equal(cookies.get('__proto__'), '1')
    assert.equal(cookies.get('constructor'), '2')
    assert.equal(cookies.get('toString'), undefined)
  })

  test('a thousand pairs are cut off, in time that grows with the length only', () => {
    const many = Array.from({ length: 1_000 }, (_, at) => `c${at}=1`)
    assert.equal(parseCookies(many.join('; ')).size, 200)
    assert.equal(parseCookies(['session=mine', ...many].join('; ')).get('session'), 'mine')
    for (const piece of [';', 'a'])
      assert.ok(leastWorkMs(() => parseCookies(piece.repeat(1_000_000)), { enough: 1_000 }) < 1_000)
  })

  test('any header is read without an error', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (header) => parseCookies(header).size <= 200),
      { seed: 20260106, numRuns: 300 },
    )
  })
})

describe('writing cookies', () => {
  const plain = { name: 'session', value: 'abc', maxAgeSeconds: 60, secure: false }

  test('they are HttpOnly, SameSite=Lax, for the whole path and for no other host', () => {
    assert.equal(serializeCookie(plain), 'session=abc; Path=/; Max-Age=60; HttpOnly; SameSite=Lax')
    assert.equal(
      serializeCookie({ ...plain, secure: true }),
      'session=abc; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure',
    )
  })

  test('a name or value that could end the pair is refused', () => {
    for (const bad of ['a;b', 'a b', 'a\r\nb', 'a,b', 'a"b', 'a\\b', 'ä', 'a\u0000', 'a\n'])
      assert.throws(() => serializeCookie({ ...plain, value: bad }), TypeError, bad)
    for (const bad of ['', 'a=b', 'a;b', 'a b', 'a\r\n', 'ä'])
      assert.throws(() => serializeCookie({ ...plain, name: bad }), TypeError, bad)
  })

  test('the refusal does not show the value', () => {
    assert.throws(
      () => serializeCookie({ ...plain, value: 'secret value' }),
      (raised) => !String(raised).includes('secret'),
    )
  })

  test('what is written is read back', () => {
    const values = fc.stringMatching(/^[\w.~+/=-]{0,40}$/)
    fc.assert(
      fc.property(values, (value) => read(serializeCookie({ ...plain, value }).split(';')[0]).session === value),
      { seed: 20260107, numRuns: 300 },
    )
  })
})
