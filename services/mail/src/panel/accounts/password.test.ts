import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type MailClient, type MailService, PASSWORD, startMail } from '@stoa/tests/lib/mail.ts'
import { until } from '@stoa/tests/lib/waiting.ts'
import { MAX_REAUTH_ATTEMPTS } from '../../hosting/sign-in-limit/sign-in-limit.ts'

let mail: MailService
before(async () => {
  mail = await startMail()
})
after(() => mail.close())

const NEW = 'quite another phrase'
const change = (client: MailClient, body: unknown) => client.post('/api/account/password', body)
const login = (email: string, password: string) => mail.client().post('/api/auth/login', { email, password })
const hashOf = async (id: string) =>
  (await mail.database.db.selectFrom('account').select('password_hash').where('id', '=', id).executeTakeFirst())
    ?.password_hash

describe('changing the password', () => {
  test('takes the new one, refuses the old one, ends every other session and keeps this one', async () => {
    const { client, email, id } = await mail.signUp()
    const other = mail.client({ cookie: await mail.openSession(id) })
    const stranger = await mail.signUp()
    mail.clock.advance(1000)
    const answer = await change(client, { current_password: PASSWORD, password: NEW })
    assert.equal(answer.status, 200)
    assert.equal(answer.body.object, 'user')
    assert.equal(answer.body.updated_at, mail.clock.now().toISOString())
    assert.equal((await client.get('/api/auth/me')).status, 200)
    assert.equal((await other.get('/api/auth/me')).status, 401)
    assert.equal((await stranger.client.get('/api/auth/me')).status, 200)
    assert.equal((await login(email, PASSWORD)).status, 401)
    assert.equal((await login(email, NEW)).status, 200)
  })

  const refused: [string, unknown, number, string, RegExp][] = [
    [
      'a wrong current one',
      { current_password: 'wrong', password: NEW },
      400,
      'validation_error',
      /`current_password`/,
    ],
    ['an empty current one', { current_password: '', password: NEW }, 400, 'validation_error', /`current_password`/],
    ['no current one', { password: NEW }, 422, 'missing_required_field', /^Missing `current_password` field\.$/],
    ['no new one', { current_password: PASSWORD }, 422, 'missing_required_field', /^Missing `password` field\.$/],
    ['a short one', { current_password: PASSWORD, password: 'short' }, 400, 'validation_error', /`password`/],
    ['a common one', { current_password: PASSWORD, password: 'password1' }, 400, 'validation_error', /`password`/],
    ['a list', { current_password: [PASSWORD], password: NEW }, 400, 'validation_error', /`current_password`/],
  ]
  for (const [what, body, status, name, message] of refused)
    test(`refuses ${what} with ${status} and changes nothing`, async () => {
      const { client, id } = await mail.signUp()
      const other = mail.client({ cookie: await mail.openSession(id) })
      const before = await hashOf(id)
      const answer = await change(client, body)
      assert.deepEqual([answer.status, answer.body.name], [status, name])
      assert.match(answer.body.message, message)
      assert.equal(await hashOf(id), before)
      assert.equal((await other.get('/api/auth/me')).status, 200)
    })

  test('cannot be used to guess the password: after 10 wrong ones at any route it is 429 for 15 minutes', async () => {
    const { client, email, id } = await mail.signUp()
    const before = await hashOf(id)
    const guesses = [
      () => change(client, { current_password: 'wrong', password: NEW }),
      () => client.post('/api/auth/totp/setup', { password: 'wrong' }),
      () => client.post('/api/account/email', { email: 'moved@elsewhere.test', password: 'wrong' }),
      () => client.send('DELETE', '/api/account', { body: { password: 'wrong' } }),
    ]
    for (let count = 0; count < MAX_REAUTH_ATTEMPTS; count += 1)
      assert.equal((await guesses[count % guesses.length]?.())?.status, 400, `guess ${count}`)
    for (const guess of guesses) assert.equal((await guess()).status, 429)
    // Signing in is another matter.
    assert.equal((await login(email, PASSWORD)).status, 200)
    const locked = await change(client, { current_password: PASSWORD, password: NEW })
    assert.equal(locked.status, 429)
    assert.equal(locked.headers.get('retry-after'), '900')
    assert.equal(await hashOf(id), before)
    mail.clock.advance(15 * 60_000)
    assert.equal((await change(client, { current_password: PASSWORD, password: NEW })).status, 200)
  })

  test('is not kept from anybody by wrong passwords at sign-in, and right ones are never counted', async () => {
    const { client, email } = await mail.signUp()
    for (let count = 0; count < MAX_REAUTH_ATTEMPTS + 1; count += 1) {
      mail.clock.advance(1_000)
      assert.equal((await login(email, 'wrong')).status, 401)
    }
    for (let count = 0; count < MAX_REAUTH_ATTEMPTS + 1; count += 1)
      assert.equal((await client.post('/api/auth/totp/setup', { password: PASSWORD })).status, 200, `setup ${count}`)
    assert.equal((await change(client, { current_password: PASSWORD, password: NEW })).status, 200)
  })

  test('by two at the same moment succeeds for one, and the other is rejected', async () => {
    const { client, email, id } = await mail.signUp()
    const second = mail.client({ cookie: await mail.openSession(id) })
    const answers = await Promise.all([
      change(client, { current_password: PASSWORD, password: `${NEW} 0` }),
      change(second, { current_password: PASSWORD, password: `${NEW} 1` }),
    ])
    const winner = answers.findIndex(({ status }) => status === 200)
    const loser = answers[1 - winner]
    assert.ok(winner >= 0 && loser && [400, 401, 409].includes(loser.status), JSON.stringify(answers))
    assert.equal((await login(email, `${NEW} ${winner}`)).status, 200)
    assert.equal((await login(email, `${NEW} ${1 - winner}`)).status, 401)
  })

  test('leaves no session that signed in with the old password meanwhile', async () => {
    const { client, email, id } = await mail.signUp()
    const [changed, ...logins] = await Promise.all([
      change(client, { current_password: PASSWORD, password: NEW }),
      ...Array.from({ length: 6 }, () => login(email, PASSWORD)),
    ])
    assert.equal(changed?.status, 200)
    for (const { status } of logins) assert.ok(status === 200 || status === 401)
    assert.equal((await sessionsOf(id)).length, 1)
    assert.equal((await client.get('/api/auth/me')).status, 200)
  })

  test('refuses a sign-in whose password was right when it was checked and is not any more', async () => {
    const { email, id } = await mail.signUp()
    const before = await sessionsOf(id)
    const signIn = await mail.database.tx(async (tx) => {
      await tx.selectFrom('account').select('id').where('id', '=', id).forUpdate().execute()
      const late = login(email, PASSWORD)
      await untilBlocked()
      await tx.updateTable('account').set({ password_hash: 'changed' }).where('id', '=', id).execute()
      return { late }
    })
    assert.equal((await signIn.late).status, 401)
    assert.deepEqual(await sessionsOf(id), before)
  })
})

const sessionsOf = (id: string) =>
  mail.database.db.selectFrom('session').select('id').where('account_id', '=', id).execute()

/** Comes back once a statement of the service waits for a row that another transaction holds. */
const untilBlocked = async (): Promise<void> => {
  const text = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await until(async () => (await mail.database.db.query({ text })).length > 0, 'a statement waits for the row')
}
