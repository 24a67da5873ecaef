import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { lightPasswords, realPasswords } from '@stoa/tests/lib/password-work.ts'
import { Fault } from '../errors.ts'
import { checkNewPassword, hashPassword, parsePhc, passwordLoad, verifyPassword } from './password.ts'

// Made with the reference implementation's command line (argon2 -id -t 2 -k 19456 -p 1 -e).
const REFERENCE = '$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$VryGAh6rhsisdl/ZQqoNGkM/uPFlQIYw+O4dUxKX61Y'
const REFERENCE_PASSWORD = 'correct horse é'
// -t 1 -k 1024 -p 1 -l 24, as an older release might have stored it.
const WEAKER = '$argon2id$v=19$m=1024,t=1,p=1$c29tZXNhbHQ$qG8TxSetBjmxr53tYo4iojz8Qtj8xebY'
const WEAKER_PASSWORD = 'hunter2hunter2'

const matches = async (plain: string, phc: string) => (await verifyPassword(plain, phc)).ok

before(realPasswords)
after(lightPasswords)

describe('hashing', () => {
  test('a hash is an argon2id PHC string with a fresh salt, and the password verifies', async () => {
    const [one, two] = await Promise.all([hashPassword('a good password'), hashPassword('a good password')])
    assert.match(one, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
    assert.notEqual(one, two)
    assert.deepEqual(await verifyPassword('a good password', one), { ok: true, rehash: false })
    assert.deepEqual(await verifyPassword('a good passwore', one), { ok: false, rehash: false })
  })

  test('hashes of the reference implementation verify', async () => {
    assert.deepEqual(await verifyPassword(REFERENCE_PASSWORD, REFERENCE), { ok: true, rehash: false })
    assert.equal(await matches('correct horse e', REFERENCE), false)
  })

  test('weaker parameters still verify and ask for a new hash, but only after the right password', async () => {
    assert.deepEqual(await verifyPassword(WEAKER_PASSWORD, WEAKER), { ok: true, rehash: true })
    assert.deepEqual(await verifyPassword('hunter2hunter3', WEAKER), { ok: false, rehash: false })
  })

  test('every byte counts, up to the last of 1024, and NUL ends nothing', async () => {
    const long = 'x'.repeat(1023)
    const phc = await hashPassword(`${long}y`)
    assert.equal(await matches(`${long}y`, phc), true)
    assert.equal(await matches(`${long}z`, phc), false)
    assert.equal(await matches(long, phc), false)
    const withNul = await hashPassword('before\u0000after')
    assert.equal(await matches('before\u0000after', withNul), true)
    assert.equal(await matches('before', withNul), false)
    assert.equal(await matches('before\u0000other', withNul), false)
  })

  test('case and spaces count; composed and decomposed letters are one (RFC 8265)', async () => {
    const phc = await hashPassword(' Crème Brûlée '.normalize('NFD'))
    assert.equal(await matches(' Crème Brûlée '.normalize('NFC'), phc), true)
    assert.equal(await matches('Crème Brûlée', phc), false)
    assert.equal(await matches(' crème Brûlée ', phc), false)
    assert.equal(await matches(' Creme Brulee ', phc), false)
  })

  test('an unknown account costs the same work and never matches', async () => {
    assert.deepEqual(await verifyPassword('anything at all', null), { ok: false, rehash: false })
    const cost = async (phc: string | null) => {
      const start = process.cpuUsage()
      for (let round = 0; round < 5; round += 1) await verifyPassword('anything at all', phc)
      return process.cpuUsage(start).user
    }
    await cost(REFERENCE)
    const [known, unknown] = [await cost(REFERENCE), await cost(null)]
    assert.ok(unknown > known / 3 && unknown < known * 3, `${known} against ${unknown} µs`)
  })

  test('over the limit or without a UTF-8 form: refused at once, without hashing', async () => {
    const start = process.cpuUsage()
    for (let round = 0; round < 100; round += 1) {
      assert.deepEqual(await verifyPassword('x'.repeat(1_000_000), REFERENCE), { ok: false, rehash: false })
      assert.deepEqual(await verifyPassword('half \ud800 pair', REFERENCE), { ok: false, rehash: false })
    }
    assert.ok(process.cpuUsage(start).user < 1_000_000)
    await assert.rejects(hashPassword('x'.repeat(1025)), RangeError)
    await assert.rejects(hashPassword('half \ud800 pair'), RangeError)
  })

  test('the event loop turns while passwords are hashed', async () => {
    let turns = 0
    const timer = setInterval(() => {
      turns += 1
    }, 1)
    await Promise.all(Array.from({ length: 8 }, () => hashPassword('a good password')))
    clearInterval(timer)
    assert.ok(turns > 5, `${turns} turns`)
  })

  test('a flood is refused as unavailable, the rest is served, and the queue empties', async () => {
    const { made } = passwordLoad()
    const burst = await Promise.allSettled(Array.from({ length: 200 }, () => verifyPassword(WEAKER_PASSWORD, WEAKER)))
    const refused = burst.filter((each) => each.status === 'rejected')
    const served = burst.filter((each) => each.status === 'fulfilled' && each.value.ok)
    assert.equal(refused.length + served.length, 200)
    assert.equal(served.length, 130)
    for (const { reason } of refused) assert.ok(reason instanceof Fault && reason.kind === 'unavailable')
    assert.deepEqual(passwordLoad(), { running: 0, waiting: 0, made: made + 130 })
    assert.equal(await matches(WEAKER_PASSWORD, WEAKER), true)
  })
})

describe('a stored hash', () => {
  test('that is not ours is an error, and does not show itself', async () => {
    const bad = [
      '',
      'planted',
      '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy',
      REFERENCE.replace('argon2id', 'argon2i'),
      REFERENCE.replace('v=19', 'v=16'),
      REFERENCE.replace('m=19456', 'm=9999999'),
      REFERENCE.replace('m=19456', 'm=7'),
      REFERENCE.replace('t=2', 't=0'),
      REFERENCE.replace('p=1', 'p=0'),
      `${REFERENCE}\n`,
      REFERENCE.slice(0, -30),
    ]
    for (const phc of bad) {
      await assert.rejects(verifyPassword('a good password', phc), (error) => {
        assert.ok(error instanceof Error && /not a valid argon2id/.test(error.message), phc)
        return phc === '' || !error.message.includes(phc)
      })
    }
    assert.equal(parsePhc(REFERENCE).memory, 19456)
  })
})

describe('a new password', () => {
  test('has 8 to 1024 bytes of any characters', () => {
    assert.equal(checkNewPassword('x7-kq!2'), 'too_short')
    assert.equal(checkNewPassword('x7-kq!2z'), null)
    assert.equal(checkNewPassword('ключ9'), null)
    assert.equal(checkNewPassword('🔑🗝'), null)
    assert.equal(checkNewPassword(`${'ab'.repeat(512)}`), null)
    assert.equal(checkNewPassword(`${'ab'.repeat(512)}c`), 'too_long')
    assert.equal(checkNewPassword('é'.repeat(513)), 'too_long')
    assert.equal(checkNewPassword('half \udc00 pair'), 'malformed')
    assert.equal(checkNewPassword(''), 'too_short')
  })

  test('is refused when it heads the lists of leaked ones, whatever its case', () => {
    const common = [
      'password',
      'Password1',
      '12345678',
      'QWERTYUIOP',
      'iloveyou',
      'letmein1',
      'aaaaaaaa',
      'p@ssw0rd',
      '1q2w3e4r',
    ]
    for (const plain of common) assert.equal(checkNewPassword(plain), 'common', plain)
    for (const plain of ['tangerine-orbit-41', 'Password of my aunt', '12345678 and more']) {
      assert.equal(checkNewPassword(plain), null, plain)
    }
  })
})
