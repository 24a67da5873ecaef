import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type CmsService, PASSWORD, type Person, startCms } from '@stoa/tests/lib/cms.ts'
import { codeOf, enrol, STEP_MS, signInWith, wrongCode } from '../two-factor/testing/two-factor.ts'

const MINUTE = 60_000

let service: CmsService
before(async () => {
  service = await startCms()
})
after(() => service.close())

const begin = (person: Person) => person.client.post('/api/auth/totp')
const confirm = (person: Person, code: string) => person.client.post('/api/auth/totp/confirm', { code })
const remove = (person: Person, body: unknown) => person.client.send('DELETE', '/api/auth/totp', { body })

/** All that the database holds of the person's second factor. */
const stateOf = async ({ id }: Person) => {
  const { db } = service.cms.database
  const account = await db.selectFrom('account').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const factor = await db.selectFrom('two_factor').selectAll().where('account_id', '=', id).execute()
  const codes = await db
    .selectFrom('recovery_code')
    .selectAll()
    .where('account_id', '=', id)
    .orderBy('code_hash')
    .execute()
  return { account, factor, codes }
}
const actionsOf = async ({ id }: Person) => {
  const rows = await service.cms.database.db
    .selectFrom('activity')
    .select(['action', 'actor_id'])
    .where('target_id', '=', id)
    .orderBy('id')
    .execute()
  return rows.map(({ action, actor_id }) => `${action} ${actor_id === id ? 'by themselves' : actor_id}`)
}

describe('beginning two-factor authentication', () => {
  test('answers a secret for an app, by hand and as address; sign-in does not change yet', async () => {
    const person = await service.person('viewer', { email: 'ada+1@example.test' })
    const answer = await begin(person)
    assert.equal(answer.status, 200)
    assert.deepEqual(Object.keys(answer.body), ['secret', 'uri'])
    assert.match(answer.body.secret, /^[A-Z2-7]{32}$/)
    assert.equal(
      answer.body.uri,
      `otpauth://totp/Stoa%20CMS%20(cms.test):ada%2B1%40example.test?secret=${answer.body.secret}&issuer=Stoa%20CMS%20(cms.test)&algorithm=SHA1&digits=6&period=30`,
    )
    assert.equal((await person.client.get('/api/auth/me')).body.totp, false)
    assert.equal((await signInWith(service, person)).status, 200)
  })

  test('again replaces the secret: the earlier one confirms nothing', async () => {
    const person = await service.person('viewer')
    const first = (await begin(person)).body.secret
    const second = (await begin(person)).body.secret
    assert.notEqual(first, second)
    const refused = await confirm(person, codeOf(service, first))
    assert.equal(refused.status, 400)
    assert.deepEqual(refused.body.details.fields[0].key, 'code')
    assert.equal((await confirm(person, codeOf(service, second))).status, 200)
  })

  test('is refused while it is on, and changes nothing', async () => {
    const person = await service.person('viewer')
    await enrol(service, person)
    const before = await stateOf(person)
    const answer = await begin(person)
    assert.equal(answer.status, 409)
    assert.equal(answer.body.code, 'INVALID_STATE')
    assert.deepEqual(await stateOf(person), before)
  })
})

describe('confirming', () => {
  test('gives ten recovery codes once, shows on the person, and is recorded', async () => {
    const person = await service.person('editor')
    const admin = await service.person('admin')
    const { secret } = (await begin(person)).body
    const answer = await confirm(person, codeOf(service, secret))
    assert.equal(answer.status, 200)
    assert.deepEqual(Object.keys(answer.body), ['recoveryCodes'])
    assert.equal(new Set(answer.body.recoveryCodes).size, 10)
    for (const code of answer.body.recoveryCodes) assert.match(code, /^[2-9a-z]{5}-[2-9a-z]{5}$/)
    const me = await person.client.get('/api/auth/me', { 'if-none-match': '"v1"' })
    assert.equal(me.body.totp, true)
    assert.equal((await admin.client.get(`/api/users/${person.id}`)).body.totp, true)
    assert.deepEqual(await actionsOf(person), ['user.totp.enabled by themselves'])
  })

  test('ends the sessions that were opened without a code, and keeps this one', async () => {
    const person = await service.person('viewer')
    const other = await service.openSession(person.id)
    await enrol(service, person)
    assert.equal((await person.client.get('/api/auth/me')).status, 200)
    const answer = await service.client({ token: other.token }).get('/api/auth/me')
    assert.equal(answer.body.code, 'TOKEN_REVOKED')
  })

  test('M82: without a beginning, with a wrong code, or after 15 minutes, nothing is switched on', async () => {
    const person = await service.person('viewer')
    assert.equal((await confirm(person, '123456')).body.code, 'INVALID_STATE')
    const { secret } = (await begin(person)).body
    const before = await stateOf(person)
    for (const code of [wrongCode(service, secret), codeOf(service, secret, 2), codeOf(service, secret, -2), 'abcdef'])
      assert.equal((await confirm(person, code)).body.code, 'VALIDATION_FAILED')
    service.clock.advance(15 * MINUTE)
    assert.equal((await confirm(person, codeOf(service, secret))).body.code, 'INVALID_STATE')
    assert.deepEqual(await stateOf(person), before)
    assert.equal((await signInWith(service, person)).status, 200)
  })

  test('a moment before the 15 minutes are over it still works', async () => {
    const person = await service.person('viewer')
    const { secret } = (await begin(person)).body
    service.clock.advance(15 * MINUTE - 1)
    assert.equal((await confirm(person, codeOf(service, secret))).status, 200)
  })

  test('of two at once one gives its codes, and those are the ones that work', async () => {
    const person = await service.person('viewer')
    const { secret } = (await begin(person)).body
    const answers = await Promise.all([1, 2].map(() => confirm(person, codeOf(service, secret))))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
    const [code] = answers.find(({ status }) => status === 200)?.body.recoveryCodes ?? []
    assert.equal((await stateOf(person)).codes.length, 10)
    assert.equal((await signInWith(service, person, code)).status, 200)
  })

  test('five wrong codes in a quarter of an hour, then even the right one waits', async () => {
    const person = await service.person('viewer')
    const { secret } = (await begin(person)).body
    for (let n = 0; n < 5; n += 1) await confirm(person, wrongCode(service, secret))
    const answer = await confirm(person, codeOf(service, secret))
    assert.equal(answer.status, 429)
    assert.equal(answer.body.code, 'LOGIN_LIMITED')
    assert.equal((await stateOf(person)).account.has_totp, false)
    const signIn = await service.client().post('/api/auth/login', { email: person.email, password: PASSWORD })
    assert.equal(signIn.status, 200)
  })
})

describe('switching it off', () => {
  test('needs password and code, and is recorded; a password alone signs in again', async () => {
    const person = await service.person('viewer')
    const { secret } = await enrol(service, person)
    const answer = await remove(person, { password: PASSWORD, code: codeOf(service, secret) })
    assert.equal(answer.status, 204)
    const { account, factor, codes } = await stateOf(person)
    assert.deepEqual({ totp: account.has_totp, factor, codes }, { totp: false, factor: [], codes: [] })
    assert.equal((await person.client.get('/api/auth/me')).body.totp, false)
    assert.equal((await signInWith(service, person)).status, 200)
    assert.deepEqual(await actionsOf(person), ['user.totp.enabled by themselves', 'user.totp.disabled by themselves'])
  })

  test('a recovery code does as well, and it can be switched on anew with another secret', async () => {
    const person = await service.person('viewer')
    const { secret, recoveryCodes } = await enrol(service, person)
    assert.equal((await remove(person, { password: PASSWORD, code: recoveryCodes[3] })).status, 204)
    const again = await enrol(service, person)
    assert.notEqual(again.secret, secret)
    assert.equal((await signInWith(service, person, codeOf(service, secret))).body.code, 'TOTP_INVALID')
    assert.equal((await signInWith(service, person, recoveryCodes[4])).body.code, 'TOTP_INVALID')
    assert.equal((await signInWith(service, person, again.recoveryCodes[4])).status, 200)
  })

  test('M82: without the password, without a code, or with a wrong one, it stays on', async () => {
    const person = await service.person('viewer')
    const { secret } = await enrol(service, person)
    const before = await stateOf(person)
    const cases: [unknown, string][] = [
      [{}, '400 VALIDATION_FAILED'],
      [{ password: PASSWORD }, '400 VALIDATION_FAILED'],
      [{ code: codeOf(service, secret) }, '400 VALIDATION_FAILED'],
      [{ password: PASSWORD, code: '' }, '400 VALIDATION_FAILED'],
      [{ password: PASSWORD, code: null }, '400 VALIDATION_FAILED'],
      [{ password: PASSWORD, code: ['1'] }, '400 VALIDATION_FAILED'],
      [{ password: 'not the password', code: codeOf(service, secret) }, '403 REAUTH_REQUIRED'],
      [{ password: PASSWORD, code: wrongCode(service, secret) }, '403 REAUTH_REQUIRED'],
      [{ password: PASSWORD, code: codeOf(service, secret, 5) }, '403 REAUTH_REQUIRED'],
      [{ password: PASSWORD, code: 'bbbbb-bbbbb' }, '403 REAUTH_REQUIRED'],
    ]
    for (const [body, expected] of cases) {
      const answer = await remove(person, body)
      assert.equal(`${answer.status} ${answer.body.code}`, expected, JSON.stringify(body))
    }
    assert.deepEqual(await stateOf(person), before)
    assert.equal((await signInWith(service, person)).body.code, 'TOTP_REQUIRED')
  })

  test('a code that signed in does not switch it off as well', async () => {
    const person = await service.person('viewer')
    const { secret } = await enrol(service, person)
    const code = codeOf(service, secret)
    assert.equal((await signInWith(service, person, code)).status, 200)
    assert.equal((await remove(person, { password: PASSWORD, code })).body.code, 'REAUTH_REQUIRED')
    assert.equal((await stateOf(person)).account.has_totp, true)
  })

  test('where it is off, it is refused', async () => {
    const person = await service.person('viewer')
    await begin(person)
    assert.equal((await remove(person, { password: PASSWORD, code: '123456' })).body.code, 'INVALID_STATE')
  })

  test('a new password, own or set by an admin, does not switch it off', async () => {
    const person = await service.person('viewer')
    const owner = await service.person('owner')
    const { secret } = await enrol(service, person)
    const changed = await person.client.post('/api/auth/password', {
      currentPassword: PASSWORD,
      newPassword: 'another long password',
    })
    assert.equal(changed.body.totp, true)
    await owner.client.put(`/api/users/${person.id}`, { password: PASSWORD })
    assert.equal((await signInWith(service, person)).body.code, 'TOTP_REQUIRED')
    service.clock.advance(STEP_MS)
    assert.equal((await signInWith(service, person, codeOf(service, secret))).status, 200)
  })
})

describe('what is kept', () => {
  test('C42: neither secret nor recovery codes are in the database or in the log', async () => {
    const person = await service.person('viewer')
    const { secret, recoveryCodes } = await enrol(service, person)
    const used = codeOf(service, secret)
    await signInWith(service, person, used)
    await signInWith(service, person, recoveryCodes[0])
    const { db } = service.cms.database
    const [dump] = await db.query<{ text: string }>({
      text: `select coalesce(string_agg(t::text, ''), '') as text from (
        select a::text from account a union all select f::text from two_factor f
        union all select r::text from recovery_code r union all select v::text from activity v) t(t)`,
    })
    const everything = (dump?.text ?? '') + service.logs.join('')
    assert.ok(everything.includes(person.id))
    for (const planted of [secret, ...recoveryCodes, ...recoveryCodes.map((code) => code.replace('-', ''))])
      assert.ok(!everything.includes(planted), planted)
    assert.ok(!service.logs.join('').includes(`"${used}"`))
  })

  test('a sealed secret moved to another account opens nothing', async () => {
    const person = await service.person('viewer')
    const thief = await service.person('viewer')
    const { secret } = await enrol(service, person)
    await enrol(service, thief)
    const [{ secret_sealed } = { secret_sealed: '' }] = (await stateOf(thief)).factor
    await service.cms.database.tx((tx) =>
      tx.updateTable('two_factor').set({ secret_sealed }).where('account_id', '=', person.id).execute(),
    )
    service.clock.advance(STEP_MS)
    assert.equal((await signInWith(service, person, codeOf(service, secret))).body.code, 'TOTP_INVALID')
  })

  test('after a change of SECRET no code is good, and the log says what to do', async () => {
    const person = await service.person('viewer')
    const { secret, recoveryCodes } = await enrol(service, person)
    const env = { SECRET: 'another secret of the tests, as long as the first' }
    const restarted = await startCms({ databaseUrl: service.databaseUrl, clock: service.clock, env })
    assert.equal((await signInWith(restarted, person, codeOf(service, secret))).body.code, 'TOTP_INVALID')
    assert.equal((await signInWith(restarted, person, recoveryCodes[0])).body.code, 'TOTP_INVALID')
    assert.ok(restarted.logs.join('').includes('--reset-2fa'))
    await restarted.close()
    assert.equal((await signInWith(service, person, codeOf(service, secret))).status, 200)
  })
})
