import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type CmsService, PASSWORD, type Person, PUBLIC_URL, startCms } from '@stoa/tests/lib/cms.ts'
import { agentFor } from '../agent-keys/testing/agents.ts'

let service: CmsService
let person: Person
before(async () => {
  service = await startCms()
  person = await service.person('admin')
})
after(() => service.close())

const me = (headers: Record<string, string>) => service.client().get('/api/auth/me', headers)
const cookie = () => `cms_session=${person.token}`
const nameOf = async () => {
  const { name } = await service.cms.database.db
    .selectFrom('account')
    .select('name')
    .where('id', '=', person.id)
    .executeTakeFirstOrThrow()
  return name
}

describe('presenting a credential', () => {
  test('nothing at all asks to sign in, and names the scheme', async () => {
    const answer = await me({})
    assert.equal(answer.status, 401)
    assert.equal(answer.body.code, 'AUTH_REQUIRED')
    assert.equal(answer.headers.get('www-authenticate'), 'Bearer')
  })

  test('bearer and cookie both work; the scheme has no case', async () => {
    for (const headers of [
      { authorization: `Bearer ${person.token}` },
      { authorization: `bearer  ${person.token}` },
      { cookie: cookie() },
      { cookie: `a=b; ${cookie()}; c=d` },
    ])
      assert.equal((await me(headers as Record<string, string>)).body?.id, person.id)
  })

  test('the bearer wins over the cookie, also when it is wrong', async () => {
    const other = await service.person('viewer')
    const both = await me({ authorization: `Bearer ${other.token}`, cookie: cookie() })
    assert.equal(both.body.id, other.id)
    const wrong = await me({ authorization: 'Bearer cmsses_wrong', cookie: cookie() })
    assert.equal(wrong.body.code, 'INVALID_TOKEN')
  })

  for (const authorization of [
    'Bearer',
    'Bearer ',
    'Basic YTpi',
    'Bearer a b',
    'Bearer cmsses_',
    `Token ${'x'.repeat(50)}`,
    'Bearer null',
    'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.',
    `Bearer cmsses_${'A'.repeat(5000)}`,
  ])
    test(`C35: "${authorization.slice(0, 24)}" is no credential`, async () => {
      assert.equal((await me({ authorization })).body.code, 'INVALID_TOKEN')
    })

  test('C10: a delivery key is the wrong kind, as bearer and in its own header, without any lookup', async () => {
    const watch = service.cms.database.watchStatements()
    for (const headers of [
      { authorization: `Bearer cms_${'a'.repeat(43)}` },
      { 'x-api-key': `cms_${'a'.repeat(43)}` },
      { 'x-api-key': person.token },
    ]) {
      const answer = await me(headers as Record<string, string>)
      assert.equal(answer.status, 401)
      assert.equal(answer.body.code, 'WRONG_CREDENTIAL_KIND')
    }
    watch.stop()
    assert.deepEqual(watch.texts, [])
  })

  test('C10: an agent key that does not exist is not valid, after one lookup', async () => {
    const watch = service.cms.database.watchStatements()
    assert.equal((await me({ authorization: `Bearer cmsagt_${'a'.repeat(43)}` })).body.code, 'INVALID_TOKEN')
    watch.stop()
    assert.equal(watch.texts.length, 1)
  })

  test('C10: an agent key counts as bearer only: neither in X-Api-Key nor in the cookie, without any lookup', async () => {
    const { key } = await agentFor(service, person)
    assert.equal((await me({ authorization: `Bearer ${key}` })).body.id, person.id)
    const watch = service.cms.database.watchStatements()
    const elsewhere: Record<string, string>[] = [{ 'x-api-key': key }, { cookie: `cms_session=${key}` }]
    for (const headers of elsewhere) assert.equal((await me(headers)).body.code, 'WRONG_CREDENTIAL_KIND')
    watch.stop()
    assert.deepEqual(watch.texts, [])
    assert.equal((await me({ authorization: `Bearer ${key}`, cookie: cookie() })).status, 200)
  })

  test('C10: the kinds are distinguished by prefix: a key under another prefix is no credential', async () => {
    const { key } = await agentFor(service, person)
    const text = key.slice('cmsagt_'.length)
    assert.equal((await me({ authorization: `Bearer cmsses_${text}` })).body.code, 'INVALID_TOKEN')
    assert.equal((await me({ authorization: `Bearer cms_${text}` })).body.code, 'WRONG_CREDENTIAL_KIND')
    assert.equal((await me({ authorization: `Bearer ${text}` })).body.code, 'INVALID_TOKEN')
    assert.equal((await me({ authorization: `Bearer cmsagt_${person.token}` })).body.code, 'INVALID_TOKEN')
    assert.equal((await me({ authorization: `Bearer CMSAGT_${text}` })).body.code, 'INVALID_TOKEN')
  })

  test('C10: a token in the query is ignored', async () => {
    const { key } = await agentFor(service, person)
    for (const name of ['token', 'access_token', 'key', 'api_key', 'cms_session'])
      for (const token of [person.token, key])
        assert.equal((await service.client().get(`/api/auth/me?${name}=${token}`)).status, 401)
  })

  test('a header other than X-Forwarded-For never says who asks', async () => {
    const headers = { 'x-user-id': person.id, 'x-forwarded-user': person.email, 'x-original-url': '/api/auth/status' }
    assert.equal((await me(headers)).status, 401)
  })
})

describe('the cookie counts for the own origin only', () => {
  test('a read for a foreign page does not count it', async () => {
    for (const site of ['cross-site', 'same-site']) {
      const answer = await me({ cookie: cookie(), 'sec-fetch-site': site })
      assert.equal(answer.body.code, 'AUTH_REQUIRED')
    }
    for (const site of ['same-origin', 'none'])
      assert.equal((await me({ cookie: cookie(), 'sec-fetch-site': site })).status, 200)
  })

  const put = (headers: Record<string, string>) =>
    service.client().put(`/api/users/${person.id}`, { name: 'changed' }, headers)

  for (const headers of [
    {},
    { origin: 'https://evil.test' },
    { origin: 'null' },
    { origin: `${PUBLIC_URL}.evil.test` },
    { origin: 'https://cms.test' },
    { origin: `${PUBLIC_URL}:8080` },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site', origin: PUBLIC_URL },
    { referer: `${PUBLIC_URL}/admin/` },
  ] as Record<string, string>[])
    test(`C36: a write with ${JSON.stringify(headers)} is refused and changes nothing`, async () => {
      const before = await nameOf()
      const answer = await put({ ...headers, cookie: cookie() })
      assert.equal(answer.status, 403)
      assert.equal(answer.body.code, 'CSRF')
      assert.equal(await nameOf(), before)
    })

  for (const contentType of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])
    test(`C36: a write as ${contentType} is refused, even from the own origin`, async () => {
      const before = await nameOf()
      const answer = await service.client().send('PUT', `/api/users/${person.id}`, {
        body: '{"name":"changed"}',
        headers: { cookie: cookie(), origin: PUBLIC_URL, 'content-type': contentType },
      })
      assert.equal(answer.status, 415)
      assert.equal(answer.body.code, 'UNSUPPORTED_MEDIA')
      assert.equal(await nameOf(), before)
    })

  test('a write of the own page is done', async () => {
    for (const headers of [{ origin: PUBLIC_URL }, { 'sec-fetch-site': 'same-origin' }] as Record<string, string>[]) {
      const name = `changed ${JSON.stringify(headers)}`
      const answer = await service.client().put(`/api/users/${person.id}`, { name }, { ...headers, cookie: cookie() })
      assert.equal(answer.status, 200)
      assert.equal(await nameOf(), name)
    }
  })

  test('a bearer needs no origin: no browser sends it by itself', async () => {
    const answer = await put({ authorization: `Bearer ${person.token}`, origin: 'https://app.test' })
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('access-control-allow-origin'), null)
  })
})

test('the sign-in page of another site reads nothing: there is no CORS on the admin API', async () => {
  const answer = await service.client().send('OPTIONS', '/api/auth/login', {
    headers: { origin: 'https://evil.test', 'access-control-request-method': 'POST' },
  })
  assert.equal(answer.status, 405)
  assert.equal(answer.headers.get('access-control-allow-origin'), null)
  const login = await service
    .client()
    .post('/api/auth/login', { email: person.email, password: PASSWORD }, { origin: PUBLIC_URL })
  assert.equal(login.headers.get('access-control-allow-origin'), null)
})
