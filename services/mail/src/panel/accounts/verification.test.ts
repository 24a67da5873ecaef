import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type MailService, PASSWORD, startMail } from '@stoa/tests/lib/mail.ts'
import { subjectsTo, systemMailTo, tokenFor } from '../../hosting/system-mail/testing/sent.ts'

let mail: MailService
before(async () => {
  mail = await startMail()
  await mail.signUp('owner@example.test')
})
after(() => mail.close())

const HOUR = 3_600_000
const verify = (token: unknown) => mail.client().post('/api/auth/verify', { token })
const row = (id: string) =>
  mail.database.db.selectFrom('account').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

describe('verification of the address', () => {
  test('is mailed at sign-up and redeemed once, without a session', async () => {
    const { client, email } = await mail.signUp()
    const token = await tokenFor(mail, email, 'verify')
    const answer = await verify(token)
    assert.equal(answer.status, 200)
    assert.equal(answer.body.email, email)
    assert.equal(answer.body.email_verified, true)
    assert.deepEqual(answer.headers.getSetCookie(), [])
    assert.equal((await client.get('/api/auth/me')).body.email_verified, true)
    const again = await verify(token)
    assert.deepEqual([again.status, again.body.name], [400, 'validation_error'])
  })

  test('a new link voids the old one', async () => {
    const { client, email, id } = await mail.signUp()
    const old = await tokenFor(mail, email, 'verify')
    const sent = await client.post('/api/auth/verify/send')
    assert.deepEqual([sent.status, sent.body], [200, { object: 'verification', sent: true }])
    assert.equal((await verify(old)).status, 400)
    assert.equal((await row(id)).email_verified_at, null)
    assert.equal((await verify(await tokenFor(mail, email, 'verify'))).status, 200)
    const done = await client.post('/api/auth/verify/send')
    assert.deepEqual([done.status, done.body], [200, { object: 'verification', sent: false }])
  })

  test('runs out after 24 hours', async () => {
    const { email, id } = await mail.signUp()
    const token = await tokenFor(mail, email, 'verify')
    mail.clock.advance(24 * HOUR)
    assert.equal((await verify(token)).status, 400)
    assert.equal((await row(id)).email_verified_at, null)
  })

  test('goes to one address three times in an hour, then 429', async () => {
    const { client, email } = await mail.signUp()
    assert.equal((await client.post('/api/auth/verify/send')).status, 200)
    assert.equal((await client.post('/api/auth/verify/send')).status, 200)
    const refused = await client.post('/api/auth/verify/send')
    assert.deepEqual([refused.status, refused.body.name], [429, 'rate_limit_exceeded'])
    assert.ok(refused.headers.get('retry-after'))
    assert.equal((await systemMailTo(mail, email)).length, 3)
    mail.clock.advance(HOUR)
    assert.equal((await client.post('/api/auth/verify/send')).status, 200)
  })

  test('by 10 that redeem it at the same moment succeeds once', async () => {
    const { email } = await mail.signUp()
    const token = await tokenFor(mail, email, 'verify')
    const answers = await Promise.all(Array.from({ length: 10 }, () => verify(token)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array.from({ length: 9 }, () => 400)])
  })

  test('stores the token as a hash only, and logs neither token nor link', async () => {
    const { email, id } = await mail.signUp()
    const token = await tokenFor(mail, email, 'verify')
    const stored = await mail.database.db
      .selectFrom('account_token')
      .selectAll()
      .where('account_id', '=', id)
      .executeTakeFirstOrThrow()
    assert.equal(stored.token_hash.length, 32)
    assert.notEqual(stored.token_hash.toString('base64url'), token)
    await verify(token)
    assert.equal(mail.logs.join('').includes(token), false)
  })

  test('refuses what is no token, and needs a session to send', async () => {
    for (const token of ['', 'x', 'é', 'x'.repeat(200)]) assert.equal((await verify(token)).status, 400, token)
    assert.equal((await verify('x'.repeat(201))).status, 400)
    assert.equal((await verify({ $ne: '' })).status, 400)
    const missing = await mail.client().post('/api/auth/verify', {})
    assert.deepEqual([missing.status, missing.body.name], [422, 'missing_required_field'])
    assert.equal((await mail.client().post('/api/auth/verify/send')).status, 401)
  })
})

describe('a change of the address', () => {
  const change = (client: Awaited<ReturnType<MailService['signUp']>>['client'], body: unknown) =>
    client.post('/api/account/email', body)

  test('waits for the new address, notifies the old one, and then signs in with the new one only', async () => {
    const { client, email, id } = await mail.signUp()
    const asked = await change(client, { email: ' New@Elsewhere.TEST ', password: PASSWORD })
    assert.equal(asked.status, 200)
    assert.deepEqual([asked.body.email, asked.body.pending_email], [email, 'new@elsewhere.test'])
    assert.ok((await subjectsTo(mail, email)).includes('Your email address is about to change'))
    const done = await verify(await tokenFor(mail, 'new@elsewhere.test', 'verify'))
    assert.equal(done.status, 200)
    assert.deepEqual(
      [done.body.email, done.body.pending_email, done.body.email_verified],
      ['new@elsewhere.test', null, true],
    )
    assert.ok((await subjectsTo(mail, email)).includes('Your email address was changed'))
    const login = (address: string) => mail.client().post('/api/auth/login', { email: address, password: PASSWORD })
    assert.equal((await login(email)).status, 401)
    assert.equal((await login('new@elsewhere.test')).status, 200)
    assert.equal((await row(id)).email, 'new@elsewhere.test')
    assert.equal((await client.get('/api/auth/me')).status, 200)
  })

  test('voids links that went to the old address', async () => {
    const { client, email, id } = await mail.signUp()
    const first = await tokenFor(mail, email, 'verify')
    await mail.client().post('/api/auth/password/forgot', { email })
    const reset = await tokenFor(mail, email, 'reset')
    await change(client, { email: 'second@elsewhere.test', password: PASSWORD })
    assert.equal((await verify(await tokenFor(mail, 'second@elsewhere.test', 'verify'))).status, 200)
    assert.equal((await verify(first)).status, 400)
    const { password_hash } = await row(id)
    const refused = await mail.client().post('/api/auth/password/reset', { token: reset, password: 'another phrase' })
    assert.equal(refused.status, 400)
    assert.equal((await row(id)).password_hash, password_hash)
  })

  test('to one that somebody took in the meantime is 409 and changes nothing', async () => {
    const { client, email, id } = await mail.signUp()
    await change(client, { email: 'wanted@elsewhere.test', password: PASSWORD })
    const token = await tokenFor(mail, 'wanted@elsewhere.test', 'verify')
    await mail.signUp('wanted@elsewhere.test')
    const answer = await verify(token)
    assert.deepEqual([answer.status, answer.body.name], [409, 'conflict'])
    assert.equal((await row(id)).email, email)
  })

  test('ends when the password is changed, as the letter to the old address says', async () => {
    const { client, email } = await mail.signUp()
    const thief = 'thief-with-a-session@example.test'
    assert.equal((await client.post('/api/account/email', { email: thief, password: PASSWORD })).status, 200)
    const token = await tokenFor(mail, thief, 'verify')
    const change = { current_password: PASSWORD, password: 'another long pass phrase' }
    const changed = await client.post('/api/account/password', change)
    assert.deepEqual([changed.status, changed.body.pending_email], [200, null])
    const redeemed = await mail.client().post('/api/auth/verify', { token })
    assert.deepEqual([redeemed.status, redeemed.body.name], [400, 'validation_error'])
    assert.equal((await client.get('/api/auth/me')).body.email, email)
  })

  test('a second wish replaces the first', async () => {
    const { client, id } = await mail.signUp()
    await change(client, { email: 'one@elsewhere.test', password: PASSWORD })
    await change(client, { email: 'two@elsewhere.test', password: PASSWORD })
    assert.equal((await verify(await tokenFor(mail, 'one@elsewhere.test', 'verify'))).status, 400)
    assert.equal((await row(id)).pending_email, 'two@elsewhere.test')
  })

  test('is refused with its reason, sends nothing and changes nothing', async () => {
    const { client, email, id } = await mail.signUp()
    const before = await row(id)
    const cases: [unknown, number, string, RegExp][] = [
      [{ email: 'target@elsewhere.test', password: 'not mine at all' }, 400, 'validation_error', /`password`/],
      [{ email: 'owner@example.test', password: PASSWORD }, 409, 'conflict', /exists/],
      [{ email, password: PASSWORD }, 400, 'validation_error', /`email`/],
      [{ email: 'nobody', password: PASSWORD }, 400, 'validation_error', /`email`/],
      [{ password: PASSWORD }, 422, 'missing_required_field', /`email`/],
      [{ email: 'target@elsewhere.test' }, 422, 'missing_required_field', /`password`/],
    ]
    for (const [body, status, name, message] of cases) {
      const answer = await change(client, body)
      assert.deepEqual([answer.status, answer.body.name], [status, name])
      assert.match(answer.body.message, message)
    }
    assert.equal((await change(mail.client(), { email: 'x@y.test', password: PASSWORD })).status, 401)
    assert.deepEqual(await row(id), before)
    assert.deepEqual(await systemMailTo(mail, 'target@elsewhere.test'), [])
  })

  test('mails one new address three times in an hour, then 429', async () => {
    const { client } = await mail.signUp()
    for (let count = 0; count < 3; count += 1)
      assert.equal((await change(client, { email: 'victim@elsewhere.test', password: PASSWORD })).status, 200)
    const refused = await change(client, { email: 'victim@elsewhere.test', password: PASSWORD })
    assert.deepEqual([refused.status, refused.body.name], [429, 'rate_limit_exceeded'])
    assert.equal((await systemMailTo(mail, 'victim@elsewhere.test')).length, 3)
  })
})
