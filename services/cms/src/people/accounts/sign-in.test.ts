import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { passwordLoad } from '@stoa/kit/crypto/password.ts'
import { type CmsService, PASSWORD, type Person, startCms, untilWaiting } from '@stoa/tests/lib/cms.ts'
import { lightPasswords, realPasswords } from '@stoa/tests/lib/password-work.ts'
import type { CmsTx } from '../../context.ts'

let service: CmsService
before(async () => {
  service = await startCms()
})
after(() => service.close())

const signIn = (email: string, password = PASSWORD) => service.client().post('/api/auth/login', { email, password })
const sessions = () => service.cms.database.db.selectFrom('session').selectAll().orderBy('id').execute()

describe('signing in', () => {
  test('answers token, expiry and person, and sets the cookie', async () => {
    const person = await service.person('author', { name: 'Ada' })
    const client = service.client()
    const answer = await client.post('/api/auth/login', { email: person.email, password: PASSWORD })
    assert.equal(answer.status, 200)
    assert.deepEqual(Object.keys(answer.body), ['token', 'expiresAt', 'user'])
    assert.match(answer.body.token, /^cmsses_[\w-]{43}$/)
    assert.equal(answer.body.expiresAt, '2026-03-08T12:00:00.000Z')
    assert.deepEqual(answer.body.user, {
      id: person.id,
      email: person.email,
      name: 'Ada',
      role: 'author',
      avatarUrl: null,
      totp: false,
      version: 1,
      createdAt: '2026-03-01T12:00:00.000Z',
      updatedAt: '2026-03-01T12:00:00.000Z',
      permissions: ['content.read', 'content.write', 'media.manage', 'social.write'],
    })
    assert.equal(
      answer.headers.get('set-cookie'),
      `cms_session=${answer.body.token}; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax`,
    )
    assert.equal(answer.headers.get('cache-control'), 'no-store')
  })

  test('takes the address in any case and with space around it', async () => {
    const person = await service.person('viewer', { email: 'Mixed.Case@Example.test' })
    assert.equal((await signIn('  mixed.CASE@example.TEST ')).body.user.id, person.id)
  })

  test('the cookie is Secure where PUBLIC_URL is https', async () => {
    const secure = await startCms({ env: { PUBLIC_URL: 'https://cms.test' } })
    const answer = await secure
      .client()
      .post('/api/auth/setup', { email: 'a@example.test', name: 'A', password: PASSWORD })
    assert.match(answer.headers.get('set-cookie') ?? '', /; Secure$/)
    assert.match(answer.headers.get('strict-transport-security') ?? '', /max-age=63072000/)
    await secure.close()
  })

  test('C31: an unknown address, a wrong password and a deactivated person get the same bytes', async () => {
    const person = await service.person('viewer')
    const gone = await service.person('viewer')
    await service.cms.database.tx((tx) =>
      tx.updateTable('account').set({ deactivated_at: service.clock.now() }).where('id', '=', gone.id).execute(),
    )
    const answers = await Promise.all([
      signIn('nobody@example.test'),
      signIn(person.email, 'not the password'),
      signIn(gone.email),
      signIn('not an address'),
    ])
    const shape = ({ status, text, headers }: (typeof answers)[number]) => ({
      status,
      text,
      headers: [...headers].filter(([name]) => !['x-request-id', 'date'].includes(name)),
    })
    const [first] = answers
    assert.ok(first)
    assert.equal(first.status, 401)
    assert.equal(first.body.code, 'INVALID_CREDENTIALS')
    for (const answer of answers) assert.deepEqual(shape(answer), shape(first))
  })

  test('C31: an unknown address and a wrong password take the same work', async () => {
    const person = await service.person('viewer')
    const hashesFor = async (email: string) => {
      const { made } = passwordLoad()
      await signIn(email, 'not the password')
      return passwordLoad().made - made
    }
    assert.deepEqual([await hashesFor(person.email), await hashesFor('nobody@example.test')], [1, 1])
  })

  test('C39: every sign-in has a new token, and ends the session this browser held', async () => {
    const person = await service.person('viewer')
    const browser = service.client()
    const first = await browser.post('/api/auth/login', { email: person.email, password: PASSWORD })
    const origin = { 'sec-fetch-site': 'same-origin' }
    const second = await browser.post('/api/auth/login', { email: person.email, password: PASSWORD }, origin)
    assert.notEqual(first.body.token, second.body.token)
    const old = await service.client({ token: first.body.token }).get('/api/auth/me')
    assert.equal(old.body.code, 'TOKEN_REVOKED')
    assert.equal((await browser.get('/api/auth/me')).status, 200)
  })

  test('C39: a token chosen by someone else is never adopted', async () => {
    const person = await service.person('viewer')
    const planted = `cmsses_${'A'.repeat(43)}`
    const browser = service.client({ cookie: planted })
    const answer = await browser.post('/api/auth/login', { email: person.email, password: PASSWORD })
    assert.notEqual(answer.body.token, planted)
    assert.equal((await service.client({ token: planted }).get('/api/auth/me')).body.code, 'INVALID_TOKEN')
  })

  test('a page of another site cannot sign anybody in', async () => {
    const person = await service.person('viewer')
    const before = await sessions()
    for (const headers of [{ origin: 'https://evil.test' }, { 'sec-fetch-site': 'cross-site' }, { origin: 'null' }]) {
      const body = { email: person.email, password: PASSWORD }
      const answer = await service.client().post('/api/auth/login', body, headers as Record<string, string>)
      assert.equal(answer.body.code, 'CSRF')
      assert.equal(answer.headers.get('set-cookie'), null)
    }
    assert.deepEqual(await sessions(), before)
  })

  test('C33: every byte of a long password counts, and more than 1024 bytes is refused at once', async () => {
    const owner = await service.person('owner')
    const long = 'é'.repeat(512)
    const made = await owner.client.post('/api/users', {
      email: 'long@example.test',
      name: 'Long',
      role: 'viewer',
      password: long,
    })
    assert.equal(made.status, 201)
    assert.equal((await signIn('long@example.test', long)).status, 200)
    assert.equal((await signIn('long@example.test', `${'é'.repeat(511)}e`)).status, 401)
    const over = await signIn('long@example.test', `${long}x`)
    assert.equal(over.status, 400)
    assert.deepEqual(
      over.body.details.fields.map((field: { key: string }) => field.key),
      ['password'],
    )
  })

  test('a password with weaker parameters is hashed again at sign-in, and still works', async (t) => {
    realPasswords()
    t.after(lightPasswords)
    const person = await service.person('viewer')
    const weak = await weakHash(PASSWORD)
    await service.cms.database.tx((tx) =>
      tx.updateTable('account').set({ password_hash: weak }).where('id', '=', person.id).execute(),
    )
    assert.equal((await signIn(person.email)).status, 200)
    const { password_hash, version } = await service.cms.database.db
      .selectFrom('account')
      .select(['password_hash', 'version'])
      .where('id', '=', person.id)
      .executeTakeFirstOrThrow()
    assert.match(password_hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    assert.equal(version, 1)
    assert.equal((await signIn(person.email)).status, 200)
  })

  test('C42: neither password nor token is ever logged', async () => {
    const person = await service.person('viewer')
    const answer = await signIn(person.email)
    await signIn(person.email, 'a wrong but secret guess')
    await service.client({ token: answer.body.token }).get('/api/auth/me')
    const text = service.logs.join('')
    for (const secret of [PASSWORD, 'a wrong but secret guess', answer.body.token]) assert.ok(!text.includes(secret))
    assert.ok(text.includes('sign-in refused'))
  })

  test('C84: tokens are not in the database, only their keyed hash', async () => {
    const person = await service.person('viewer')
    const { token } = (await signIn(person.email)).body
    const dump =
      JSON.stringify(await sessions()) +
      JSON.stringify(await service.cms.database.db.selectFrom('account').selectAll().execute())
    assert.ok(!dump.includes(token) && !dump.includes(token.slice(7)) && !dump.includes(PASSWORD))
  })
})

describe('a sign-in that races a change', () => {
  /** Signs in with what is right until `change` commits, which it does once the sign-in waits for it. */
  const signInDuring = async (person: Person, change: (tx: CmsTx) => Promise<unknown>) => {
    const changed = Promise.withResolvers<void>()
    const changing = service.cms.database.tx(async (tx) => {
      await change(tx)
      changed.resolve()
      await untilWaiting(tx, 1)
    })
    await changed.promise
    const [answer] = await Promise.all([signIn(person.email), changing])
    return answer
  }

  test('with a new password is refused, and leaves no session', async () => {
    const person = await service.person('viewer')
    const before = await sessions()
    const answer = await signInDuring(person, (tx) =>
      tx.updateTable('account').set({ password_hash: 'another' }).where('id', '=', person.id).execute(),
    )
    assert.equal(answer.body.code, 'INVALID_CREDENTIALS')
    assert.deepEqual(await sessions(), before)
  })

  test('with a deactivation is refused, and leaves no session', async () => {
    const person = await service.person('viewer')
    const before = await sessions()
    const answer = await signInDuring(person, (tx) =>
      tx.updateTable('account').set({ deactivated_at: service.clock.now() }).where('id', '=', person.id).execute(),
    )
    assert.equal(answer.body.code, 'INVALID_CREDENTIALS')
    assert.deepEqual(await sessions(), before)
  })
})

/** What an older release would have stored: argon2id with one pass over 8 MiB. */
const weakHash = async (password: string): Promise<string> => {
  const { argon2Sync, randomBytes } = await import('node:crypto')
  const nonce = randomBytes(16)
  const hash = argon2Sync('argon2id', {
    message: password,
    nonce,
    memory: 8192,
    passes: 1,
    parallelism: 1,
    tagLength: 32,
  })
  const text = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
  return `$argon2id$v=19$m=8192,t=1,p=1$${text(nonce)}$${text(hash)}`
}
