import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { type MailClient, type MailService, startMail } from '@stoa/tests/lib/mail.ts'
import { setRecoveryEmail } from '../../../hosting/addresses/operations.ts'
import { MAILBOX_PASSWORD, plantAddress } from '../../../hosting/addresses/testing/hosting.ts'
import { findDelivery } from '../../../receiving/receive/queries.ts'
import { readVacation } from '../../../sending/vacation/operations.ts'
import { type Owner, plantOwner, refused, signInAs, stateOf } from '../testing/owner.ts'
import { readSettings } from './settings.ts'

let mail: MailService
before(async () => {
  mail = await startMail()
})
after(() => mail.close())

let count = 0
const owner = (settings: Parameters<typeof plantOwner>[2] = {}): Promise<Owner> =>
  plantOwner(mail, `ada@owner-${++count}.test`, settings)
const send = ({ client }: Owner, method: string, path: string, body?: object) =>
  client.send(method, `/api/mail/${path}`, body ? { body } : {})
const get = async ({ client }: Owner, path: string) => (await client.get(`/api/mail/${path}`)).body
const isIn = async (client: MailClient): Promise<boolean> => (await client.get('/api/mail/me')).status === 200

describe('identities', () => {
  test('begin with the own address; aliases can be added, changed, made the default and removed', async () => {
    const ada = await owner({ name: 'Ada', aliases: ['sales'] })
    const email = `sales@${ada.address.email.split('@')[1]}`
    const { data } = await get(ada, 'identities')
    const empty = { reply_to: [], signature_html: '', signature_text: '' }
    const own = { object: 'identity', id: data[0].id, name: 'Ada', email: ada.address.email, ...empty }
    assert.deepEqual(data, [{ ...own, is_default: true, is_own: true }])
    const reply_to = [{ name: 'Desk', email: 'desk@elsewhere.org' }]
    const made = await ada.post('identities', { email: email.toUpperCase(), name: 'Sales', reply_to, is_default: true })
    const sales = { ...own, id: made.body.id, name: 'Sales', email, reply_to, is_default: true, is_own: false }
    assert.deepEqual([made.status, made.body], [201, sales])
    assert.deepEqual(
      (await get(ada, 'identities')).data.map((each: { is_default: boolean }) => each.is_default),
      [false, true],
    )
    const change = { signature_html: '<b>S</b>', signature_text: 'S', reply_to: [], email }
    const changed = await send(ada, 'PATCH', `identities/${sales.id}`, change)
    assert.deepEqual([changed.status, changed.body], [200, { ...sales, ...change }])
    refused(await send(ada, 'PATCH', `identities/${sales.id}`, { email: ada.address.email }), 400, 'validation_error')
    const gone = await send(ada, 'DELETE', `identities/${sales.id}`)
    assert.deepEqual(gone.body, { object: 'identity', id: sales.id, deleted: true })
    assert.deepEqual((await get(ada, 'identities')).data, data)
  })

  test('are those of addresses that the mailbox may write as, and the own one stays', async () => {
    const [ada, bob] = [await owner(), await owner()]
    const [own] = (await get(ada, 'identities')).data
    const before = await stateOf(mail, ada)
    refused(await ada.post('identities', { email: bob.address.email }), 400, 'validation_error', /can't send as/)
    refused(await ada.post('identities', { name: 'x' }), 422, 'missing_required_field')
    refused(await ada.post('identities', { email: 'x' }), 400, 'validation_error')
    refused(await ada.post('identities', { email: ada.address.email, name: 'a\nb' }), 400, 'validation_error')
    refused(await send(ada, 'DELETE', `identities/${own.id}`), 403, 'forbidden')
    for (const id of [newId(), 'x', own.id]) {
      refused(await send(bob, 'PATCH', `identities/${id}`, { name: 'taken over' }), 404, 'not_found')
      refused(await send(bob, 'DELETE', `identities/${id}`), 404, 'not_found')
    }
    assert.deepEqual(await stateOf(mail, ada), before)
  })
})

describe('the answer while somebody is away', () => {
  test('is none at first, and then exactly what was set last', async () => {
    const ada = await owner()
    const none = { from_date: null, to_date: null, subject: null, text: null, html: null }
    assert.deepEqual(await get(ada, 'vacation'), { object: 'vacation', enabled: false, ...none })
    const said = { enabled: true, from_date: '2026-03-02T00:00:00.000Z', subject: 'Away', html: '<p>Away</p>' }
    const put = await send(ada, 'PUT', 'vacation', { ...said, to_date: '2026-03-09T01:00:00+01:00', text: '' })
    const shown = { object: 'vacation', ...none, ...said, to_date: '2026-03-09T00:00:00.000Z' }
    assert.deepEqual([put.status, put.body], [200, shown])
    assert.deepEqual(await get(ada, 'vacation'), shown)
    assert.equal((await readVacation(mail.database.db, ada.address.id)).isEnabled, true)
    const off = await send(ada, 'PUT', 'vacation', { enabled: false })
    assert.deepEqual(off.body, { object: 'vacation', enabled: false, ...none })
    const before = await stateOf(mail, ada)
    const wrong: [object, number, string][] = [
      [{}, 422, 'missing_required_field'],
      [{ enabled: 'yes' }, 400, 'validation_error'],
      [{ enabled: true, from_date: 'x' }, 400, 'validation_error'],
      [{ enabled: true, from_date: said.from_date, to_date: said.from_date }, 400, 'validation_error'],
      [{ enabled: true, subject: 'a\r\nBcc: b' }, 400, 'validation_error'],
      [{ enabled: true, text: 'x'.repeat(100_001) }, 400, 'validation_error'],
    ]
    for (const [body, status, name] of wrong) refused(await send(ada, 'PUT', 'vacation', body), status, name)
    assert.deepEqual(await stateOf(mail, ada), before)
  })
})

describe('settings', () => {
  test('have defaults, keep what is not mentioned, and refuse what they do not know', async () => {
    const [ada, bob] = [await owner(), await owner()]
    const defaults = await get(ada, 'settings')
    assert.deepEqual([defaults.show_images, defaults.undo_seconds, defaults.image_senders], ['ask', 20, []])
    const senders = ['News@Elsewhere.org', '@shop.example', 'news@elsewhere.org']
    const [changed] = await Promise.all([
      send(ada, 'PATCH', 'settings', { image_senders: senders, page_size: 25 }),
      send(ada, 'PATCH', 'settings', { show_images: 'always', mark_read_seconds: null, digest: 'daily', unknown: 1 }),
    ])
    assert.equal(changed.status, 200, changed.text)
    const image_senders = ['news@elsewhere.org', '@shop.example']
    const chosen = { image_senders, page_size: 25, show_images: 'always', mark_read_seconds: null, digest: 'daily' }
    const wanted = { ...defaults, ...chosen }
    assert.deepEqual(await get(ada, 'settings'), wanted)
    assert.deepEqual({ object: 'mailbox_settings', ...(await readSettings(mail.database.db, ada.address.id)) }, wanted)
    assert.deepEqual(await get(bob, 'settings'), defaults)
    for (const body of [
      { show_images: 'never' },
      { undo_seconds: 61 },
      { page_size: 11 },
      { image_senders: ['x'] },
      { image_senders: Array.from({ length: 501 }, (_, n) => `a${n}@b.org`) },
      { conversations: 1 },
      { digest: 'yes' },
    ])
      refused(await send(ada, 'PATCH', 'settings', body), 400, 'validation_error')
    assert.deepEqual(await get(ada, 'settings'), wanted)
  })
})

describe('filters of a mailbox', () => {
  test('are those of its address alone, in an order of their own, and they run', async () => {
    const ada = await owner()
    const { accountId } = ada.address
    const other = await plantOwner(mail, `bob@${ada.address.email.split('@')[1]}`, { accountId })
    const panel = mail.client({ cookie: await mail.openSession(accountId) })
    const script = 'keep;'
    const wide = (await panel.post('/api/filters', { name: 'wide', script })).body
    const one = await ada.post('filters', { name: 'one', script })
    assert.deepEqual([one.status, one.body.address_id, one.body.position], [201, ada.address.id, 0])
    const theirs = (await other.post('filters', { name: 'theirs', script })).body
    const two = (await ada.post('filters', { name: 'two', script, position: 0, enabled: false })).body
    const names = async (path: string, client = ada.client) =>
      (await client.get(path)).body.data.map((each: { name: string; position: number }) => [each.name, each.position])
    assert.deepEqual(await names('/api/mail/filters'), [
      ['two', 0],
      ['one', 1],
    ])
    assert.deepEqual(await names('/api/filters', panel), [
      ['wide', 0],
      ['two', 1],
      ['theirs', 2],
      ['one', 3],
    ])
    const moved = await send(ada, 'PATCH', `filters/${two.id}`, { position: 1, enabled: true, script: 'discard;' })
    assert.deepEqual([moved.status, moved.body.position, moved.body.script], [200, 1, 'discard;'])
    assert.deepEqual(await get(ada, `filters/${two.id}`), moved.body)
    const delivered = { addressId: ada.address.id, hash: null, now: mail.clock.now() }
    assert.equal((await findDelivery(mail.database.db, delivered))?.scripts.length, 3)
    const before = await names('/api/filters', panel)
    for (const { id } of [wide, theirs]) {
      refused(await ada.client.get(`/api/mail/filters/${id}`), 404, 'not_found')
      refused(await send(ada, 'PATCH', `filters/${id}`, { script: 'discard;' }), 404, 'not_found')
      refused(await send(ada, 'DELETE', `filters/${id}`), 404, 'not_found')
    }
    refused(await ada.post('filters', { name: 'x', script, address_id: other.address.id }), 404, 'not_found')
    refused(await send(ada, 'PATCH', `filters/${two.id}`, { address_id: null }), 400, 'validation_error')
    refused(await ada.post('filters', { name: 'x', script: 'nonsense' }), 400, 'validation_error', /line 1/)
    refused(await ada.client.get('/api/mail/filters/validate'), 405, 'method_not_allowed')
    assert.equal((await ada.post('filters/validate', { script: 'nonsense' })).body.valid, false)
    assert.deepEqual(await names('/api/filters', panel), before)
    assert.equal((await send(ada, 'DELETE', `filters/${two.id}`)).body.deleted, true)
    assert.deepEqual(await names('/api/mail/filters'), [['one', 0]])
  })

  test('count for the plan of the account', async () => {
    const ada = await owner()
    const { accountId } = ada.address
    await mail.database.tx((tx) =>
      tx.updateTable('account').set({ plan: 'free' }).where('id', '=', accountId).execute(),
    )
    const body = { name: 'x', script: 'keep;' }
    const answers = await Promise.all(Array.from({ length: 7 }, () => ada.post('filters', body)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 201, 201, 201, 201, 413, 413])
    refused(await ada.post('filters', body), 413, 'quota_exceeded')
    assert.equal((await get(ada, 'filters')).total, 5)
  })
})

describe('sessions of a mailbox', () => {
  test('are listed, and all others end at once', async () => {
    const ada = await owner()
    const others = [await signInAs(mail, ada.address), await signInAs(mail, ada.address)]
    const stranger = await owner()
    const { data, total } = await get(ada, 'sessions')
    assert.deepEqual([total, data.filter((each: { current: boolean }) => each.current).length], [3, 1])
    assert.deepEqual(Object.keys(data[0]), [
      ...['object', 'id', 'current', 'ip', 'user_agent', 'created_at', 'last_seen_at', 'expires_at'],
    ])
    const revoked = await ada.post('sessions/revoke-others')
    assert.deepEqual([revoked.status, revoked.body], [200, { object: 'session_revocation', revoked: 2 }])
    for (const client of others) assert.equal(await isIn(client), false)
    assert.deepEqual([await isIn(ada.client), await isIn(stranger.client)], [true, true])
    assert.deepEqual((await ada.post('sessions/revoke-others')).body.revoked, 0)
  })

  test('that end each other at the same moment leave one', async () => {
    const ada = await owner()
    const clients = [ada.client, await signInAs(mail, ada.address), await signInAs(mail, ada.address)]
    const answers = await Promise.all(clients.map((client) => client.post('/api/mail/sessions/revoke-others')))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401, 401])
    const left = await Promise.all(clients.map(isIn))
    assert.equal(left.filter(Boolean).length, 1)
  })
})

describe('the password of a mailbox', () => {
  const NEXT = 'another long pass phrase'

  test('needs the current one to change; other sessions and app passwords end, the recovery address is notified', async () => {
    const ada = await owner()
    const { id: addressId, accountId, email } = ada.address
    const input = { accountId, addressId, recoveryEmail: 'safe@elsewhere.org', now: mail.clock.now() }
    await mail.database.tx((tx) => setRecoveryEmail(tx, input))
    await ada.post('app-passwords', { name: 'phone' })
    const other = await signInAs(mail, ada.address)
    const answer = await ada.post('password', { current_password: MAILBOX_PASSWORD, password: NEXT })
    assert.deepEqual([answer.status, answer.body.object, answer.body.email], [200, 'mailbox', email])
    assert.deepEqual([await isIn(ada.client), await isIn(other)], [true, false])
    assert.equal((await get(ada, 'app-passwords')).total, 0)
    assert.equal((await get(ada, 'sessions')).total, 1)
    const login = (password: string) => mail.client().post('/api/mail/login', { email, password })
    assert.deepEqual([(await login(MAILBOX_PASSWORD)).status, (await login(NEXT)).status], [401, 200])
    const notices = await mail.database.db
      .selectFrom('queue_recipient')
      .select('recipient')
      .where('recipient', '=', 'safe@elsewhere.org')
      .execute()
    assert.equal(notices.length, 1)
  })

  test('stays when the current one is wrong, the new one is bad, or somebody guesses', async () => {
    const ada = await owner()
    const { email } = ada.address
    const change = (current_password: string, password: string) => ada.post('password', { current_password, password })
    refused(await change('wrong', NEXT), 400, 'validation_error', /current_password/)
    refused(await change(MAILBOX_PASSWORD, 'short'), 400, 'validation_error')
    refused(await change(MAILBOX_PASSWORD, 'password123'), 400, 'validation_error')
    refused(await ada.post('password', { password: NEXT }), 422, 'missing_required_field')
    // The right one in between has ended the count.
    for (let guesses = 0; guesses < 10; guesses += 1)
      refused(await change(`guess ${guesses}`, NEXT), 400, 'validation_error', /current_password/)
    refused(await change(MAILBOX_PASSWORD, NEXT), 429, 'rate_limit_exceeded')
    // Signing in is another matter, also from the same place.
    assert.equal((await ada.client.post('/api/mail/login', { email, password: MAILBOX_PASSWORD })).status, 200)
  })

  test('is changed by one of two who do it at the same moment', async () => {
    const ada = await owner()
    const second = await signInAs(mail, ada.address)
    const body = (n: number) => ({ current_password: MAILBOX_PASSWORD, password: `${NEXT} ${n}` })
    const answers = await Promise.all(
      [ada.client, second].map((client, n) => client.post('/api/mail/password', body(n))),
    )
    const statuses = answers.map(({ status }) => status).sort()
    assert.ok([200, 400, 401, 409].includes(statuses[1] ?? 0) && statuses[0] === 200, String(statuses))
    assert.equal(statuses.filter((status) => status === 200).length, 1)
  })
})

describe('app passwords of a mailbox', () => {
  test('are made, shown once, and ended by their owner alone', async () => {
    const [ada, bob] = [await owner(), await owner()]
    const made = await ada.post('app-passwords', { name: 'Phone', scopes: ['imap', 'smtp'] })
    assert.deepEqual([made.status, made.body.object, made.body.address_id], [201, 'app_password', ada.address.id])
    const { token, ...shown } = made.body
    assert.match(token, /^ap_[0-9A-Za-z]{32}$/)
    assert.deepEqual((await get(ada, 'app-passwords')).data, [shown])
    const check = () =>
      mail.parts.credentials.check({ email: ada.address.email, password: token, scope: 'imap', ip: '192.0.2.7' })
    assert.equal((await check()).ok, true)
    refused(await ada.post('app-passwords', {}), 422, 'missing_required_field')
    refused(await ada.post('app-passwords', { name: 'x', scopes: ['webmail'] }), 400, 'validation_error')
    refused(await send(bob, 'DELETE', `app-passwords/${shown.id}`), 404, 'not_found')
    refused(await send(ada, 'DELETE', 'app-passwords/x'), 404, 'not_found')
    assert.equal((await check()).ok, true)
    assert.equal((await send(ada, 'DELETE', `app-passwords/${shown.id}`)).body.deleted, true)
    assert.equal((await check()).ok, false)
  })
})

describe('what webmail reads', () => {
  test('takes a fixed number of statements, whatever there is', async () => {
    const ada = await owner({ aliases: ['a', 'b'] })
    const domain = ada.address.email.split('@')[1]
    const costs = async (): Promise<Record<string, number>> => {
      const found: Record<string, number> = {}
      for (const path of [
        'contacts',
        'identities',
        'submissions',
        'filters',
        'settings',
        'vacation',
        'sessions',
        'app-passwords',
      ]) {
        await get(ada, path)
        const watch = mail.database.watchStatements()
        await get(ada, path)
        watch.stop()
        found[path] = watch.texts.length
      }
      return found
    }
    const before = await costs()
    for (const to of ['x@elsewhere.org', 'y@elsewhere.org']) await ada.post('send', { to: [to] })
    for (const name of ['a', 'b']) {
      await ada.post('identities', { email: `${name}@${domain}` })
      await ada.post('filters', { name, script: 'keep;' })
      await ada.post('app-passwords', { name })
    }
    await plantAddress(mail.database, `c@${domain}`, { accountId: ada.address.accountId })
    const fixed = { identities: 2, settings: 2, vacation: 2, sessions: 3, 'app-passwords': 2, submissions: 3 }
    // An empty page is not read after it was counted.
    assert.deepEqual(before, { ...fixed, contacts: 2, filters: 2 })
    assert.deepEqual(await costs(), { ...fixed, contacts: 3, filters: 3 })
  })
})
