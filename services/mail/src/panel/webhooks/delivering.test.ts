import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { createWebhookWorker } from '@stoa/kit/webhooks/worker.ts'
import { webhookEvents } from '@stoa/mail-model/webhook-events.ts'
import { type FakeWebhook, startFakeWebhook } from '@stoa/tests/lib/fake-webhook.ts'
import { type MailClient, type MailService, startMail } from '@stoa/tests/lib/mail.ts'
import { until } from '@stoa/tests/lib/waiting.ts'
import { Resend } from 'resend'
import { Webhook } from 'standardwebhooks'
import { systemMailTo } from '../../hosting/system-mail/testing/sent.ts'
import { recordEvent } from '../../hosting/webhook-events/webhook-events.ts'
import { createSender, webhookPolicy } from './sender.ts'
import { startWebhooks } from './worker.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

let mail: MailService
let receiver: FakeWebhook
before(async () => {
  mail = await startMail({ env: { WEBHOOK_ALLOW_PRIVATE: 'true' } })
})
after(() => mail.close())
beforeEach(async () => {
  // The libraries that verify know the real time only.
  mail.clock.set(new Date())
  await mail.database.tx((tx) => tx.deleteFrom('webhook_endpoint').execute())
  receiver = await startFakeWebhook({ now: mail.clock.now })
})
afterEach(() => receiver.close())

type Customer = { client: MailClient; accountId: string; email: string }
const customer = async (): Promise<Customer> => {
  const { client, id: accountId, email } = await mail.signUp()
  return { client, accountId, email }
}
/** A webhook that the receiver trusts. */
const hookTo = async ({ client }: Customer, path = '/in', body: object = {}) => {
  const endpoint = receiver.url + path
  const answer = await client.post('/api/webhooks', { endpoint, events: ['email.delivered'], ...body })
  assert.equal(answer.status, 201, answer.text)
  receiver.trust(answer.body.signing_secret)
  return answer.body
}
const recordSample = ({ accountId }: Customer) => {
  const at = mail.clock.now()
  const data = webhookEvents['email.delivered'].sample({ webhookId: newId(), at: at.toISOString() })
  return mail.database.tx((tx) => recordEvent(tx, accountId, { type: 'email.delivered', data }, at))
}
/** Attempts everything that is due by the service's clock. */
const sendDue = (parts: typeof mail.parts = mail.parts) => createWebhookWorker(createSender(parts)).runDue()
const read = async ({ client }: Customer, id: string) => (await client.get(`/api/webhooks/${id}`)).body
const lastEvent = async ({ client }: Customer, id: string) => {
  const [event] = (await client.get(`/api/webhooks/${id}/events`)).body.data
  return (await client.get(`/api/webhooks/${id}/events/${event.id}`)).body
}
const replay = ({ client }: Customer, id: string, eventId: string) =>
  client.post(`/api/webhooks/${id}/events/${eventId}/replay`)

describe('a delivery', () => {
  test('has the headers of the contract and is verified by standardwebhooks and by the client of Resend', async () => {
    const who = await customer()
    const { id, signing_secret: secret } = await hookTo(who)
    await recordSample(who)
    await sendDue()
    assert.deepEqual(receiver.problems, [])
    const [got] = receiver.received
    assert.ok(got)
    const body = got.body.toString()
    const given = (family: string) => ({
      id: String(got.headers[`${family}-id`]),
      timestamp: String(got.headers[`${family}-timestamp`]),
      signature: String(got.headers[`${family}-signature`]),
    })
    assert.deepEqual(given('svix'), given('webhook'))
    assert.deepEqual([got.headers['content-type'], got.headers['user-agent']], ['application/json', 'mail-webhooks/1'])
    const event = await lastEvent(who, id)
    assert.equal(event.id, got.id)
    const expected = {
      type: 'email.delivered',
      created_at: mail.clock.now().toISOString(),
      data: webhookEvents['email.delivered'].sample({ webhookId: id, at: mail.clock.now().toISOString() }),
    }
    const resend = new Resend('re_unused')
    const webhook = { payload: body, headers: given('svix'), webhookSecret: secret }
    assert.deepEqual(resend.webhooks.verify(webhook), expected)
    const { id: messageId, timestamp, signature } = given('webhook')
    const headers = { 'webhook-id': messageId, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
    assert.deepEqual(new Webhook(secret).verify(body, headers), expected)
    assert.throws(() => resend.webhooks.verify({ ...webhook, payload: body.replace('delivered', 'bounced') }))
    assert.throws(() => new Webhook(secret).verify(body, { ...headers, 'webhook-id': newId() }))
    assert.deepEqual(event.payload, expected)
    assert.deepEqual([event.status, event.attempts, event.response_status], ['success', 1, 204])
    assert.equal((await read(who, id)).last_success_at, mail.clock.now().toISOString())
  })

  test('is tried eight times by the table, and every attempt is kept with the beginning of its answer', async () => {
    const who = await customer()
    const { id } = await hookTo(who)
    receiver.script(() => ({ status: 500, body: 'x'.repeat(5_000) }))
    await recordSample(who)
    const begun = mail.clock.now()
    await sendDue()
    assert.deepEqual(webhookPolicy.retryAfterMs, [
      5 * SECOND,
      5 * MINUTE,
      30 * MINUTE,
      2 * HOUR,
      5 * HOUR,
      10 * HOUR,
      10 * HOUR,
    ])
    for (const [nth, wait] of webhookPolicy.retryAfterMs.entries()) {
      const waiting = await lastEvent(who, id)
      const due = new Date(waiting.next_attempt_at).getTime() - mail.clock.now().getTime()
      assert.ok(due >= wait && due <= wait * 1.1, `${nth}: ${due} for ${wait}`)
      assert.deepEqual([waiting.status, waiting.attempts], ['pending', nth + 1])
      mail.clock.advance(due - 1)
      await sendDue()
      assert.equal(receiver.received.length, nth + 1, 'it came too early')
      mail.clock.advance(1)
      await sendDue()
    }
    const event = await lastEvent(who, id)
    assert.deepEqual([event.status, event.attempts, event.next_attempt_at], ['failed', 8, null])
    assert.deepEqual([event.response_status, event.response_body.length], [500, 1_024])
    assert.equal(event.attempt_log.length, 8)
    assert.deepEqual(event.attempt_log[7], {
      object: 'webhook_attempt',
      id: event.attempt_log[7].id,
      http_status_code: 500,
      response: 'x'.repeat(1_024),
      error: 'The server returned 500',
      duration_ms: event.attempt_log[7].duration_ms,
      sent_at: mail.clock.now().toISOString(),
    })
    assert.deepEqual(new Set(receiver.received.map((one) => one.id)), new Set([event.id]))
    const times = receiver.received.map(({ timestamp }) => timestamp)
    assert.equal(new Set(times).size, 8, 'each attempt is signed with its own time')
    const hook = await read(who, id)
    assert.deepEqual([hook.status, hook.failing_since], ['enabled', begun.toISOString()])
    await sendDue()
    assert.equal(receiver.received.length, 8)
  })

  test('to an endpoint that is gone is the last one, and its owner is notified', async () => {
    const who = await customer()
    const { id } = await hookTo(who, '/in?token=hidden')
    receiver.script([{ status: 410 }])
    await recordSample(who)
    mail.clock.advance(1)
    await recordSample(who)
    await createWebhookWorker(createSender(mail.parts), { limits: { perEndpoint: 1 } }).runDue()
    const hook = await read(who, id)
    assert.deepEqual([hook.status, hook.disabled_reason], ['disabled', 'gone'])
    const statuses = (await who.client.get(`/api/webhooks/${id}/events`)).body.data
    assert.deepEqual(
      statuses.map(({ status, attempts }: { status: string; attempts: number }) => [status, attempts]),
      [
        ['failed', 0],
        ['failed', 1],
      ],
    )
    const [letter] = await systemMailTo(mail, who.email).then((all) =>
      all.filter(({ subject }) => /webhook/.test(subject)),
    )
    assert.match(letter?.text ?? '', /410 Gone/)
    assert.match(letter?.text ?? '', new RegExp(`http://mail\\.test/webhooks/${id}`))
    assert.doesNotMatch(letter?.text ?? '', /hidden/)
  })

  test('that fails for five days without a success ends the endpoint, with a mail to owners who want one', async () => {
    const [who, silent] = [await customer(), await customer()]
    const off = { webhook_failures: false }
    assert.equal((await silent.client.send('PATCH', '/api/account/notifications', { body: off })).status, 200)
    const hooks = [await hookTo(who), await hookTo(silent)]
    receiver.trust(...hooks.map((hook) => hook.signing_secret))
    const fail = async () => {
      receiver.script(() => ({ status: 503 }))
      for (const each of [who, silent]) await recordSample(each)
      await sendDue()
    }
    await fail()
    mail.clock.advance(4 * DAY)
    // One success, and the days are counted anew.
    receiver.script(() => ({ status: 200 }))
    await sendDue()
    await fail()
    mail.clock.advance(5 * DAY - MINUTE)
    await fail()
    for (const [nth, each] of [who, silent].entries()) assert.equal((await read(each, hooks[nth].id)).status, 'enabled')
    mail.clock.advance(MINUTE)
    await fail()
    for (const [nth, each] of [who, silent].entries()) {
      const hook = await read(each, hooks[nth].id)
      assert.deepEqual([hook.status, hook.disabled_reason], ['disabled', 'failing'])
      const letters = (await systemMailTo(mail, each.email)).filter(({ text }) => /failed for five days/.test(text))
      assert.equal(letters.length, each === who ? 1 : 0)
    }
    const on = (await who.client.send('PATCH', `/api/webhooks/${hooks[0].id}`, { body: { status: 'enabled' } })).body
    assert.deepEqual([on.status, on.failing_since], ['enabled', null])
  })

  test('is not redirected, and private addresses are refused when it is sent, too', async () => {
    const who = await customer()
    const { id } = await hookTo(who)
    receiver.script([{ status: 307, headers: { location: `${receiver.url}/elsewhere` } }])
    await recordSample(who)
    await sendDue()
    assert.deepEqual(
      receiver.received.map(({ path }) => path),
      ['/in'],
    )
    assert.match((await lastEvent(who, id)).error, /redirects aren't followed/)
    mail.clock.advance(MINUTE)
    await sendDue({ ...mail.parts, config: { ...mail.config, webhookAllowPrivate: false } })
    const event = await lastEvent(who, id)
    assert.deepEqual([event.attempts, event.response_status, event.attempt_log[1].duration_ms], [2, null, null])
    assert.equal(receiver.received.length, 1)
  })

  test('after a rotation is signed with the new secret only, also when it waited before', async () => {
    const who = await customer()
    const { id } = await hookTo(who)
    receiver.script([{ status: 500 }])
    await recordSample(who)
    await sendDue()
    const { signing_secret: fresh } = (await who.client.post(`/api/webhooks/${id}/rotate`)).body
    receiver.trust(fresh)
    mail.clock.advance(MINUTE)
    await sendDue()
    assert.deepEqual(receiver.problems, [])
    assert.equal((await lastEvent(who, id)).status, 'success')
    assert.equal(String(receiver.received[1]?.headers['webhook-signature']).split(' ').length, 1)
  })
})

describe('a replay', () => {
  test('of what arrived and of what failed sends the same id and body once more', async () => {
    const who = await customer()
    const { id } = await hookTo(who)
    await recordSample(who)
    await sendDue()
    const event = await lastEvent(who, id)
    mail.clock.advance(HOUR)
    const answers = await Promise.all([1, 2, 3].map(() => replay(who, id, event.id)))
    for (const { status, body } of answers)
      assert.deepEqual([status, body.id, body.status, body.attempts], [200, event.id, 'pending', 1])
    await sendDue()
    const [first, second, ...more] = receiver.received
    assert.deepEqual(more, [])
    assert.deepEqual([second?.id, second?.body], [first?.id, first?.body])
    assert.ok((second?.timestamp ?? 0) > (first?.timestamp ?? 0))
    receiver.script(() => ({ status: 410 }))
    await recordSample(who)
    await sendDue()
    const failed = await lastEvent(who, id)
    const answer = await replay(who, id, failed.id)
    assert.deepEqual([answer.status, answer.body.name], [409, 'conflict'])
    assert.deepEqual(await lastEvent(who, id), failed)
    await who.client.send('PATCH', `/api/webhooks/${id}`, { body: { status: 'enabled' } })
    receiver.script(() => undefined)
    assert.equal((await replay(who, id, failed.id)).body.status, 'pending')
    await sendDue()
    const done = await lastEvent(who, id)
    assert.deepEqual([done.id, done.status, done.attempts, done.error], [failed.id, 'success', 2, null])
    assert.equal((await replay(who, id, newId())).status, 404)
  })
})

describe('a test', () => {
  const testOf = ({ client }: Customer, id: string, body: object = {}) => client.post(`/api/webhooks/${id}/test`, body)

  test('is delivered at once, is kept as an event, and does not count for health', async () => {
    const who = await customer()
    const { id, signing_secret: secret } = await hookTo(who, '/in', { status: 'disabled' })
    receiver.script([
      { status: 200, body: 'thanks' },
      { status: 500, body: 'no' },
    ])
    const { body } = await testOf(who, id)
    assert.deepEqual(body, {
      object: 'webhook_test',
      event_id: receiver.received[0]?.id,
      type: 'webhook.test',
      delivered: true,
      status_code: 200,
      duration_ms: body.duration_ms,
      response_body: 'thanks',
      error: null,
    })
    assert.deepEqual(receiver.received[0]?.json, {
      type: 'webhook.test',
      created_at: mail.clock.now().toISOString(),
      data: { webhook_id: id, message: 'This is a test of your webhook.' },
    })
    const bad = await testOf(who, id, { type: 'email.bounced' })
    assert.deepEqual(
      [bad.status, bad.body.type, bad.body.delivered, bad.body.status_code, bad.body.response_body],
      [200, 'email.bounced', false, 500, 'no'],
    )
    const [got] = receiver.received.slice(-1)
    const headers = {
      id: String(got?.headers['svix-id']),
      timestamp: String(got?.headers['svix-timestamp']),
      signature: String(got?.headers['svix-signature']),
    }
    const payload = got?.body.toString() ?? ''
    const verified = new Resend('re_unused').webhooks.verify({ payload, headers, webhookSecret: secret })
    assert.equal(verified.type, 'email.bounced')
    const hook = await read(who, id)
    assert.deepEqual([hook.status, hook.failing_since, hook.last_success_at], ['disabled', null, null])
    const event = await lastEvent(who, id)
    assert.deepEqual([event.type, event.status, event.attempts], ['email.bounced', 'failed', 1])
    mail.clock.advance(DAY)
    await sendDue()
    assert.equal(receiver.received.length, 2)
  })

  test('reveals nothing about a network that does not answer: refused and closed look the same', async () => {
    const who = await customer()
    const closed = await startFakeWebhook()
    await closed.close()
    const make = async (endpoint: string): Promise<string> =>
      (await who.client.post('/api/webhooks', { endpoint, events: ['email.sent'] })).body.id
    const answers = await Promise.all(
      ['http://nobody-knows.test/', `${closed.url}/`].map(
        async (endpoint) => (await testOf(who, await make(endpoint))).body,
      ),
    )
    for (const answer of answers) {
      assert.deepEqual([answer.delivered, answer.status_code, answer.response_body], [false, null, null])
      assert.ok(answer.duration_ms >= webhookPolicy.testFailureFloorMs)
    }
    assert.equal(answers[0]?.error, answers[1]?.error)
  })

  test('with a type that there is not is refused, and nothing is sent', async () => {
    const who = await customer()
    const { id } = await hookTo(who)
    const answer = await testOf(who, id, { type: 'contact.created' })
    assert.deepEqual([answer.status, answer.body.name], [400, 'validation_error'])
    assert.equal((await who.client.get(`/api/webhooks/${id}/events`)).body.total, 0)
    assert.equal(receiver.received.length, 0)
  })
})

test('endpoints that hang do not slow one that answers, and what commits is sent without being waited for', async () => {
  const who = await customer()
  const hanging = Array.from({ length: 20 }, (_, nth) => `/hang/${nth}`)
  const hooks = await Promise.all([...hanging, '/quick'].map((path) => hookTo(who, path)))
  receiver.trust(...hooks.map((hook) => hook.signing_secret))
  receiver.script(({ path }) => (path.startsWith('/hang') ? { hang: true } : undefined))
  const worker = startWebhooks(mail.parts)
  try {
    await recordSample(who)
    await receiver.waitFor(hooks.length)
    // While all of them hang, the next events reach the one that answers.
    for (let nth = 0; nth < 3; nth += 1) await recordSample(who)
    const quick = () => receiver.received.filter(({ path }) => path === '/quick').length
    await until(() => quick() >= 4, 'all four come')
    assert.ok(receiver.pending() >= hanging.length)
  } finally {
    await receiver.close()
    await worker.stop()
  }
})
