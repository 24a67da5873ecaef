import assert from 'node:assert/strict'
import { argon2Sync, randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { type MailAnswer, type MailService, PASSWORD, startMail } from '@stoa/tests/lib/mail.ts'
import { lightPasswords, realPasswords } from '@stoa/tests/lib/password-work.ts'
import { MAX_ATTEMPTS } from '../../hosting/sign-in-limit/sign-in-limit.ts'

let mail: MailService
before(async () => {
  mail = await startMail()
})
after(() => mail.close())

const MINUTE = 60_000

describe('sign-in', () => {
  test('answers 200 with the user, a new session and the time of the sign-in', async () => {
    const { client: first, email } = await mail.signUp()
    mail.clock.advance(MINUTE)
    const client = mail.client()
    const answer = await client.post('/api/auth/login', { email: ` ${email.toUpperCase()} `, password: PASSWORD })
    assert.equal(answer.status, 200)
    assert.equal(answer.body.email, email)
    assert.equal(answer.body.last_login_at, mail.clock.now().toISOString())
    assert.notEqual(client.cookie, first.cookie)
    assert.equal((await client.get('/api/auth/me')).status, 200)
    assert.equal((await first.get('/api/auth/me')).status, 200)
  })

  test('gives a new session, whatever cookie came with it (no fixation)', async () => {
    const { client: victim, email } = await mail.signUp()
    const { client: attacker } = await mail.signUp()
    const planted = attacker.cookie
    const browser = mail.client({ ...(planted && { cookie: planted }) })
    await browser.post('/api/auth/login', { email, password: PASSWORD })
    assert.notEqual(browser.cookie, planted)
    assert.equal((await browser.get('/api/auth/me')).body.email, email)
    assert.notEqual((await attacker.get('/api/auth/me')).body.email, email)
    assert.equal((await victim.get('/api/auth/me')).status, 200)
  })

  test('answers an unknown address and a wrong password with the same bytes', async () => {
    const { email, id } = await mail.signUp()
    const sessions = () => mail.database.db.selectFrom('session').select('id').where('account_id', '=', id).execute()
    const before = await sessions()
    const wrong = await mail.client().post('/api/auth/login', { email, password: 'not the pass phrase' })
    const attempts = ['nobody@example.test', 'not an address', `${email}.test`, '', '\u212Aate@example.test']
    for (const unknown of attempts) {
      const answer = await mail.client().post('/api/auth/login', { email: unknown, password: 'not the pass phrase' })
      assert.deepEqual(comparable(answer), comparable(wrong), unknown)
    }
    assert.equal(wrong.status, 401)
    assert.deepEqual(wrong.body, {
      statusCode: 401,
      name: 'unauthorized',
      message: 'Wrong email address or password.',
    })
    assert.deepEqual(await sessions(), before)
  })

  test('works as hard for an unknown address as for a wrong password', async () => {
    const { email } = await mail.signUp()
    const timeOf = async (address: string): Promise<number> => {
      const started = performance.now()
      await mail.client().post('/api/auth/login', { email: address, password: 'not the pass phrase' })
      return performance.now() - started
    }
    const known: number[] = []
    const unknown: number[] = []
    for (let round = 0; round < 9; round += 1) {
      known.push(await timeOf(email))
      unknown.push(await timeOf(`nobody-${round}@example.test`))
    }
    // Without the work, an unknown address would be answered some ten times as fast.
    const ratio = median(unknown) / median(known)
    assert.ok(ratio > 0.3 && ratio < 3, `ratio ${ratio}`)
  })

  const refused: [string, unknown, number, string][] = [
    ['no e-mail', { password: PASSWORD }, 422, 'missing_required_field'],
    ['no password', { email: 'x@example.test' }, 422, 'missing_required_field'],
    ['an object as password', { email: 'x@example.test', password: { $gt: '' } }, 400, 'validation_error'],
    ['a list as e-mail', { email: ['x@example.test'], password: PASSWORD }, 400, 'validation_error'],
    ['a password over 1024 bytes', { email: 'x@example.test', password: 'x'.repeat(1025) }, 400, 'validation_error'],
    ['an address over 254', { email: 'x'.repeat(255), password: PASSWORD }, 400, 'validation_error'],
  ]
  for (const [what, body, status, name] of refused)
    test(`refuses ${what} with ${status}`, async () => {
      const answer = await mail.client().post('/api/auth/login', body)
      assert.deepEqual([answer.status, answer.body.name], [status, name])
    })

  test('stores a password again when its hash is of older parameters', async (t) => {
    realPasswords()
    t.after(lightPasswords)
    const { email, id } = await mail.signUp()
    // argon2id of PASSWORD with less memory than today.
    const old = weakHash(PASSWORD)
    await mail.database.tx((tx) => tx.updateTable('account').set({ password_hash: old }).where('id', '=', id).execute())
    assert.equal((await mail.client().post('/api/auth/login', { email, password: PASSWORD })).status, 200)
    const stored = await hashOf(id)
    assert.notEqual(stored, old)
    assert.match(stored, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    assert.equal((await mail.client().post('/api/auth/login', { email, password: PASSWORD })).status, 200)
    assert.equal(await hashOf(id), stored)
  })
})

describe('wrong passwords', () => {
  const login = (ip: string, email: string, password: string) => {
    // A second between attempts keeps the limit per second out of the way.
    mail.clock.advance(1000)
    return mail.client({ ip }).post('/api/auth/login', { email, password })
  }
  /** The first attempt, and as many unseen ones that ten in all are left: each costs a hash. */
  const tryAllButNine = async (ip: string, email: string) => {
    const first = await login(ip, email, 'wrong 1')
    await mail.database.tx((tx) =>
      tx
        .updateTable('password_attempt')
        .set((update) => ({ used: update('used', '+', MAX_ATTEMPTS - 10) }))
        .execute(),
    )
    return first
  }

  test('are refused after 100 in 15 minutes from one address, also the right one, and the rest of the world is not', async () => {
    const { email, id } = await mail.signUp()
    assert.equal((await tryAllButNine('198.51.100.7', email)).status, 401)
    for (let tried = 2; tried <= 10; tried += 1) {
      const spelling = tried % 2 ? email : email.toUpperCase()
      assert.equal((await login('198.51.100.7', spelling, `wrong ${tried}`)).status, 401, `attempt ${tried}`)
    }
    const { last_login_at: before } = await lastLogin(id)
    const locked = await login('198.51.100.7', email, PASSWORD)
    assert.equal(locked.status, 429)
    assert.equal(locked.body.name, 'rate_limit_exceeded')
    assert.equal(locked.headers.get('ratelimit-limit'), '5')
    assert.equal(locked.headers.get('ratelimit-remaining'), '0')
    assert.equal(locked.headers.get('retry-after'), '890')
    assert.equal(locked.headers.get('ratelimit-reset'), '890')
    assert.deepEqual(locked.headers.getSetCookie(), [])
    assert.deepEqual((await lastLogin(id)).last_login_at, before)
    assert.equal((await login('198.51.100.8', email, PASSWORD)).status, 200)
    assert.equal((await login('198.51.100.7', email, PASSWORD)).status, 429)
    mail.clock.advance(15 * MINUTE)
    assert.equal((await login('198.51.100.7', email, PASSWORD)).status, 200)
  })

  test('are counted for unknown addresses too', async () => {
    await tryAllButNine('198.51.100.20', 'ghost@example.test')
    for (let tried = 2; tried <= 10; tried += 1)
      assert.equal((await login('198.51.100.20', 'ghost@example.test', 'wrong')).status, 401)
    assert.equal((await login('198.51.100.20', 'ghost@example.test', 'wrong')).status, 429)
  })

  test('are counted over all processes of the service', async (context) => {
    const { email } = await mail.signUp()
    const second = await startMail({ databaseUrl: mail.databaseUrl })
    context.after(() => second.close())
    await tryAllButNine('198.51.100.21', email)
    for (let tried = 2; tried <= 10; tried += 1) await login('198.51.100.21', email, 'wrong')
    second.clock.set(mail.clock.now())
    const there = await second.client({ ip: '198.51.100.21' }).post('/api/auth/login', { email, password: PASSWORD })
    assert.equal(there.status, 429)
  })

  test('are forgotten after the right one', async () => {
    const { email } = await mail.signUp()
    await tryAllButNine('198.51.100.9', email)
    for (let tried = 2; tried <= 9; tried += 1) await login('198.51.100.9', email, 'wrong')
    assert.equal((await login('198.51.100.9', email, PASSWORD)).status, 200)
    for (let tried = 1; tried <= 3; tried += 1) assert.equal((await login('198.51.100.9', email, 'wrong')).status, 401)
  })

  test('of one moment are counted one by one', async () => {
    const { email } = await mail.signUp()
    await tryAllButNine('198.51.100.10', email)
    for (let tried = 2; tried <= 8; tried += 1) await login('198.51.100.10', email, 'wrong')
    mail.clock.advance(1000)
    const racing = Array.from({ length: 5 }, () =>
      mail.client({ ip: '198.51.100.10' }).post('/api/auth/login', { email, password: 'wrong' }),
    )
    const statuses = (await Promise.all(racing)).map(({ status }) => status).sort()
    assert.deepEqual(statuses, [401, 401, 429, 429, 429])
  })

  test('leave nothing behind: ended counts are removed by later attempts', async () => {
    mail.clock.advance(16 * MINUTE)
    for (let tried = 0; tried < 8; tried += 1) await login('198.51.100.11', `later-${tried}@example.test`, 'wrong')
    const left = await mail.database.db.selectFrom('password_attempt').selectAll().execute()
    assert.equal(left.filter((row) => row.ends_at <= mail.clock.now()).length, 0)
    assert.equal(JSON.stringify(left).includes('example.test'), false)
  })
})

describe('secrets', () => {
  test('are in no answer and no log line', async () => {
    const { client, email } = await mail.signUp()
    const answers = [
      await client.get('/api/auth/me'),
      await client.get('/api/account/sessions'),
      await client.post('/api/auth/login', { email, password: PASSWORD }),
      await mail.client().post('/api/auth/login', { email, password: 'my other secret' }),
      await mail.client().post('/api/auth/signup', { email, password: 'my other secret' }),
      await client.post('/api/account/password', { current_password: 'my other secret', password: PASSWORD }),
    ]
    const cookie = client.cookie ?? ''
    assert.ok(mail.logs.some((line) => line.includes('sign-in refused')))
    const spoken = answers.map(({ text }) => text).join('\n') + mail.logs.join('\n')
    for (const secret of [
      PASSWORD,
      'my other secret',
      '$argon2',
      'password_hash',
      'token',
      cookie,
      cookie.slice(0, 43),
    ])
      assert.equal(spoken.includes(secret), false, secret)
  })
})

const comparable = ({ status, text, headers }: MailAnswer) => ({
  status,
  text,
  headers: [...headers].filter(([name]) => name !== 'date' && name !== 'x-request-id'),
})

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

const hashOf = async (id: string): Promise<string> =>
  (await mail.database.db.selectFrom('account').select('password_hash').where('id', '=', id).executeTakeFirstOrThrow())
    .password_hash

const lastLogin = (id: string) =>
  mail.database.db.selectFrom('account').select('last_login_at').where('id', '=', id).executeTakeFirstOrThrow()

const weakHash = (plain: string): string => {
  const salt = randomBytes(16)
  const parameters = { message: plain, nonce: salt, memory: 8192, passes: 1, parallelism: 1, tagLength: 32 }
  const bare = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
  return `$argon2id$v=19$m=8192,t=1,p=1$${bare(salt)}$${bare(argon2Sync('argon2id', parameters))}`
}
