import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { pruneDeliveries } from '@stoa/kit/webhooks/deliveries.ts'
import { createWebhookWorker } from '@stoa/kit/webhooks/worker.ts'
import { webhookEvents, webhookEventTypes } from '@stoa/mail-model/webhook-events.ts'
import { type FakeDns, startFakeDns } from '@stoa/tests/lib/fake-dns.ts'
import { type MailAnswer, type MailClient, type MailService, PASSWORD, startMail } from '@stoa/tests/lib/mail.ts'
import { recordEvents } from '../../hosting/webhook-events/webhook-events.ts'
import { createSender } from './sender.ts'

/** Addresses that are public; nothing is ever sent there. */
const TARGET = 'https://93.184.216.34/hook'

let dns: FakeDns
let mail: MailService
before(async () => {
  dns = await startFakeDns()
  dns.set('hooks.test', 'A', ['93.184.216.34'])
  dns.set('inside.test', 'A', ['93.184.216.34', '10.0.0.1'])
  dns.set('rebound.test', 'A', ['127.0.0.1'])
  mail = await startMail({ env: { DNS_RESOLVERS: dns.address } })
})
after(async () => {
  await mail.close()
  await dns.close()
})

type Customer = { client: MailClient; accountId: string; email: string }
const customer = async (plan = 'unlimited'): Promise<Customer> => {
  const { client, id: accountId, email } = await mail.signUp()
  await mail.database.tx((tx) => tx.updateTable('account').set({ plan }).where('id', '=', accountId).execute())
  return { client, accountId, email }
}
const made = async ({ client }: Customer, body: object = {}) => {
  const answer = await client.post('/api/webhooks', { endpoint: TARGET, events: ['email.sent'], ...body })
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}
const read = async ({ client }: Customer, id: string) => (await client.get(`/api/webhooks/${id}`)).body
const patch = ({ client }: Customer, id: string, body: object) => client.send('PATCH', `/api/webhooks/${id}`, { body })
const remove = ({ client }: Customer, id: string) => client.send('DELETE', `/api/webhooks/${id}`)
const refused = (answer: MailAnswer, status: number, name: string, message?: RegExp): void => {
  assert.deepEqual([answer.status, answer.body?.name], [status, name], answer.text)
  if (message) assert.match(answer.body.message, message)
}
/** Stores events as the slices do. */
const recordSamples = ({ accountId }: Customer, types: readonly ('email.sent' | 'email.opened')[]) => {
  const at = mail.clock.now()
  return mail.database.tx((tx) =>
    recordEvents(
      tx,
      accountId,
      types.map((type) => ({ type, data: webhookEvents[type].sample({ webhookId: newId(), at: at.toISOString() }) })),
      at,
    ),
  )
}
const eventsOf = async ({ client }: Customer, path = '/api/webhooks/events') => (await client.get(path)).body.data
const stored = async () => ({
  endpoints: await mail.database.db.selectFrom('webhook_endpoint').selectAll().orderBy('id').execute(),
  deliveries: await mail.database.db.selectFrom('webhook_delivery').selectAll().orderBy('id').execute(),
})

describe('a webhook', () => {
  test('is created with all its members and a secret that no other response includes', async () => {
    const who = await customer()
    const { signing_secret: secret, ...body } = await made(who, {
      events: ['email.opened', 'email.sent', 'email.opened'],
      description: ' Orders ',
    })
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{32}$/)
    assert.deepEqual(body, {
      object: 'webhook',
      id: body.id,
      endpoint: TARGET,
      events: ['email.sent', 'email.opened'],
      description: 'Orders',
      status: 'enabled',
      disabled_reason: null,
      signing_secret_prefix: secret.slice(0, 10),
      failing_since: null,
      last_success_at: null,
      created_at: mail.clock.now().toISOString(),
      updated_at: mail.clock.now().toISOString(),
    })
    assert.deepEqual(await read(who, body.id), body)
    assert.deepEqual((await who.client.get('/api/webhooks')).body.data, [body])
    const row = JSON.stringify((await stored()).endpoints)
    assert.equal(row.includes(secret.slice(10)), false, 'the secret is stored as it is')
    assert.equal(mail.logs.join('').includes(secret.slice(10)), false, 'the secret is in the log')
    assert.equal((await made(who, { status: 'disabled' })).disabled_reason, 'owner')
  })

  test('is changed in what is given and nothing else', async () => {
    const who = await customer()
    const { signing_secret: _, ...before } = await made(who, { description: 'x' })
    mail.clock.advance(1_000)
    const changed = (await patch(who, before.id, { endpoint: 'https://hooks.test/new', id: newId() })).body
    assert.deepEqual(changed, {
      ...before,
      endpoint: 'https://hooks.test/new',
      updated_at: mail.clock.now().toISOString(),
    })
    const more = (await patch(who, before.id, { events: ['domain.created'], description: null })).body
    assert.deepEqual([more.events, more.description, more.endpoint], [['domain.created'], null, changed.endpoint])
    assert.deepEqual((await patch(who, before.id, {})).body.events, ['domain.created'])
    assert.deepEqual(await read(who, before.id), more)
  })

  test('that is disabled fails its pending events and receives nothing until it is enabled', async () => {
    const who = await customer()
    const { id } = await made(who)
    await recordSamples(who, ['email.sent'])
    const off = (await patch(who, id, { status: 'disabled' })).body
    assert.deepEqual([off.status, off.disabled_reason], ['disabled', 'owner'])
    await recordSamples(who, ['email.sent'])
    const [event, ...others] = await eventsOf(who)
    assert.deepEqual(others, [])
    assert.deepEqual([event.status, event.error, event.next_attempt_at], ['failed', 'The endpoint is turned off', null])
    const on = (await patch(who, id, { status: 'enabled' })).body
    assert.deepEqual([on.status, on.disabled_reason], ['enabled', null])
    await recordSamples(who, ['email.sent'])
    assert.equal((await eventsOf(who)).length, 2)
  })

  const bad: [string, object, number, string, RegExp?][] = [
    ['no endpoint', { endpoint: undefined }, 422, 'missing_required_field', /`endpoint`/],
    ['no events', { events: undefined }, 422, 'missing_required_field', /`events`/],
    ['an empty list of events', { events: [] }, 400, 'validation_error', /`events`/],
    ['an event that there is not', { events: ['email.sent', 'contact.created'] }, 400, 'validation_error', /event/],
    ['all events by a star', { events: ['*'] }, 400, 'validation_error', /event/],
    ['one event without a list', { events: 'email.sent' }, 400, 'validation_error', /`events`/],
    ['a number for an endpoint', { endpoint: 5 }, 400, 'validation_error', /`endpoint`/],
    ['text for an endpoint', { endpoint: 'my server' }, 400, 'validation_error', /`endpoint`/],
    ['an endpoint of 3 kB', { endpoint: `${TARGET}/${'x'.repeat(3_000)}` }, 400, 'validation_error', /`endpoint`/],
    ['plain http', { endpoint: 'http://hooks.test/' }, 400, 'validation_error', /https:\/\//],
    ['another scheme', { endpoint: 'file:///etc/passwd' }, 400, 'validation_error', /https:\/\//],
    ['another port', { endpoint: 'https://hooks.test:22/' }, 400, 'validation_error', /443 or 8443/],
    ['a password in it', { endpoint: 'https://a:b@hooks.test/' }, 400, 'validation_error', /username/],
    ['loopback', { endpoint: 'https://127.0.0.1/' }, 400, 'validation_error', /public internet/],
    ['loopback in other letters', { endpoint: 'https://0x7f.1/' }, 400, 'validation_error', /public internet/],
    ['the address of metadata', { endpoint: 'https://169.254.169.254/' }, 400, 'validation_error', /public internet/],
    ['a name of the inner network', { endpoint: 'https://db.internal/' }, 400, 'validation_error', /public internet/],
    ['a description of two lines', { description: 'a\r\nb' }, 400, 'validation_error', /`description`/],
    ['a long description', { description: 'x'.repeat(501) }, 400, 'validation_error', /`description`/],
    ['another status', { status: 'paused' }, 400, 'validation_error', /`status`/],
  ]
  test('is refused, new or changed, with what is wrong with it', async () => {
    const who = await customer()
    const { signing_secret: _, ...kept } = await made(who)
    for (const [what, body, status, name, message] of bad) {
      const given = { endpoint: TARGET, events: ['email.sent'], ...body }
      const answer = await who.client.post('/api/webhooks', given)
      assert.deepEqual([answer.status, answer.body?.name], [status, name], `${what}: ${answer.text}`)
      if (message) assert.match(answer.body.message, message, what)
      if (status === 422) continue
      refused(await patch(who, kept.id, { description: 'changed', ...body }), status, name, message)
    }
    refused(await who.client.post('/api/webhooks', '{bad'), 400, 'validation_error')
    refused(await who.client.post('/api/webhooks', []), 400, 'validation_error')
    assert.deepEqual((await who.client.get('/api/webhooks')).body.data, [kept])
  })

  test('may be at a name that nobody knows yet', async () => {
    assert.equal(
      (await made(await customer(), { endpoint: 'https://not-yet.test/x' })).endpoint,
      'https://not-yet.test/x',
    )
  })

  test('is accepted for a name that resolves to a private address, which reveals nothing about it', async () => {
    const who = await customer()
    assert.equal((await made(who, { endpoint: 'https://rebound.test/' })).endpoint, 'https://rebound.test/')
  })

  test('whose name leads inside by the time something is sent there is refused then', async () => {
    const who = await customer()
    dns.set('moving.test', 'A', ['93.184.216.34'])
    const { id } = await made(who, { endpoint: 'https://moving.test/' })
    await recordSamples(who, ['email.sent'])
    dns.set('moving.test', 'A', ['127.0.0.1'])
    await mail.database.tx((tx) =>
      tx
        .updateTable('webhook_delivery')
        .set({ next_attempt_at: null, status: 'failed' })
        .where('endpoint_id', '!=', id)
        .execute(),
    )
    await createWebhookWorker(createSender(mail.parts)).runDue()
    const [event] = await eventsOf(who)
    assert.deepEqual([event.status, event.attempts, event.response_status], ['pending', 1, null])
    assert.equal(typeof event.error, 'string')
    assert.doesNotMatch(event.error, /127/)
  })

  test('is gone at once when it is deleted, with its events, and its log is removed afterwards', async () => {
    const who = await customer()
    const [gone, kept] = [await made(who), await made(who)]
    await recordSamples(who, ['email.sent', 'email.sent'])
    const [event] = await eventsOf(who, `/api/webhooks/${gone.id}/events`)
    assert.deepEqual((await remove(who, gone.id)).body, { object: 'webhook', id: gone.id, deleted: true })
    refused(await remove(who, gone.id), 404, 'not_found')
    for (const path of ['', '/events', `/events/${event.id}`])
      refused(await who.client.get(`/api/webhooks/${gone.id}${path}`), 404, 'not_found')
    refused(await who.client.post(`/api/webhooks/${gone.id}/test`), 404, 'not_found')
    refused(await who.client.post(`/api/webhooks/${gone.id}/events/${event.id}/replay`), 404, 'not_found')
    refused(await patch(who, gone.id, { status: 'enabled' }), 404, 'not_found')
    assert.deepEqual(
      (await eventsOf(who)).map((one: { webhook_id: string }) => one.webhook_id),
      [kept.id, kept.id],
    )
    await mail.database.tx((tx) => pruneDeliveries(tx, {}, mail.clock.now()))
    const left = await stored()
    assert.equal(
      left.endpoints.some(({ id }) => id === gone.id) || left.deliveries.some((row) => row.endpoint_id === gone.id),
      false,
    )
    assert.equal((await eventsOf(who)).length, 2)
  })

  test('gets a new secret, and the old one is returned nowhere', async () => {
    const who = await customer()
    const { id, signing_secret: before } = await made(who)
    const answer = await who.client.post(`/api/webhooks/${id}/rotate`)
    assert.deepEqual(Object.keys(answer.body).sort(), ['id', 'object', 'signing_secret'])
    assert.notEqual(answer.body.signing_secret, before)
    assert.equal((await read(who, id)).signing_secret_prefix, answer.body.signing_secret.slice(0, 10))
    refused(await who.client.post(`/api/webhooks/${newId()}/rotate`), 404, 'not_found')
  })
})

describe('the plan', () => {
  test('without webhooks answers 402, whatever the body is, and nothing is made', async () => {
    const who = await customer('free')
    for (const body of [{ endpoint: TARGET, events: ['email.sent'] }, {}, '{bad'])
      refused(await who.client.post('/api/webhooks', body), 402, 'plan_required')
    assert.equal((await who.client.get('/api/webhooks')).body.total, 0)
  })

  test('allows so many exactly, also when they are made at once', async () => {
    const who = await customer('starter')
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => who.client.post('/api/webhooks', { endpoint: TARGET, events: ['email.sent'] })),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 201, 201, 413, 413, 413])
    refused(await who.client.post('/api/webhooks', { endpoint: TARGET, events: [] }), 400, 'validation_error')
    assert.equal((await who.client.get('/api/webhooks')).body.total, 3)
    const [first] = (await who.client.get('/api/webhooks')).body.data
    await remove(who, first.id)
    await made(who)
  })

  test('that lost webhooks leaves them readable, and none is enabled again', async () => {
    const who = await customer()
    const { id } = await made(who, { status: 'disabled' })
    await mail.database.tx((tx) =>
      tx.updateTable('account').set({ plan: 'free' }).where('id', '=', who.accountId).execute(),
    )
    refused(await patch(who, id, { status: 'enabled' }), 402, 'plan_required')
    assert.equal((await read(who, id)).status, 'disabled')
    assert.equal((await patch(who, id, { description: 'x' })).status, 200)
    assert.equal((await remove(who, id)).status, 200)
  })
})

describe('lists', () => {
  test('of webhooks are searched and sorted, by default the newest first', async () => {
    const who = await customer()
    for (const [name, description] of [
      ['b', 'Orders'],
      ['a', null],
      ['c', 'Bills'],
    ]) {
      await made(who, { endpoint: `https://hooks.test/${name}`, description })
      mail.clock.advance(1_000)
    }
    const names = async (query: string): Promise<string[]> =>
      (await who.client.get(`/api/webhooks${query}`)).body.data.map((row: { endpoint: string }) => row.endpoint.at(-1))
    assert.deepEqual(await names(''), ['c', 'a', 'b'])
    assert.deepEqual(await names('?sort=endpoint&direction=asc'), ['a', 'b', 'c'])
    assert.deepEqual(await names('?sort=secret_sealed'), ['c', 'a', 'b'])
    assert.deepEqual(await names('?search=ORDERS'), ['b'])
    assert.deepEqual(await names('?search=hooks.test/a'), ['a'])
    assert.deepEqual(await names('?page=2'), [])
  })

  test('of events are of one endpoint or of all, filtered, and read with a fixed number of statements', async () => {
    const who = await customer()
    const [one, both] = [await made(who), await made(who, { events: ['email.sent', 'email.opened'] })]
    await recordSamples(who, ['email.sent', 'email.opened', 'email.sent'])
    const watch = mail.database.watchStatements()
    const all = (await who.client.get('/api/webhooks/events')).body
    watch.stop()
    // The session, the count and the rows.
    assert.equal(watch.texts.length, 3, watch.texts.join('\n\n'))
    assert.deepEqual([all.total, all.page, all.per_page, all.pages], [5, 1, 10, 1])
    assert.deepEqual(all.data[0], {
      object: 'webhook_event',
      id: all.data[0].id,
      webhook_id: both.id,
      type: 'email.sent',
      status: 'pending',
      attempts: 0,
      response_status: null,
      error: null,
      last_attempt_at: null,
      next_attempt_at: mail.clock.now().toISOString(),
      created_at: mail.clock.now().toISOString(),
    })
    assert.equal((await eventsOf(who, `/api/webhooks/${one.id}/events`)).length, 2)
    const types = async (query: string): Promise<string[]> =>
      (await eventsOf(who, `/api/webhooks/events${query}`)).map((row: { type: string }) => row.type)
    assert.deepEqual(await types('?type=email.opened'), ['email.opened'])
    assert.deepEqual(await types('?search=OPENED'), ['email.opened'])
    assert.deepEqual(await types('?status=success'), [])
    assert.equal((await types('?sort=type&direction=asc'))[0], 'email.opened')
    refused(await who.client.get('/api/webhooks/events?status=lost'), 400, 'invalid_parameter', /`status`/)
    refused(await who.client.get('/api/webhooks/events?type=email.lost'), 400, 'invalid_parameter', /`type`/)
    assert.deepEqual(await eventsOf(await customer()), [])
  })

  test('keep their words from being ids: another verb is 405', async () => {
    const { client } = await customer()
    for (const method of ['DELETE', 'PATCH', 'POST']) {
      const answer = await client.send(method, '/api/webhooks/events', { body: {} })
      refused(answer, 405, 'method_not_allowed')
      assert.equal(answer.headers.get('allow'), 'GET, HEAD')
    }
  })
})

test('each webhook and event is counted apart for each account', async () => {
  const [who, other] = [await customer(), await customer()]
  const { id } = await made(other)
  await recordSamples(who, ['email.sent'])
  await recordSamples(other, ['email.sent'])
  const [event] = await eventsOf(other)
  const before = await stored()
  for (const path of [
    `/api/webhooks/${id}/test`,
    `/api/webhooks/${id}/rotate`,
    `/api/webhooks/${id}/events/${event.id}/replay`,
  ])
    refused(await who.client.post(path, {}), 404, 'not_found')
  const { id: own } = await made(who, { status: 'disabled' })
  refused(await who.client.get(`/api/webhooks/${own}/events/${event.id}`), 404, 'not_found')
  refused(await who.client.post(`/api/webhooks/${own}/events/${event.id}/replay`), 404, 'not_found')
  assert.deepEqual((await stored()).deliveries, before.deliveries)
  assert.deepEqual(await eventsOf(who), [])
})

test('an account that is deleted has no webhooks from that moment on', async () => {
  const who = await customer()
  const { id } = await made(who, { events: ['email.sent', 'domain.deleted', 'address.deleted'] })
  assert.equal((await who.client.post('/api/domains', { name: 'goes-too.test' })).status, 201)
  await recordSamples(who, ['email.sent'])
  const answer = await who.client.send('DELETE', '/api/account', { body: { password: PASSWORD } })
  assert.equal(answer.status, 200, answer.text)
  const { endpoints, deliveries } = await stored()
  const row = endpoints.find((endpoint) => endpoint.id === id)
  assert.deepEqual([row?.owner, row?.status, row?.secret_sealed], ['', 'disabled', ''])
  assert.deepEqual(
    deliveries.filter(({ endpoint_id }) => endpoint_id === id).map(({ type, status }) => [type, status]),
    [['email.sent', 'failed']],
  )
})

test('the sample of every event is what its schema says', () => {
  for (const type of webhookEventTypes) {
    const data = webhookEvents[type].sample({ webhookId: newId(), at: new Date(0).toISOString() })
    assert.deepEqual(webhookEvents[type].data.parse(data), data, type)
  }
})
