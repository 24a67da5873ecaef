import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type MailClient, type MailService, startMail } from '@stoa/tests/lib/mail.ts'
import { createAppPassword } from '../../../hosting/addresses/app-passwords.ts'
import {
  changeAddressPassword,
  deleteAddress,
  hashAddressPassword,
  updateAddress,
} from '../../../hosting/addresses/operations.ts'
import { purgeDeleted } from '../../../hosting/addresses/purge.ts'
import { MAILBOX_PASSWORD, type PlantedAddress, plantAddress } from '../../../hosting/addresses/testing/hosting.ts'

let mail: MailService
before(async () => {
  mail = await startMail()
})
after(() => mail.close())

const NOW = '2026-03-01T12:00:00.000Z'
const IN_TWELVE_HOURS = '2026-03-02T00:00:00.000Z'

let addresses = 0
const plant = (settings: { name?: string; quotaBytes?: number } = {}): Promise<PlantedAddress> =>
  plantAddress(mail.database, `person@w${++addresses}.test`, settings)
const login = (client: MailClient, email: string, password = MAILBOX_PASSWORD) =>
  client.post('/api/mail/login', { email, password })
const signedIn = async (address: PlantedAddress): Promise<MailClient> => {
  const client = mail.client()
  assert.equal((await login(client, address.email)).status, 200)
  return client
}
const rowsOf = (addressId: string) =>
  mail.database.db.selectFrom('webmail_session').selectAll().where('address_id', '=', addressId).execute()
const isIn = async (client: MailClient): Promise<boolean> => (await client.get('/api/mail/me')).status === 200

describe('signing in to webmail', () => {
  test('gives the mailbox and a cookie for twelve hours that scripts cannot read', async () => {
    const address = await plant({ name: 'Ada', quotaBytes: 5_000_000 })
    const client = mail.client()
    const answer = await login(client, address.email.toUpperCase())
    const expected = {
      object: 'mailbox',
      id: address.id,
      email: address.email,
      name: 'Ada',
      quota_bytes: 5_000_000,
      used_bytes: 0,
      scheduled: 0,
      session_expires_at: IN_TWELVE_HOURS,
    }
    assert.deepEqual([answer.status, answer.body], [200, expected])
    const [cookie = ''] = answer.headers.getSetCookie()
    assert.match(cookie, /^mail_webmail=[\w-]{43}\.[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Lax$/)
    assert.deepEqual((await client.get('/api/mail/me')).body, expected)
    const [row] = await rowsOf(address.id)
    assert.equal(row?.expires_at.toISOString(), IN_TWELVE_HOURS)
    assert.equal(row?.created_at.toISOString(), NOW)
    assert.equal(JSON.stringify(row).includes(client.webmailCookie?.split('.')[0] ?? ''), false)
  })

  test('is refused with one answer, for app passwords too, and opens nothing', async () => {
    const address = await plant()
    const input = { accountId: address.accountId, addressId: address.id, name: 'x', now: mail.clock.now() }
    const { token } = await mail.database.tx((tx) => createAppPassword(tx, input))
    const wrong: [string, string][] = [
      [address.email, 'wrong'],
      ['nobody@nowhere.test', MAILBOX_PASSWORD],
      ['no address', MAILBOX_PASSWORD],
      [address.email, token.reveal()],
    ]
    for (const [email, password] of wrong) {
      const { status, body, headers } = await login(mail.client(), email, password)
      const message = 'Wrong email address or password.'
      assert.deepEqual([status, body], [401, { statusCode: 401, name: 'unauthorized', message }], email)
      assert.deepEqual(headers.getSetCookie(), [])
      assert.equal(headers.get('www-authenticate'), null)
    }
    assert.deepEqual(await rowsOf(address.id), [])
    assert.equal((await mail.client().post('/api/mail/login', { email: address.email })).status, 422)
    assert.equal((await mail.client().post('/api/mail/login', { email: 1, password: 'x' })).status, 400)
  })

  test('is limited to five attempts a second per address of the network', async () => {
    const client = mail.client()
    const answers = []
    for (let n = 0; n < 6; n += 1) answers.push(await login(client, 'nobody@nowhere.test'))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [401, 401, 401, 401, 401, 429],
    )
    const { headers } = answers[5] ?? assert.fail()
    assert.deepEqual([headers.get('ratelimit-limit'), headers.get('retry-after')], ['5', '1'])
  })

  test('is limited to ten wrong passwords in a quarter of an hour, even with the right one', async () => {
    const address = await plant()
    const client = mail.client()
    for (let n = 0; n < 10; n += 1) {
      mail.clock.advance(1_000)
      assert.equal((await login(client, address.email, 'wrong')).status, 401)
    }
    mail.clock.advance(1_000)
    const limited = await login(client, address.email)
    assert.deepEqual([limited.status, limited.body.name], [429, 'rate_limit_exceeded'])
    assert.ok(Number(limited.headers.get('retry-after')) > 800)
    assert.equal((await login(mail.client(), address.email)).status, 200)
  })

  test('works with the mailbox password also where mail programs need app passwords', async () => {
    const address = await plant()
    const { accountId, id: addressId } = address
    const change = { requireAppPassword: true }
    await mail.database.tx((tx) => updateAddress(tx, { accountId, addressId, change, now: mail.clock.now() }))
    assert.equal(await isIn(await signedIn(address)), true)
  })
})

describe('a webmail session', () => {
  test('ends after twelve hours, whatever was done with it', async () => {
    const client = await signedIn(await plant())
    for (let n = 0; n < 11; n += 1) {
      mail.clock.advance(3_600_000)
      assert.equal(await isIn(client), true, `after ${n + 1} hours`)
    }
    mail.clock.advance(3_599_999)
    assert.equal(await isIn(client), true)
    mail.clock.advance(1)
    assert.equal(await isIn(client), false)
  })

  test('ends with sign-out, and only this one', async () => {
    const address = await plant()
    const [client, other] = [await signedIn(address), await signedIn(address)]
    const { webmailCookie = '' } = client
    const answer = await client.post('/api/mail/logout')
    assert.deepEqual([answer.status, answer.body], [200, { object: 'session', revoked: true }])
    assert.match(answer.headers.getSetCookie()[0] ?? '', /^mail_webmail=; Path=\/; Max-Age=0; /)
    assert.equal(await isIn(mail.client({ webmailCookie })), false)
    assert.equal(await isIn(other), true)
    assert.equal((await rowsOf(address.id)).length, 1)
    assert.equal((await mail.client().post('/api/mail/logout')).status, 200)
  })

  test('ends when the password is changed, the address switched off or deleted', async () => {
    const address = await plant()
    const { accountId, id: addressId } = address
    const now = mail.clock.now()
    const first = await signedIn(address)
    const passwordHash = await hashAddressPassword('a wholly new phrase')
    await mail.database.tx((tx) => changeAddressPassword(tx, { accountId, addressId, passwordHash, now }))
    assert.equal(await isIn(first), false)
    const second = mail.client()
    assert.equal((await login(second, address.email, 'a wholly new phrase')).status, 200)
    const enable = (enabled: boolean) =>
      mail.database.tx((tx) => updateAddress(tx, { accountId, addressId, change: { enabled }, now }))
    await enable(false)
    assert.equal(await isIn(second), false)
    await enable(true)
    assert.equal(await isIn(second), true)
    await mail.database.tx((tx) => deleteAddress(tx, { accountId, addressId, now }))
    assert.equal(await isIn(second), false)
    assert.equal((await rowsOf(addressId)).length, 2)
    await purgeDeleted({ ...mail.parts, now: new Date('2100-01-01T00:00:00.000Z') })
    assert.deepEqual(await rowsOf(addressId), [])
  })

  test('is published to all processes when it ends', async () => {
    const client = await signedIn(await plant())
    const changes: unknown[] = []
    const stop = mail.parts.bus.subscribe(
      (change) => void changes.push(change),
      () => undefined,
    )
    await client.post('/api/mail/logout')
    stop()
    assert.equal(changes.length, 1)
    assert.partialDeepStrictEqual(changes[0], { topic: 'webmail_session', event: 'ended' })
  })

  test('that has ended is removed with the next sign-in', async () => {
    const address = await plant()
    await signedIn(address)
    mail.clock.advance(12 * 3_600_000)
    await signedIn(address)
    assert.equal((await rowsOf(address.id)).length, 1)
  })

  test('is nothing in a service with another SECRET', async () => {
    const client = await signedIn(await plant())
    const { webmailCookie = '' } = client
    const env = { SECRET: 'another secret of the tests, as long as it must be' }
    const second = await startMail({ databaseUrl: mail.databaseUrl, env })
    assert.equal(await isIn(second.client({ webmailCookie })), false)
    await second.close()
    const third = await startMail({ databaseUrl: mail.databaseUrl })
    assert.equal(await isIn(third.client({ webmailCookie })), true)
    await third.close()
  })

  test('notes when it was used, once a minute, and costs four statements', async () => {
    const address = await plant()
    const client = await signedIn(address)
    const seen = async () => (await rowsOf(address.id))[0]?.last_seen_at.getTime()
    const start = await seen()
    mail.clock.advance(59_000)
    const watch = mail.database.watchStatements()
    await client.get('/api/mail/me')
    watch.stop()
    assert.equal(watch.texts.length, 4)
    assert.equal(await seen(), start)
    mail.clock.advance(1_000)
    await client.get('/api/mail/me')
    assert.equal(await seen(), (start ?? 0) + 60_000)
  })
})
