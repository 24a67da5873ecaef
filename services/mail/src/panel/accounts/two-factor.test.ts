import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { decodeBase32, totpCode } from '@stoa/kit/crypto/totp.ts'
import { type MailClient, type MailService, PASSWORD, startMail } from '@stoa/tests/lib/mail.ts'
import { subjectsTo, tokenFor } from '../../hosting/system-mail/testing/sent.ts'

let mail: MailService
before(async () => {
  mail = await startMail()
})
after(() => mail.close())

const STEP_MS = 30_000
const codeOf = (secret: string, steps = 0): string =>
  totpCode(decodeBase32(secret), Math.floor(mail.clock.now().getTime() / STEP_MS) + steps)
const setUp = async (client: MailClient): Promise<string> => {
  const answer = await client.post('/api/auth/totp/setup', { password: PASSWORD })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.secret
}
/** An account that asks for codes; a step later, so that the next code is a new one. */
const protectedAccount = async () => {
  const { client, email, id } = await mail.signUp()
  const secret = await setUp(client)
  const answer = await client.post('/api/auth/totp/enable', { code: codeOf(secret) })
  assert.equal(answer.status, 200, answer.text)
  mail.clock.advance(STEP_MS)
  const recoveryCodes: string[] = answer.body.recovery_codes
  return { client, email, id, secret, recoveryCodes }
}
const login = (email: string, more: object = {}) =>
  mail.client().post('/api/auth/login', { email, password: PASSWORD, ...more })
const me = async (client: MailClient) => (await client.get('/api/auth/me')).body

describe('two-factor authentication', () => {
  test('is begun with the password, and changes nothing before it is confirmed', async () => {
    const { client, email } = await mail.signUp()
    const answer = await client.post('/api/auth/totp/setup', { password: PASSWORD })
    assert.equal(answer.status, 200)
    const { secret, otpauth_url, qr_svg, expires_at, object } = answer.body
    assert.equal(object, 'totp_setup')
    assert.match(secret, /^[A-Z2-7]{32}$/)
    assert.ok(
      otpauth_url.startsWith(`otpauth://totp/Stoa%20Mail%20(mail.test):${encodeURIComponent(email)}?secret=${secret}&`),
    )
    assert.match(qr_svg, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 \d+ \d+"/)
    assert.equal(expires_at, new Date(mail.clock.now().getTime() + 15 * 60_000).toISOString())
    assert.equal((await me(client)).totp_enabled, false)
    assert.equal((await login(email)).status, 200)
    const wrong = await client.post('/api/auth/totp/setup', { password: 'not mine at all' })
    assert.deepEqual([wrong.status, wrong.body.name], [400, 'validation_error'])
    assert.equal((await client.post('/api/auth/totp/setup', {})).status, 422)
    assert.equal((await mail.client().post('/api/auth/totp/setup', { password: PASSWORD })).status, 401)
  })

  test('is switched on by the first code, shows ten recovery codes once, ends other sessions and notifies the owner', async () => {
    const { client, email, id } = await mail.signUp()
    const other = mail.client({ cookie: await mail.openSession(id) })
    const secret = await setUp(client)
    const answer = await client.post('/api/auth/totp/enable', { code: codeOf(secret) })
    assert.equal(answer.status, 200)
    assert.equal(answer.body.recovery_codes.length, 10)
    for (const code of answer.body.recovery_codes) assert.match(code, /^\w{5}-\w{5}$/)
    assert.equal((await me(client)).totp_enabled, true)
    assert.equal((await other.get('/api/auth/me')).status, 401)
    assert.ok((await subjectsTo(mail, email)).includes('Two-factor authentication is on'))
    const again = await client.post('/api/auth/totp/setup', { password: PASSWORD })
    assert.deepEqual([again.status, again.body.name], [409, 'conflict'])
    assert.equal((await client.post('/api/auth/totp/enable', { code: codeOf(secret) })).status, 409)
  })

  test('keeps the secret sealed and the recovery codes as hashes', async () => {
    const { id, secret, recoveryCodes } = await protectedAccount()
    const kept = await mail.database.db.selectFrom('two_factor').selectAll().where('account_id', '=', id).execute()
    assert.equal(JSON.stringify(kept).includes(secret), false)
    const hashes = await mail.database.db.selectFrom('recovery_code').selectAll().where('account_id', '=', id).execute()
    assert.equal(hashes.length, 10)
    const logged = mail.logs.join('')
    assert.equal(
      [secret, ...recoveryCodes].some((text) => logged.includes(text)),
      false,
    )
  })

  test('is not confirmed without a beginning, with a wrong code or after 15 minutes', async () => {
    const { client } = await mail.signUp()
    const none = await client.post('/api/auth/totp/enable', { code: '123456' })
    assert.deepEqual([none.status, none.body.name], [409, 'conflict'])
    const secret = await setUp(client)
    const wrong = await client.post('/api/auth/totp/enable', { code: codeOf(secret, 5) })
    assert.deepEqual([wrong.status, wrong.body.name], [400, 'validation_error'])
    assert.equal((await client.post('/api/auth/totp/enable', {})).status, 422)
    mail.clock.advance(15 * 60_000)
    assert.equal((await client.post('/api/auth/totp/enable', { code: codeOf(secret) })).status, 409)
    assert.equal((await me(client)).totp_enabled, false)
  })

  test('asks for a code only after the right password, and a wrong code is answered as a wrong password', async () => {
    const { email, secret } = await protectedAccount()
    const missing = await login(email)
    assert.deepEqual(missing.body, {
      statusCode: 422,
      name: 'missing_required_field',
      message: 'Missing `totp_code` field.',
    })
    assert.deepEqual(missing.headers.getSetCookie(), [])
    const wrongPassword = await login(email, { password: 'not the phrase' })
    const wrongCode = await login(email, { totp_code: codeOf(secret, 5) })
    assert.equal(wrongPassword.status, 401)
    assert.deepEqual(wrongCode.body, wrongPassword.body)
    assert.equal((await login(email, { password: 'not the phrase', totp_code: codeOf(secret) })).status, 401)
    assert.equal((await login(email, { totp_code: codeOf(secret) })).status, 200)
  })

  test('takes a code once, also from ten at the same moment', async () => {
    const { email, secret } = await protectedAccount()
    const code = codeOf(secret)
    const racing = await Promise.all(Array.from({ length: 4 }, () => login(email, { totp_code: code })))
    assert.deepEqual(racing.map(({ status }) => status).sort(), [200, 401, 401, 401])
    mail.clock.advance(15 * 60_000)
    const next = codeOf(secret)
    assert.equal((await login(email, { totp_code: next })).status, 200)
    assert.equal((await login(email, { totp_code: next })).status, 401)
  })

  test('accepts a recovery code once, in any spelling, and notifies the owner', async () => {
    const { email, recoveryCodes } = await protectedAccount()
    const [first = '', second = ''] = recoveryCodes
    assert.equal((await login(email, { totp_code: ` ${first.toUpperCase().replace('-', ' ')} ` })).status, 200)
    assert.equal((await login(email, { totp_code: first })).status, 401)
    assert.equal((await login(email, { totp_code: second })).status, 200)
    assert.equal((await subjectsTo(mail, email)).filter((each) => each === 'A recovery code was used').length, 2)
  })

  test('refuses a sign-in after 5 wrong codes in 15 minutes, from wherever, also the right one', async () => {
    const { client, email, secret } = await protectedAccount()
    for (let count = 0; count < 5; count += 1)
      assert.equal((await login(email, { totp_code: '000000' })).status, 401, `attempt ${count}`)
    const locked = await login(email, { totp_code: codeOf(secret) })
    assert.deepEqual([locked.status, locked.body.name], [429, 'rate_limit_exceeded'])
    mail.clock.advance(15 * 60_000)
    assert.equal((await login(email, { totp_code: codeOf(secret) })).status, 200)
    assert.equal((await me(client)).totp_enabled, true)
  })

  test('counts wrong codes of a session apart from those of sign-in, in both directions', async () => {
    const { client, email, secret } = await protectedAccount()
    const disable = async (code: string) =>
      (await client.post('/api/auth/totp/disable', { password: PASSWORD, code })).status
    for (let count = 0; count < 5; count += 1) assert.equal(await disable('000000'), 400, `attempt ${count}`)
    assert.equal(await disable(codeOf(secret)), 429)
    assert.equal((await login(email, { totp_code: codeOf(secret) })).status, 200)
    mail.clock.advance(15 * 60_000)
    for (let count = 0; count < 6; count += 1) await login(email, { totp_code: '000000' })
    assert.equal((await login(email, { totp_code: codeOf(secret) })).status, 429)
    assert.equal(await disable(codeOf(secret)), 200)
    assert.equal((await me(client)).totp_enabled, false)
  })

  test('is switched off by password and code, and nothing of it stays', async () => {
    const { client, email, id, secret } = await protectedAccount()
    const off = (body: unknown) => client.post('/api/auth/totp/disable', body)
    assert.equal((await off({ password: 'not mine at all', code: codeOf(secret) })).status, 400)
    assert.equal((await off({ password: PASSWORD, code: '000000' })).status, 400)
    assert.equal((await off({ password: PASSWORD })).status, 422)
    assert.equal((await off({ code: codeOf(secret) })).status, 422)
    assert.equal((await me(client)).totp_enabled, true)
    const done = await off({ password: PASSWORD, code: codeOf(secret) })
    assert.deepEqual([done.status, done.body], [200, { object: 'totp', enabled: false }])
    assert.equal((await login(email)).status, 200)
    assert.ok((await subjectsTo(mail, email)).includes('Two-factor authentication is off'))
    const left = await mail.database.db
      .selectFrom('recovery_code')
      .select('code_hash')
      .where('account_id', '=', id)
      .execute()
    assert.deepEqual(left, [])
    assert.equal((await off({ password: PASSWORD, code: codeOf(secret) })).status, 409)
  })

  test('stays on when the password is reset', async () => {
    const { email, secret } = await protectedAccount()
    await mail.client().post('/api/auth/password/forgot', { email })
    const token = await tokenFor(mail, email, 'reset')
    const password = 'a phrase after the reset'
    assert.equal((await mail.client().post('/api/auth/password/reset', { token, password })).status, 200)
    assert.equal((await login(email, { password })).status, 422)
    assert.equal((await login(email, { password, totp_code: codeOf(secret) })).status, 200)
  })

  test('is required again for a new e-mail address and for deleting the account', async () => {
    const { client, secret } = await protectedAccount()
    const wanted = { email: 'moved@elsewhere.test', password: PASSWORD }
    assert.equal((await client.post('/api/account/email', wanted)).status, 422)
    assert.equal((await client.post('/api/account/email', { ...wanted, totp_code: '000000' })).status, 400)
    assert.equal((await me(client)).pending_email, null)
    assert.equal((await client.post('/api/account/email', { ...wanted, totp_code: codeOf(secret) })).status, 200)
    const end = (body: unknown) => client.send('DELETE', '/api/account', { body })
    assert.equal((await end({ password: PASSWORD })).status, 422)
    assert.equal((await end({ password: PASSWORD, totp_code: codeOf(secret) })).status, 400)
    mail.clock.advance(STEP_MS)
    assert.equal((await client.get('/api/auth/me')).status, 200)
    assert.equal((await end({ password: PASSWORD, totp_code: codeOf(secret) })).status, 200)
  })
})
