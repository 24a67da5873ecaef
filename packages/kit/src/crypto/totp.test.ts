import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { Secret } from '../secret.ts'
import {
  decodeBase32,
  encodeBase32,
  newRecoveryCodes,
  newTotpSecret,
  normaliseRecoveryCode,
  totpCode,
  totpUri,
  verifyTotp,
} from './totp.ts'

const rfcKey = Buffer.from('12345678901234567890')
const secret = new Secret(encodeBase32(rfcKey))
const at = (seconds: number) => new Date(seconds * 1000)

describe('codes', () => {
  test('equal the vectors of RFC 6238 appendix B (SHA-1, eight digits)', () => {
    const vectors: [number, string][] = [
      [59, '94287082'],
      [1111111109, '07081804'],
      [1111111111, '14050471'],
      [1234567890, '89005924'],
      [2000000000, '69279037'],
      [20000000000, '65353130'],
    ]
    for (const [time, code] of vectors) assert.equal(totpCode(rfcKey, Math.floor(time / 30), 8), code)
  })

  test('equal the vectors of RFC 4226 appendix D (six digits)', () => {
    const codes = '755224 287082 359152 969429 338314 254676 287922 162583 399871 520489'.split(' ')
    assert.deepEqual(
      codes.map((_, counter) => totpCode(rfcKey, counter)),
      codes,
    )
  })
})

describe('verification', () => {
  const now = at(1111111109)
  const step = 37037036
  const code = '081804'

  test('accepts the current step and one on either side, and returns which', () => {
    assert.equal(verifyTotp({ secret, code, now, lastStep: null }), step)
    assert.equal(verifyTotp({ secret, code, now: at(1111111109 + 30), lastStep: null }), step)
    assert.equal(verifyTotp({ secret, code, now: at(1111111109 - 30), lastStep: null }), step)
    assert.equal(verifyTotp({ secret, code, now: at(1111111109 + 60), lastStep: null }), null)
    assert.equal(verifyTotp({ secret, code, now: at(1111111109 - 60), lastStep: null }), null)
  })

  test('a code is good once, and older ones are dead after it', () => {
    assert.equal(verifyTotp({ secret, code, now, lastStep: step }), null)
    assert.equal(verifyTotp({ secret, code: totpCode(rfcKey, step - 1), now, lastStep: step }), null)
    assert.equal(verifyTotp({ secret, code: totpCode(rfcKey, step + 1), now, lastStep: step }), step + 1)
  })

  test('spaces are ignored, anything else but six digits is refused', () => {
    assert.equal(verifyTotp({ secret, code: ' 081 804 ', now, lastStep: null }), step)
    for (const bad of [
      '',
      '81804',
      '0818040',
      '08180a',
      '٠٨١٨٠٤',
      '081804\n',
      '+81804',
      '8.1804',
      '0'.repeat(100_000),
    ]) {
      assert.equal(verifyTotp({ secret, code: bad, now, lastStep: null }), null, bad.slice(0, 10))
    }
  })

  test('the code of another secret is refused', () => {
    assert.equal(verifyTotp({ secret: new Secret('JBSWY3DPEHPK3PXP'), code, now, lastStep: null }), null)
  })
})

describe('enrolment', () => {
  test('a new secret has 160 bits in base32 and cannot be printed', () => {
    const made = newTotpSecret()
    assert.match(made.reveal(), /^[A-Z2-7]{32}$/)
    assert.equal(decodeBase32(made.reveal()).length, 20)
    assert.notEqual(made.reveal(), newTotpSecret().reveal())
    assert.equal(`${made}`, '[secret]')
  })

  test('the address escapes issuer and account', () => {
    const uri = totpUri({ secret: new Secret('JBSWY3DPEHPK3PXP'), issuer: 'A & B: x', account: 'ann+1@example.com' })
    const url = new URL(uri)
    assert.equal(url.protocol, 'otpauth:')
    assert.equal(url.host, 'totp')
    assert.equal(decodeURIComponent(url.pathname), '/A & B: x:ann+1@example.com')
    assert.deepEqual(Object.fromEntries(url.searchParams), {
      secret: 'JBSWY3DPEHPK3PXP',
      issuer: 'A & B: x',
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    })
  })
})

describe('base32', () => {
  test('equals the vectors of RFC 4648 §10 without padding', () => {
    const vectors = {
      '': '',
      f: 'MY',
      fo: 'MZXQ',
      foo: 'MZXW6',
      foob: 'MZXW6YQ',
      fooba: 'MZXW6YTB',
      foobar: 'MZXW6YTBOI',
    }
    for (const [plain, text] of Object.entries(vectors)) {
      assert.equal(encodeBase32(Buffer.from(plain)), text)
      assert.equal(decodeBase32(text).toString(), plain)
    }
  })

  test('reads back any bytes (200 random ones), in lower case, with spaces and padding', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const text = encodeBase32(bytes)
        assert.deepEqual(new Uint8Array(decodeBase32(text)), bytes)
        assert.deepEqual(new Uint8Array(decodeBase32(`${text.toLowerCase().replace(/(.{4})/g, '$1 ')}==`)), bytes)
      }),
      { seed: 13, numRuns: 200 },
    )
  })

  test('refuses other characters', () => {
    for (const bad of ['MZX1', 'MZX!', 'MZX0', 'é']) assert.throws(() => decodeBase32(bad), TypeError)
  })
})

describe('recovery codes', () => {
  test('are ten different ones of the form xxxxx-xxxxx', () => {
    const codes = newRecoveryCodes()
    assert.equal(new Set(codes).size, 10)
    for (const code of codes) assert.match(code, /^[2-9b-z]{5}-[2-9b-z]{5}$/)
  })

  test('are read as people type them', () => {
    const code = newRecoveryCodes()[0]!
    for (const typed of [code, code.toUpperCase(), ` ${code} `, code.replace('-', ''), code.replace('-', ' - ')]) {
      assert.equal(normaliseRecoveryCode(typed), code)
    }
    for (const bad of ['', 'bcdfg', 'bcdfg-hjkm', 'bcdfg-hjkm0', 'bcdfg-hjkmnp', 'bcdfg-hjkmé']) {
      assert.equal(normaliseRecoveryCode(bad), null, bad)
    }
  })
})
