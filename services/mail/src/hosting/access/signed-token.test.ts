import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { createTokenSigner } from './signed-token.ts'

describe('a signed token', () => {
  const signer = createTokenSigner(randomBytes(32))

  test('is read back as the hash that was issued with it', () => {
    const { value, hash } = signer.issue()
    assert.deepEqual(signer.read(value), hash)
  })

  test('holds 256 random bits and its hash is not in it', () => {
    const { value, hash } = signer.issue()
    assert.equal(value.split('.')[0]?.length, 43)
    assert.notEqual(value, signer.issue().value)
    assert.equal(value.includes(hash.toString('base64url')), false)
  })

  test('is refused after a change of any one character', () => {
    const { value } = signer.issue()
    for (let at = 0; at < value.length; at += 1) {
      const changed = value.slice(0, at) + (value[at] === 'A' ? 'B' : 'A') + value.slice(at + 1)
      assert.equal(signer.read(changed), null, `character ${at}`)
    }
  })

  test('is refused when cut, lengthened, re-ordered or of another shape', () => {
    const { value } = signer.issue()
    const [token = '', signature = ''] = value.split('.')
    const others = [
      undefined,
      '',
      '.',
      token,
      `${token}.`,
      `.${signature}`,
      `${signature}.${token}`,
      `${value}.`,
      `${value}A`,
      ` ${value}`,
      `${value}\n`,
      `${token}.${token}`,
      `${token}.${signature}.${signature}`,
      `${token}.${signer.issue().value.split('.')[1]}`,
      'x'.repeat(100_000),
    ]
    for (const other of others) assert.equal(signer.read(other), null)
  })

  test('is refused by a signer with another key', () => {
    assert.equal(createTokenSigner(randomBytes(32)).read(signer.issue().value), null)
  })
})
