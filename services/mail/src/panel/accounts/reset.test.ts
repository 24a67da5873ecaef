import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type MailService, PASSWORD, startMail } from '@stoa/tests/lib/mail.ts'
import { subjectsTo, systemMailTo, tokenFor } from '../../hosting/system-mail/testing/sent.ts'

let mail: MailService
before(async () => {
  mail = await startMail()
})
after(() => mail.close())

const HOUR = 3_600_000
const NEXT = 'the next long phrase'
const forgot = (email: unknown) => mail.client().post('/api/auth/password/forgot', { email })
const reset = (token: unknown, password: unknown = NEXT) =>
  mail.client().post('/api/auth/password/reset', { token, password })
const login = (email: string, password: string) => mail.client().post('/api/auth/login', { email, password })
const askFor = async (email: string): Promise<string> => {
  assert.equal((await forgot(email)).status, 200)
  return tokenFor(mail, email, 'reset')
}
const resetLetters = async (email: string): Promise<number> =>
  (await subjectsTo(mail, email)).filter((subject) => subject === 'Reset your password').length

describe('a forgotten password', () => {
  test('is reset by the link: every session ends, the address is verified, the owner is notified', async () => {
    const { client, email } = await mail.signUp()
    const answer = await reset(await askFor(` ${email.toUpperCase()} `.trim().toLowerCase()))
    assert.deepEqual([answer.status, answer.body], [200, { object: 'password_reset', reset: true }])
    assert.equal((await client.get('/api/auth/me')).status, 401)
    assert.equal((await login(email, PASSWORD)).status, 401)
    const signedIn = await login(email, NEXT)
    assert.equal(signedIn.status, 200)
    assert.equal(signedIn.body.email_verified, true)
    assert.ok((await subjectsTo(mail, email)).includes('Your password was changed'))
  })

  test('is answered with the same bytes whether or not there is such an account', async () => {
    const { email } = await mail.signUp()
    const known = await forgot(email)
    for (const unknown of ['nobody@example.test', 'not an address', '']) {
      const answer = await forgot(unknown)
      assert.deepEqual([answer.status, answer.text], [known.status, known.text])
    }
    assert.deepEqual(known.body, { object: 'password_reset', accepted: true })
    assert.deepEqual(await systemMailTo(mail, 'nobody@example.test'), [])
  })

  test('takes a fixed time, for an unknown address as for a known one', async () => {
    const { email } = await mail.signUp()
    const timeOf = async (address: string): Promise<number> => {
      const started = performance.now()
      await forgot(address)
      return performance.now() - started
    }
    const [known, unknown] = [await timeOf(email), await timeOf('stranger@example.test')]
    assert.ok(Math.min(unknown, known) > 190, `${unknown} and ${known} ms`)
  })

  test('is mailed three times in an hour, and the answer stays the same', async () => {
    const { email } = await mail.signUp()
    const texts: string[] = []
    for (let count = 0; count < 5; count += 1) texts.push((await forgot(email)).text)
    assert.equal(new Set(texts).size, 1)
    assert.equal(await resetLetters(email), 3)
    mail.clock.advance(HOUR)
    await forgot(email)
    assert.equal(await resetLetters(email), 4)
  })

  const hashOf = async (email: string): Promise<string> =>
    (
      await mail.database.db
        .selectFrom('account')
        .select('password_hash')
        .where('email', '=', email)
        .executeTakeFirstOrThrow()
    ).password_hash

  test('a link works once, for 60 minutes, until a newer one or another password', async () => {
    const { client, email } = await mail.signUp()
    const used = await askFor(email)
    assert.equal((await reset(used)).status, 200)
    const first = await askFor(email)
    const second = await askFor(email)
    mail.clock.advance(2 * HOUR)
    const late = await askFor(email)
    mail.clock.advance(HOUR)
    const before = await hashOf(email)
    for (const token of [used, first, second, late]) {
      const answer = await reset(token, 'yet another phrase')
      assert.deepEqual([answer.status, answer.body.name], [400, 'validation_error'])
      assert.match(answer.body.message, /`token`/)
    }
    assert.equal(await hashOf(email), before)
    const overtaken = await askFor(email)
    await client.post('/api/auth/login', { email, password: NEXT })
    const changed = await client.post('/api/account/password', { current_password: NEXT, password: PASSWORD })
    assert.equal(changed.status, 200)
    assert.equal((await reset(overtaken)).status, 400)
    assert.equal((await login(email, PASSWORD)).status, 200)
  })

  test('by 10 that redeem the link at the same moment is reset once', async () => {
    const { email } = await mail.signUp()
    const token = await askFor(email)
    const answers = await Promise.all(Array.from({ length: 10 }, (_, at) => reset(token, `the phrase number ${at}`)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array.from({ length: 9 }, () => 400)])
  })

  test('refuses a bad password and keeps the link', async () => {
    const { email } = await mail.signUp()
    const token = await askFor(email)
    for (const password of ['short', 'password123', 'x'.repeat(1025), 5]) {
      const answer = await reset(token, password)
      assert.deepEqual([answer.status, answer.body.name], [400, 'validation_error'])
      assert.match(answer.body.message, /`password`/)
    }
    assert.equal((await mail.client().post('/api/auth/password/reset', { token })).status, 422)
    assert.equal((await mail.client().post('/api/auth/password/reset', { password: NEXT })).status, 422)
    assert.equal((await reset(token)).status, 200)
  })

  test('a link to verify is none to reset, and the reverse', async () => {
    const { email } = await mail.signUp()
    assert.equal((await reset(await tokenFor(mail, email, 'verify'))).status, 400)
    const token = await askFor(email)
    assert.equal((await mail.client().post('/api/auth/verify', { token })).status, 400)
    assert.equal((await reset(token)).status, 200)
  })

  test('ends a change of the address that was under way', async () => {
    const { client, email } = await mail.signUp()
    await client.post('/api/account/email', { email: 'thief@elsewhere.test', password: PASSWORD })
    assert.equal((await reset(await askFor(email))).status, 200)
    const token = await tokenFor(mail, 'thief@elsewhere.test', 'verify')
    assert.equal((await mail.client().post('/api/auth/verify', { token })).status, 400)
    assert.equal((await login(email, NEXT)).body.pending_email, null)
  })

  test('refuses more than 5 requests a second from one address', async () => {
    const client = mail.client()
    const statuses: number[] = []
    for (let count = 0; count < 6; count += 1)
      statuses.push((await client.post('/api/auth/password/forgot', { email: 'x@example.test' })).status)
    assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429])
  })
})
