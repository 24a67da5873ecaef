import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { type MailClient, type MailService, startMail } from '@stoa/tests/lib/mail.ts'
import { plantAddress } from './testing/hosting.ts'

let mail: MailService
let client: MailClient
let accountId: string
before(async () => {
  mail = await startMail()
  const made = await mail.signUp()
  client = made.client
  accountId = made.id
})
after(() => mail.close())

let addresses = 0
const planted = () =>
  plantAddress(mail.database, `a${++addresses}@app-passwords.test`, { accountId, now: mail.clock.now() })
const pathOf = (addressId: string): string => `/api/addresses/${addressId}/app-passwords`
const opens = async (email: string, password: string, scope: 'imap' | 'pop3' | 'smtp' | 'webmail') =>
  (await mail.parts.credentials.check({ email, password, scope, ip: `192.0.2.${(addresses % 200) + 1}` })).ok

describe('an app password', () => {
  test('is shown once, opens the doors of its scopes, and shows when it was used', async () => {
    const { id, email } = await planted()
    const answer = await client.post(pathOf(id), { name: ' Phone ', scopes: ['imap', 'smtp', 'imap'] })
    assert.equal(answer.status, 201)
    const { token, ...shown } = answer.body
    assert.match(token, /^ap_[0-9A-Za-z]{32}$/)
    assert.deepEqual(shown, {
      object: 'app_password',
      id: shown.id,
      address_id: id,
      name: 'Phone',
      scopes: ['imap', 'smtp'],
      token_prefix: token.slice(0, 7),
      last_used_at: null,
      last_used_ip: null,
      expires_at: null,
      created_at: mail.clock.now().toISOString(),
    })
    assert.deepEqual([await opens(email, token, 'pop3'), await opens(email, token, 'webmail')], [false, false])
    assert.equal(await opens(email, token, 'imap'), true)
    const list = await client.get(pathOf(id))
    assert.deepEqual([list.body.total, list.body.data[0].last_used_at], [1, mail.clock.now().toISOString()])
    assert.doesNotMatch(list.text, new RegExp(token))
    assert.equal(
      mail.logs.some((line) => line.includes(token)),
      false,
    )
  })

  test('has all scopes by default, and expires in time', async () => {
    const { id, email } = await planted()
    const expires = new Date(mail.clock.now().getTime() + 60_000)
    const { body } = await client.post(pathOf(id), { name: 'x', expires_at: expires.toISOString() })
    assert.deepEqual(body.scopes, ['imap', 'pop3', 'smtp', 'managesieve', 'jmap'])
    assert.equal(body.expires_at, expires.toISOString())
    assert.equal(await opens(email, body.token, 'smtp'), true)
    mail.clock.advance(60_000)
    assert.equal(await opens(email, body.token, 'smtp'), false)
  })

  test('that was deleted opens nothing', async () => {
    const { id, email } = await planted()
    const { token, id: passwordId } = (await client.post(pathOf(id), { name: 'x' })).body
    const other = await planted()
    assert.equal((await client.send('DELETE', `${pathOf(other.id)}/${passwordId}`)).status, 404)
    assert.equal(await opens(email, token, 'imap'), true)
    const answer = await client.send('DELETE', `${pathOf(id)}/${passwordId}`)
    assert.deepEqual([answer.status, answer.body], [200, { object: 'app_password', id: passwordId, deleted: true }])
    assert.equal(await opens(email, token, 'imap'), false)
    for (const gone of [passwordId, newId(), 'x'])
      assert.equal((await client.send('DELETE', `${pathOf(id)}/${gone}`)).status, 404)
  })

  const bad: [string, object, number, string][] = [
    ['no name', {}, 422, 'missing_required_field'],
    ['an empty name', { name: ' ' }, 400, 'validation_error'],
    ['a long name', { name: 'x'.repeat(101) }, 400, 'validation_error'],
    ['no scopes', { name: 'x', scopes: [] }, 400, 'validation_error'],
    ['an unknown scope', { name: 'x', scopes: ['webmail'] }, 400, 'validation_error'],
    ['an expiry that has passed', { name: 'x', expires_at: '2020-01-01T00:00:00.000Z' }, 400, 'validation_error'],
    ['an expiry that is none', { name: 'x', expires_at: 'tomorrow' }, 400, 'validation_error'],
  ]
  for (const [what, body, status, name] of bad)
    test(`with ${what} is refused as ${name} and not made`, async () => {
      const { id } = await planted()
      const answer = await client.post(pathOf(id), body)
      assert.deepEqual([answer.status, answer.body.name], [status, name], answer.text)
      assert.equal((await client.get(pathOf(id))).body.total, 0)
    })

  test('is one of a hundred at most', async () => {
    const { id } = await planted()
    const rows = Array.from({ length: 100 }, (_, n) => ({
      address_id: id,
      id: newId(),
      name: `n${String(n).padStart(3, '0')}`,
      scopes: ['imap'],
      token_hash: Buffer.from(newId()),
      token_prefix: 'ap_xxxx',
      created_at: mail.clock.now(),
    }))
    await mail.database.tx((tx) => tx.insertInto('app_password').values(rows).execute())
    const answer = await client.post(pathOf(id), { name: 'x' })
    assert.deepEqual([answer.status, answer.body.name], [413, 'quota_exceeded'])
    const page = (await client.get(`${pathOf(id)}?sort=name&direction=asc&per_page=25&page=2`)).body
    assert.deepEqual([page.total, page.pages, page.data.length, page.data[0].name], [100, 4, 25, 'n025'])
    assert.equal((await client.get(`${pathOf(id)}?search=N09`)).body.total, 10)
    for (const sort of ['created_at', 'last_used_at'])
      assert.equal((await client.get(`${pathOf(id)}?sort=${sort}`)).body.data.length, 10)
  })
})
