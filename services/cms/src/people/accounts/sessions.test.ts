import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type CmsService, PASSWORD, startCms } from '@stoa/tests/lib/cms.ts'

const MINUTE = 60_000
const DAY = 86_400_000

let service: CmsService
before(async () => {
  service = await startCms()
})
after(() => service.close())

const codeOf = async (token: string) => {
  const answer = await service.client({ token }).get('/api/auth/me')
  return answer.status === 200 ? 'ok' : `${answer.status} ${answer.body.code}`
}
const rowOf = (id: string) =>
  service.cms.database.db.selectFrom('session').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

describe('the life of a session', () => {
  test('each use within seven days gives it seven more', async () => {
    const person = await service.person('viewer')
    for (let n = 0; n < 3; n += 1) {
      service.clock.advance(6.9 * DAY)
      assert.equal(await codeOf(person.token), 'ok')
    }
    service.clock.advance(7 * DAY - 1)
    assert.equal(await codeOf(person.token), 'ok')
  })

  test('seven days without use end it', async () => {
    const person = await service.person('viewer')
    service.clock.advance(7 * DAY)
    assert.equal(await codeOf(person.token), '401 TOKEN_EXPIRED')
  })

  test('thirty days after the sign-in it ends, however much it is used', async () => {
    const person = await service.person('viewer')
    for (let n = 0; n < 29; n += 1) {
      service.clock.advance(DAY)
      assert.equal(await codeOf(person.token), 'ok')
    }
    service.clock.advance(DAY - 1)
    assert.equal(await codeOf(person.token), 'ok')
    service.clock.advance(1)
    assert.equal(await codeOf(person.token), '401 TOKEN_EXPIRED')
  })

  test('use is written down once a minute at most', async () => {
    const person = await service.person('viewer')
    const { last_seen_at: first } = await rowOf(person.sessionId)
    service.clock.advance(MINUTE - 1)
    await codeOf(person.token)
    assert.deepEqual((await rowOf(person.sessionId)).last_seen_at, first)
    service.clock.advance(1)
    await codeOf(person.token)
    assert.deepEqual((await rowOf(person.sessionId)).last_seen_at, service.clock.now())
  })

  test('a request costs one statement for session and person together', async () => {
    const person = await service.person('admin')
    const watch = service.cms.database.watchStatements()
    assert.equal(await codeOf(person.token), 'ok')
    watch.stop()
    assert.equal(watch.texts.length, 1)
    assert.match(watch.texts[0] ?? '', /from session s join account a/)
  })

  test('sessions that ended long ago are forgotten', async () => {
    const person = await service.person('viewer')
    service.clock.advance(38 * DAY)
    await service.client().post('/api/auth/login', { email: person.email, password: PASSWORD })
    const left = await service.cms.database.db
      .selectFrom('session')
      .select('id')
      .where('id', '=', person.sessionId)
      .execute()
    assert.deepEqual(left, [])
    assert.equal(await codeOf(person.token), '401 INVALID_TOKEN')
  })
})

describe('signing out', () => {
  test('C13: ends this session on the server, clears cookie and browser cache, and leaves the others', async () => {
    const person = await service.person('viewer')
    const other = await service.openSession(person.id)
    const browser = service.client({ cookie: person.token })
    const answer = await browser.post('/api/auth/logout', undefined, { 'sec-fetch-site': 'same-origin' })
    assert.equal(answer.status, 204)
    assert.equal(answer.headers.get('set-cookie'), 'cms_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax')
    assert.equal(answer.headers.get('clear-site-data'), '"cache"')
    assert.equal(await codeOf(person.token), '401 TOKEN_REVOKED')
    assert.equal(await codeOf(other.token), 'ok')
  })

  test('a second time is refused', async () => {
    const person = await service.person('viewer')
    assert.equal((await person.client.post('/api/auth/logout')).status, 204)
    assert.equal((await person.client.post('/api/auth/logout')).body.code, 'TOKEN_REVOKED')
  })
})

describe('own sessions', () => {
  test('are listed with the current one marked, the latest used first, and without the ended ones', async () => {
    const person = await service.person('viewer')
    const ended = await service.openSession(person.id)
    await service.client({ token: ended.token }).post('/api/auth/logout')
    service.clock.advance(2 * MINUTE)
    const phone = await service
      .client()
      .post('/api/auth/login', { email: person.email, password: PASSWORD }, { 'user-agent': 'Phone/1' })
    const client = service.client({ token: phone.body.token })
    const { body } = await client.get('/api/auth/sessions')
    assert.deepEqual(body.meta, { total: 2, page: 1, limit: 25, pages: 1 })
    const [first, second] = body.items
    assert.deepEqual(Object.keys(first), ['id', 'current', 'ip', 'userAgent', 'createdAt', 'lastSeenAt', 'expiresAt'])
    assert.equal(first.current, true)
    assert.equal(first.userAgent, 'Phone/1')
    assert.match(first.ip, /^10\.0\./)
    assert.equal(first.expiresAt, new Date(service.clock.now().getTime() + 7 * DAY).toISOString())
    assert.equal(second.current, false)
    assert.equal(second.id, person.sessionId)
  })

  test('are paged', async () => {
    const person = await service.person('viewer')
    for (let n = 0; n < 4; n += 1) await service.openSession(person.id)
    const { body } = await person.client.get('/api/auth/sessions?limit=2&page=3')
    assert.equal(body.items.length, 1)
    assert.deepEqual(body.meta, { total: 5, page: 3, limit: 2, pages: 3 })
  })

  test('can be ended one by one; ending the current one clears the cookie', async () => {
    const person = await service.person('viewer')
    const other = await service.openSession(person.id)
    assert.equal((await person.client.delete(`/api/auth/sessions/${other.id}`)).status, 204)
    assert.equal(await codeOf(other.token), '401 TOKEN_REVOKED')
    const own = await person.client.delete(`/api/auth/sessions/${person.sessionId}`)
    assert.equal(own.status, 204)
    assert.match(own.headers.get('set-cookie') ?? '', /^cms_session=; /)
    assert.equal(await codeOf(person.token), '401 TOKEN_REVOKED')
  })

  test('can all be ended but the current one', async () => {
    const person = await service.person('viewer')
    const other = await service.openSession(person.id)
    const stranger = await service.person('viewer')
    assert.equal((await person.client.delete('/api/auth/sessions')).status, 204)
    assert.deepEqual(
      [await codeOf(person.token), await codeOf(other.token), await codeOf(stranger.token)],
      ['ok', '401 TOKEN_REVOKED', 'ok'],
    )
  })

  test("somebody else's, an ended one, an unknown and a malformed id are all not found, and nothing ends", async () => {
    const person = await service.person('owner')
    const stranger = await service.person('viewer')
    const ended = await service.openSession(person.id)
    await person.client.delete(`/api/auth/sessions/${ended.id}`)
    for (const id of [stranger.sessionId, ended.id, person.id, '1', '%00', "' or 1=1", 'x'.repeat(400)]) {
      const answer = await person.client.delete(`/api/auth/sessions/${encodeURIComponent(id)}`)
      assert.equal(answer.status, 404)
      assert.equal(answer.body.code, 'NOT_FOUND')
    }
    assert.deepEqual([await codeOf(person.token), await codeOf(stranger.token)], ['ok', 'ok'])
  })
})

describe('changing the own password', () => {
  const NEW = 'nine lanterns on the pier'

  test('C13: ends all other sessions, keeps this one, and only the new password works', async () => {
    const person = await service.person('viewer')
    const other = await service.openSession(person.id)
    const answer = await person.client.post('/api/auth/password', { currentPassword: PASSWORD, newPassword: NEW })
    assert.equal(answer.status, 200)
    assert.equal(answer.body.id, person.id)
    assert.equal(await codeOf(person.token), 'ok')
    assert.equal(await codeOf(other.token), '401 TOKEN_REVOKED')
    const signIn = (password: string) => service.client().post('/api/auth/login', { email: person.email, password })
    assert.equal((await signIn(PASSWORD)).status, 401)
    assert.equal((await signIn(NEW)).status, 200)
    assert.equal((await person.client.get('/api/auth/me')).body.version, 2)
  })

  test('with a wrong current password is refused and changes nothing', async () => {
    const person = await service.person('viewer')
    const other = await service.openSession(person.id)
    const answer = await person.client.post('/api/auth/password', { currentPassword: 'wrong', newPassword: NEW })
    assert.equal(answer.status, 403)
    assert.equal(answer.body.code, 'REAUTH_REQUIRED')
    assert.equal(await codeOf(other.token), 'ok')
    const signIn = await service.client().post('/api/auth/login', { email: person.email, password: PASSWORD })
    assert.equal(signIn.status, 200)
  })

  test('a new password that is too short or too long is refused by name', async () => {
    const person = await service.person('viewer')
    for (const newPassword of ['seven77', 'x'.repeat(1025)]) {
      const answer = await person.client.post('/api/auth/password', { currentPassword: PASSWORD, newPassword })
      assert.equal(answer.status, 400, newPassword)
      assert.equal(answer.body.details.fields[0].key, 'newPassword')
    }
    assert.equal((await person.client.get('/api/auth/me')).body.version, 1)
  })

  test('a stolen session is no way to guess the password: ten wrong ones, then it waits', async () => {
    const person = await service.person('viewer')
    const guess = () => person.client.post('/api/auth/password', { currentPassword: 'guess', newPassword: NEW })
    for (let n = 0; n < 10; n += 1) assert.equal((await guess()).status, 403)
    const limited = await person.client.post('/api/auth/password', { currentPassword: PASSWORD, newPassword: NEW })
    assert.equal(limited.body.code, 'LOGIN_LIMITED')
  })
})

describe('a restart', () => {
  test('with the same SECRET keeps all sessions', async () => {
    const person = await service.person('viewer')
    const again = await startCms({ databaseUrl: service.databaseUrl, clock: service.clock })
    assert.equal((await again.client({ token: person.token }).get('/api/auth/me')).status, 200)
    await again.close()
  })

  test('C35: with another SECRET ends all sessions', async () => {
    const person = await service.person('viewer')
    const env = { SECRET: 'another secret of the tests, long enough too' }
    const again = await startCms({ databaseUrl: service.databaseUrl, clock: service.clock, env })
    assert.equal((await again.client({ token: person.token }).get('/api/auth/me')).body.code, 'INVALID_TOKEN')
    await again.close()
    assert.equal(await codeOf(person.token), 'ok')
  })
})
