import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { inspect } from 'node:util'
import fc from 'fast-check'
import { Secret } from '../secret.ts'
import { createSealer, SealError, type SealProblem, subKey } from './seal.ts'

const key = (letter: string) => new Secret(letter.repeat(40))
const sealer = createSealer({ current: key('a') }, 'credentials')

const refused = (problem: SealProblem) => (error: unknown) => error instanceof SealError && error.problem === problem

describe('sealing', () => {
  test('gives back exactly what was sealed, for any text (200 random ones)', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (plain, context) => {
        assert.equal(sealer.open(sealer.seal(plain, context), context).reveal(), plain)
      }),
      { seed: 11, numRuns: 200 },
    )
    assert.equal(sealer.open(sealer.seal(new Secret('inner'))).reveal(), 'inner')
  })

  test('the sealed text has a version, a key id and no trace of the content; two seals differ', () => {
    const sealed = sealer.seal('planted-content')
    assert.match(sealed, /^v1\.[A-Za-z0-9_-]{8}\.[A-Za-z0-9_-]{16}\.[A-Za-z0-9_-]+$/)
    assert.notEqual(sealed, sealer.seal('planted-content'))
    assert.ok(!Buffer.from(sealed.split('.')[3]!, 'base64url').includes('planted'))
  })

  test('an opened value cannot be printed', () => {
    assert.equal(inspect(sealer.open(sealer.seal('planted'))), '[secret]')
  })

  test('a value moved to another row or purpose does not open', () => {
    const sealed = sealer.seal('x', 'row-1')
    assert.throws(() => sealer.open(sealed, 'row-2'), refused('tampered'))
    assert.throws(() => sealer.open(sealed), refused('tampered'))
    const other = createSealer({ current: key('a') }, 'totp')
    assert.throws(() => other.open(sealed, 'row-1'), refused('unknown_key'))
  })

  test('every changed character is noticed', () => {
    const sealed = sealer.seal('some content', 'row')
    for (let at = 0; at < sealed.length; at += 1) {
      const swapped = sealed[at] === 'A' ? 'B' : 'A'
      const changed = sealed.slice(0, at) + swapped + sealed.slice(at + 1)
      assert.throws(() => sealer.open(changed, 'row'), SealError, `character ${at}`)
    }
  })

  test('cut, extended or foreign text is an error of its own type, never another (300 random texts)', () => {
    const sealed = sealer.seal('content')
    for (let end = 0; end < sealed.length; end += 1) assert.throws(() => sealer.open(sealed.slice(0, end)), SealError)
    assert.throws(() => sealer.open(`${sealed}A`), SealError)
    assert.throws(() => sealer.open(`${sealed}.`), refused('malformed'))
    assert.throws(() => sealer.open(`${sealed}=`), refused('malformed'))
    assert.throws(() => sealer.open(sealed.replace('v1.', 'v2.')), refused('malformed'))
    fc.assert(
      fc.property(fc.string(), (text) => {
        assert.throws(() => sealer.open(text), SealError)
        assert.throws(() => sealer.open(`v1.${text}`), SealError)
        assert.throws(() => sealer.needsReseal(text), SealError)
      }),
      { seed: 12, numRuns: 300 },
    )
  })
})

describe('rotation', () => {
  const old = createSealer({ current: key('a') }, 'credentials')
  const rotated = createSealer({ current: key('b'), previous: [key('a')] }, 'credentials')
  const finished = createSealer({ current: key('b') }, 'credentials')

  test('a previous key still opens, and asks to be replaced', () => {
    const sealed = old.seal('kept', 'row')
    assert.equal(rotated.open(sealed, 'row').reveal(), 'kept')
    assert.equal(rotated.needsReseal(sealed), true)
    const resealed = rotated.seal(rotated.open(sealed, 'row'), 'row')
    assert.equal(rotated.needsReseal(resealed), false)
    assert.equal(finished.open(resealed, 'row').reveal(), 'kept')
  })

  test('a key that was dropped does not open', () => {
    assert.throws(() => finished.open(old.seal('gone')), refused('unknown_key'))
  })
})

describe('sub-keys', () => {
  test('are HKDF-SHA-256 (RFC 5869 construction) and differ by label and secret', () => {
    // HKDF-SHA-256(ikm = 40 times "a", no salt, info "session", 32 bytes), computed with OpenSSL's kdf command.
    assert.equal(subKey(key('a'), 'session').toString('hex'), EXPECTED_SESSION_KEY)
    assert.notDeepEqual(subKey(key('a'), 'session'), subKey(key('a'), 'webhook'))
    assert.notDeepEqual(subKey(key('a'), 'session'), subKey(key('b'), 'session'))
  })

  test('an empty secret is refused', () => {
    assert.throws(() => subKey(new Secret(''), 'session'), TypeError)
    assert.throws(() => createSealer({ current: new Secret('') }, 'x'), TypeError)
  })
})

const EXPECTED_SESSION_KEY = 'ab3ef35d21d731d15d4ee8bc40eae0cc709fcbcc0d85ae46805b5c27e8a9cedb'
