import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type MailService, PASSWORD, startMail } from '@stoa/tests/lib/mail.ts'
import { planIdOf } from '../../hosting/plans/offers.ts'

const countAccounts = async (mail: MailService, role?: 'owner' | 'member'): Promise<number> => {
  const rows = await mail.database.db.selectFrom('account').select('role').execute()
  return rows.filter((row) => role === undefined || row.role === role).length
}

describe('the first account', () => {
  test('owns the instance, also when sign-ups are closed', async (context) => {
    const mail = await startMail({ env: { SIGNUPS: 'closed' } })
    context.after(() => mail.close())
    const before = await mail.client().get('/api/auth/signups')
    assert.deepEqual(before.body, { object: 'signup_status', open: true, first_account: true, reason: null })
    const { client } = await mail.signUp()
    assert.equal((await client.get('/api/auth/me')).body.role, 'owner')
    const after = await mail.client().get('/api/auth/signups')
    assert.deepEqual(after.body, { object: 'signup_status', open: false, first_account: false, reason: 'closed' })
  })

  test('is exactly one owner out of 20 that race for it', async (context) => {
    const mail = await startMail()
    context.after(() => mail.close())
    const racing = Array.from({ length: 20 }, () => mail.signUp())
    const accounts = await Promise.all(racing)
    const roles = await Promise.all(accounts.map(async ({ client }) => (await client.get('/api/auth/me')).body.role))
    assert.equal(roles.filter((role) => role === 'owner').length, 1)
    assert.equal(await countAccounts(mail, 'owner'), 1)
    assert.equal(await countAccounts(mail), 20)
  })

  test('is the only one out of 20 that race for a closed instance', async (context) => {
    const mail = await startMail({ env: { SIGNUPS: 'closed' } })
    context.after(() => mail.close())
    const racing = Array.from({ length: 20 }, (_, at) =>
      mail.client().post('/api/auth/signup', { email: `racer-${at}@example.test`, password: PASSWORD }),
    )
    const statuses = (await Promise.all(racing)).map(({ status }) => status).sort()
    assert.deepEqual(statuses, [201, ...Array.from({ length: 19 }, () => 403)])
    assert.equal(await countAccounts(mail), 1)
  })
})

describe('sign-up', () => {
  let mail: MailService
  before(async () => {
    mail = await startMail()
    await mail.signUp('owner@example.test')
  })
  after(() => mail.close())

  const signUp = (body: unknown) => mail.client().post('/api/auth/signup', body)

  test('answers 201 with the whole user and signs in', async () => {
    const client = mail.client()
    const answer = await client.post('/api/auth/signup', {
      email: ' Ann@Example.TEST ',
      password: PASSWORD,
      name: ' Ann ',
      role: 'owner',
      email_verified: true,
      unknown: 1,
    })
    assert.equal(answer.status, 201)
    const { id, referral_code, ...rest } = answer.body
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/)
    assert.match(referral_code, /^[A-Za-z0-9]{10}$/)
    assert.deepEqual(rest, {
      object: 'user',
      email: 'ann@example.test',
      email_verified: false,
      pending_email: null,
      name: 'Ann',
      company: null,
      role: 'member',
      timezone: 'UTC',
      locale: 'en',
      totp_enabled: false,
      notifications: {
        security: true,
        domain_status: true,
        quota_warnings: true,
        billing: true,
        webhook_failures: true,
        transfer_results: true,
        product_updates: false,
        weekly_summary: false,
      },
      plan_id: planIdOf('unlimited'),
      bounce_suppression_days: 90,
      created_at: '2026-03-01T12:00:00.000Z',
      updated_at: '2026-03-01T12:00:00.000Z',
      last_login_at: '2026-03-01T12:00:00.000Z',
    })
    assert.deepEqual((await client.get('/api/auth/me')).body, answer.body)
  })

  test('sets an HttpOnly, SameSite=Lax cookie of 14 days without a Domain, Secure only for https', async (context) => {
    const answer = await signUp({ email: 'cookie@example.test', password: PASSWORD })
    const [line = '', ...more] = answer.headers.getSetCookie()
    assert.equal(more.length, 0)
    const attributes = 'Path=/; Max-Age=1209600; HttpOnly; SameSite=Lax'
    assert.match(line, new RegExp(`^mail_session=[\\w-]{43}\\.[\\w-]{43}; ${attributes}$`))
    const secure = await startMail({
      databaseUrl: mail.databaseUrl,
      env: { MAIL_PUBLIC_URL: 'https://mail.example.test' },
    })
    context.after(() => secure.close())
    const [secureLine] = (
      await secure.client().post('/api/auth/signup', { email: 'secure@example.test', password: PASSWORD })
    ).headers.getSetCookie()
    assert.match(secureLine ?? '', /; Secure$/)
  })

  test('refuses a taken address with 409 whatever its case, and changes nothing', async () => {
    const { email } = await mail.signUp('taken@example.test')
    const row = () =>
      mail.database.db.selectFrom('account').selectAll().where('email', '=', email).executeTakeFirstOrThrow()
    const before = await row()
    for (const spelling of ['taken@example.test', 'TAKEN@EXAMPLE.TEST', ' Taken@Example.Test ']) {
      const answer = await signUp({ email: spelling, password: 'another long phrase' })
      assert.equal(answer.status, 409)
      assert.equal(answer.body.name, 'conflict')
      assert.deepEqual(answer.headers.getSetCookie(), [])
    }
    assert.deepEqual(await row(), before)
  })

  test('makes one account out of 10 that race for the same address', async () => {
    const racing = Array.from({ length: 10 }, () => signUp({ email: 'same@example.test', password: PASSWORD }))
    const statuses = (await Promise.all(racing)).map(({ status }) => status).sort()
    assert.deepEqual(statuses, [201, ...Array.from({ length: 9 }, () => 409)])
  })

  test('is 403 when closed, whatever the body, and makes no account', async (context) => {
    const closed = await startMail({ databaseUrl: mail.databaseUrl, env: { SIGNUPS: 'closed' } })
    context.after(() => closed.close())
    const before = await countAccounts(mail)
    for (const body of [{ email: 'late@example.test', password: PASSWORD }, {}, '[', { email: 'owner@example.test' }]) {
      const answer = await closed.client().post('/api/auth/signup', body)
      assert.equal(answer.status, 403)
      assert.equal(answer.body.name, 'forbidden')
    }
    assert.equal(await countAccounts(mail), before)
  })

  const refused: [string, Record<string, unknown>, number, RegExp][] = [
    ['no e-mail', { password: PASSWORD }, 422, /^Missing `email` field\.$/],
    ['no password', { email: 'x@example.test' }, 422, /^Missing `password` field\.$/],
    ['nothing', {}, 422, /^Missing `email` field\.$/],
    ['a wrong member and an absent one', { email: 5 }, 422, /^Missing `password` field\.$/],
    ['null as e-mail', { email: null, password: PASSWORD }, 400, /`email`/],
    ['a number as e-mail', { email: 5, password: PASSWORD }, 400, /`email`/],
    ['a list as e-mail', { email: ['x@example.test'], password: PASSWORD }, 400, /`email`/],
    ['no address', { email: 'nobody', password: PASSWORD }, 400, /`email`/],
    ['an address over 254', { email: `x@${'a.'.repeat(130)}test`, password: PASSWORD }, 400, /`email`/],
    ['a line break', { email: 'x@example.test\r\nBcc: y@example.test', password: PASSWORD }, 400, /`email`/],
    ['a password of 7 bytes', { email: 'x@example.test', password: 'xq7!kz2' }, 400, /`password`/],
    ['a password over 1024 bytes', { email: 'x@example.test', password: 'é'.repeat(513) }, 400, /`password`/],
    ['an object as password', { email: 'x@example.test', password: { $ne: 1 } }, 400, /`password`/],
    ['a common password', { email: 'x@example.test', password: 'PassWord123' }, 400, /`password`/],
    ['a name with a line break', { email: 'x@example.test', password: PASSWORD, name: 'a\nb' }, 400, /`name`/],
    ['a name over 200', { email: 'x@example.test', password: PASSWORD, name: 'a'.repeat(201) }, 400, /`name`/],
    ['an unknown code', { email: 'x@example.test', password: PASSWORD, referral_code: 'x' }, 400, /`referral_code`/],
  ]
  for (const [what, body, status, message] of refused)
    test(`refuses ${what} with ${status} and makes no account`, async () => {
      const before = await countAccounts(mail)
      const answer = await signUp(body)
      assert.equal(answer.status, status)
      assert.equal(answer.body.name, status === 422 ? 'missing_required_field' : 'validation_error')
      assert.match(answer.body.message, message)
      assert.equal(await countAccounts(mail), before)
    })

  test('accepts passwords of 8 and of 1024 bytes, and every byte of them counts', async () => {
    const long = `${'é'.repeat(511)}xy`
    assert.equal((await signUp({ email: 'long@example.test', password: long })).status, 201)
    const login = (password: string) => mail.client().post('/api/auth/login', { email: 'long@example.test', password })
    assert.equal((await login(long)).status, 200)
    assert.equal((await login(`${long.slice(0, -1)}z`)).status, 401)
    assert.equal((await signUp({ email: 'short@example.test', password: 'q7!kz2wp' })).status, 201)
  })

  test('remembers who referred the account', async () => {
    const { client, id } = await mail.signUp()
    const { referral_code } = (await client.get('/api/auth/me')).body
    assert.equal((await signUp({ email: 'friend@example.test', password: PASSWORD, referral_code })).status, 201)
    const friend = await mail.database.db
      .selectFrom('account')
      .select('referred_by')
      .where('email', '=', 'friend@example.test')
      .executeTakeFirst()
    assert.equal(friend?.referred_by, id)
  })

  test('stores the password as argon2id and the session token as a hash only', async () => {
    const { client, id } = await mail.signUp()
    const account = await mail.database.db
      .selectFrom('account')
      .select('password_hash')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    assert.match(account.password_hash, /^\$argon2id\$/)
    const session = await mail.database.db
      .selectFrom('session')
      .selectAll()
      .where('account_id', '=', id)
      .executeTakeFirstOrThrow()
    assert.equal(session.token_hash.length, 32)
    const stored = JSON.stringify({ ...session, token_hash: session.token_hash.toString('base64url') })
    for (const part of client.cookie?.split('.') ?? []) assert.equal(stored.includes(part), false)
  })
})
