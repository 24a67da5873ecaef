import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type MailService, PASSWORD, startMail } from '@stoa/tests/lib/mail.ts'

let mail: MailService
/** Someone for the tests that leave the account as it was. */
let person: { email: string; id: string }
before(async () => {
  mail = await startMail()
  person = await mail.signUp()
})
after(() => mail.close())

const OWN = 'http://mail.test'

const signedIn = async () => mail.client({ cookie: await mail.openSession(person.id) })
const sessions = () => mail.database.db.selectFrom('session').select('id').where('account_id', '=', person.id).execute()

/** What a browser sends about the origin of a request, and whether it may write. */
const senders: [string, Record<string, string>, boolean][] = [
  ['nothing (curl, automation)', {}, true],
  ['its own site', { 'sec-fetch-site': 'same-origin' }, true],
  ['the person (address bar)', { 'sec-fetch-site': 'none' }, true],
  ['its own origin', { origin: OWN }, true],
  ['its own site and origin', { 'sec-fetch-site': 'same-origin', origin: OWN }, true],
  ['another site', { 'sec-fetch-site': 'cross-site' }, false],
  ['a sister host', { 'sec-fetch-site': 'same-site' }, false],
  ['another site that claims our origin', { 'sec-fetch-site': 'cross-site', origin: OWN }, false],
  ['an unknown word', { 'sec-fetch-site': 'friendly' }, false],
  ['another origin', { origin: 'http://evil.test' }, false],
  ['no origin (sandbox)', { origin: 'null' }, false],
  ['an empty origin', { origin: '' }, false],
  ['our name with another scheme', { origin: 'https://mail.test' }, false],
  ['our name with another port', { origin: 'http://mail.test:8080' }, false],
  ['our name as a beginning', { origin: 'http://mail.test.evil.test' }, false],
  ['our name as an end', { origin: 'http://evilmail.test' }, false],
]

describe('a write with the cookie', () => {
  for (const [who, headers, isAllowed] of senders)
    test(`sent by ${who} is ${isAllowed ? 'accepted' : 'refused and changes nothing'}`, async () => {
      const client = await signedIn()
      await mail.openSession(person.id)
      const before = await sessions()
      assert.ok(before.length > 1)
      const answer = await client.post('/api/account/sessions/revoke-others', undefined, headers)
      assert.equal(answer.status, isAllowed ? 200 : 403)
      if (!isAllowed) assert.equal(answer.body.name, 'forbidden')
      assert.equal((await sessions()).length, isAllowed ? 1 : before.length)
    })
})

describe('signing in and out', () => {
  for (const [who, headers, isAllowed] of senders)
    test(`from ${who} is ${isAllowed ? 'accepted' : 'refused'}`, async () => {
      // Sign-ins of one account are limited per second, and the clock stands still.
      mail.clock.advance(1000)
      const client = await signedIn()
      const answer = await mail.client().post('/api/auth/login', { email: person.email, password: PASSWORD }, headers)
      assert.equal(answer.status, isAllowed ? 200 : 403)
      assert.equal(answer.headers.getSetCookie().length, isAllowed ? 1 : 0)
      const { cookie = '' } = client
      assert.equal((await client.post('/api/auth/logout', undefined, headers)).status, isAllowed ? 200 : 403)
      assert.equal((await mail.client({ cookie }).get('/api/auth/me')).status, isAllowed ? 401 : 200)
    })
})

describe('a body', () => {
  const types: [string, boolean][] = [
    ['application/json', true],
    ['application/json; charset=utf-8', true],
    ['Application/JSON', true],
    ['text/plain', false],
    ['text/plain; application/json', false],
    ['application/x-www-form-urlencoded', false],
    ['multipart/form-data; boundary=x', false],
    ['application/jsonp', false],
    ['application/json-patch+json', false],
    ['', false],
  ]
  for (const [type, isAllowed] of types)
    test(`of type '${type}' is ${isAllowed ? 'read' : 'refused with 403 and does nothing'}`, async () => {
      const { client, id } = await mail.signUp()
      const hash = () =>
        mail.database.db.selectFrom('account').select('password_hash').where('id', '=', id).executeTakeFirst()
      const before = await hash()
      const body = JSON.stringify({ current_password: PASSWORD, password: 'another long phrase' })
      const answer = await client.post('/api/account/password', body, { 'content-type': type })
      assert.equal(answer.status, isAllowed ? 200 : 403)
      if (!isAllowed) {
        assert.equal(answer.body.name, 'forbidden')
        assert.deepEqual(await hash(), before)
      }
    })

  test('that is empty needs no type', async () => {
    const { client } = await mail.signUp()
    assert.equal((await client.post('/api/account/sessions/revoke-others')).status, 200)
    assert.equal((await client.post('/api/account/sessions/revoke-others', '')).status, 200)
    const form = { 'content-type': 'text/plain' }
    assert.equal((await client.post('/api/account/sessions/revoke-others', '', form)).status, 200)
    assert.equal((await client.post('/api/account/sessions/revoke-others', 'x', form)).status, 403)
  })
})

describe('another website', () => {
  test('is never allowed to read a response', async () => {
    const { client } = await mail.signUp()
    for (const origin of ['http://evil.test', 'null', OWN]) {
      const answer = await client.get('/api/auth/me', { headers: { origin } })
      assert.equal(answer.headers.get('access-control-allow-origin'), null)
      assert.equal(answer.headers.get('access-control-allow-credentials'), null)
      const asked = await client.send('OPTIONS', '/api/auth/me', {
        headers: { origin, 'access-control-request-method': 'POST' },
      })
      assert.equal(asked.status, 405)
      assert.equal(asked.headers.get('access-control-allow-origin'), null)
    }
  })
})
