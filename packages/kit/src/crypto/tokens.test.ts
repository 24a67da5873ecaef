import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashToken, hmacToken, newKey, newToken, timingSafeEqualText } from './tokens.ts'

test('a token carries its prefix and 32 random bytes in base64url', () => {
  assert.match(newToken(), /^[A-Za-z0-9_-]{43}$/)
  assert.match(newToken('cmsses_'), /^cmsses_[A-Za-z0-9_-]{43}$/)
  assert.match(newToken('', 16), /^[A-Za-z0-9_-]{22}$/)
})

test('10,000 tokens and keys are all different', () => {
  const made = new Set(Array.from({ length: 10_000 }, (_, index) => (index % 2 ? newToken() : newKey())))
  assert.equal(made.size, 10_000)
})

test('a key has letters and digits only, each about as often', () => {
  assert.match(newKey('ap_', 32), /^ap_[A-Za-z0-9]{32}$/)
  const counts = new Map<string, number>()
  for (const character of newKey('', 62_000)) counts.set(character, (counts.get(character) ?? 0) + 1)
  assert.equal(counts.size, 62)
  for (const [character, count] of counts) assert.ok(count > 800 && count < 1200, `${character}: ${count}`)
})

test('hashToken is SHA-256 (FIPS 180 vector) and hmacToken HMAC-SHA-256 (RFC 4231 case 2)', () => {
  assert.equal(hashToken('abc').toString('hex'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  assert.equal(
    hmacToken(Buffer.from('Jefe'), 'what do ya want for nothing?').toString('hex'),
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  )
})

test('texts of any length compare without an error', () => {
  assert.equal(timingSafeEqualText('abc', 'abc'), true)
  assert.equal(timingSafeEqualText('abc', 'abd'), false)
  assert.equal(timingSafeEqualText('abc', 'abcd'), false)
  assert.equal(timingSafeEqualText('', ''), true)
})
