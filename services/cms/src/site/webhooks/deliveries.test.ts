import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { type CmsService, type Person, startCms } from '@stoa/tests/lib/cms.ts'
import { type FakeWebhook, startFakeWebhook } from '@stoa/tests/lib/fake-webhook.ts'
import { ALLOW_PRIVATE, activityOf, addHook, publish, readHook, sendDue, storedWebhooks } from './testing/ground.ts'

let service: CmsService
let admin: Person
let receiver: FakeWebhook
before(async () => {
  service = await startCms({ env: ALLOW_PRIVATE })
  admin = await service.person('admin', { name: 'Ada Admin' })
})
after(() => service.close())
beforeEach(async () => {
  await service.cms.database.tx((tx) => tx.deleteFrom('webhook_endpoint').execute())
  receiver = await startFakeWebhook({ now: () => service.clock.now() })
})
afterEach(() => receiver.close())

const hookTo = async (members: Record<string, unknown> = {}) => {
  const hook = await addHook(admin.client, { url: `${receiver.url}/in`, name: 'Website', ...members })
  receiver.trust(hook.secret)
  return hook
}
const logOf = async (id: string, query = '') => (await admin.client.get(`/api/webhooks/${id}/deliveries${query}`)).body
const redeliver = (id: string, delivery: string) =>
  admin.client.post(`/api/webhooks/${id}/deliveries/${delivery}/redeliver`)
const idsOf = (list: { items: { id: string }[] }) => list.items.map(({ id }) => id)

describe('the log of a webhook', () => {
  test('is the newest first, in pages, by status and by event', async () => {
    const { id } = await hookTo()
    receiver.script([{ status: 500 }])
    await publish(service)
    await sendDue(service)
    for (const event of ['entry.deleted', 'menu.updated'] as const) {
      service.clock.advance(1_000)
      await publish(service, { event })
      await sendDue(service)
    }
    const all = await logOf(id)
    assert.deepEqual(all.meta, { total: 3, page: 1, limit: 25, pages: 1 })
    assert.deepEqual(
      all.items.map((item: { event: string; status: string }) => [item.event, item.status]),
      [
        ['menu.updated', 'success'],
        ['entry.deleted', 'success'],
        ['entry.published', 'pending'],
      ],
    )
    assert.deepEqual(idsOf(await logOf(id, '?limit=2&page=2')), [all.items[2].id])
    assert.deepEqual(idsOf(await logOf(id, '?status=pending')), [all.items[2].id])
    assert.deepEqual(idsOf(await logOf(id, '?event=entry.deleted')), [all.items[1].id])
    assert.equal((await admin.client.get(`/api/webhooks/${id}/deliveries?status=lost`)).status, 400)
  })

  test('shows one delivery with its body, the answer and every attempt', async () => {
    const { id } = await hookTo()
    receiver.script([
      { status: 500, body: 'down' },
      { status: 200, body: 'thank you' },
    ])
    await publish(service)
    const sentAt = service.clock.now().toISOString()
    await sendDue(service)
    service.clock.advance(12_000)
    await sendDue(service)
    const [item] = (await logOf(id)).items
    const { body, status } = await admin.client.get(`/api/webhooks/${id}/deliveries/${item.id}`)
    assert.equal(status, 200)
    const { payload, responseBody, attemptLog, ...summary } = body
    assert.deepEqual(summary, item)
    assert.deepEqual(payload, receiver.received[0]?.json)
    assert.equal(responseBody, 'thank you')
    assert.deepEqual(
      attemptLog.map((attempt: Record<string, unknown>) => ({ ...attempt, durationMs: typeof attempt.durationMs })),
      [
        {
          attempt: 1,
          at: sentAt,
          responseStatus: 500,
          responseBody: 'down',
          error: 'The server returned 500',
          durationMs: 'number',
        },
        {
          attempt: 2,
          at: service.clock.now().toISOString(),
          responseStatus: 200,
          responseBody: 'thank you',
          error: null,
          durationMs: 'number',
        },
      ],
    )
    assert.deepEqual(
      { ...item, durationMs: 0 },
      {
        id: receiver.received[0]?.id,
        event: 'entry.published',
        status: 'success',
        test: false,
        attempts: 2,
        responseStatus: 200,
        error: null,
        durationMs: 0,
        createdAt: sentAt,
        lastAttemptAt: service.clock.now().toISOString(),
        nextAttemptAt: null,
      },
    )
  })

  test('shows no outcome while an attempt is under way', async () => {
    const { id } = await hookTo()
    receiver.script([{ delayMs: 100 }])
    await publish(service)
    const sending = sendDue(service)
    await receiver.waitFor(1)
    const { lastDelivery } = await readHook(admin.client, id)
    assert.deepEqual([lastDelivery?.status, lastDelivery?.durationMs], ['attempting', null])
    await sending
  })
})

describe('sending again', () => {
  test('sends the same id and body with a fresh time, after success and after failure', async () => {
    const { id } = await hookTo()
    receiver.script([{ status: 410 }])
    await publish(service)
    await sendDue(service)
    await admin.client.put(`/api/webhooks/${id}`, { enabled: true })
    const [{ id: delivery }] = (await logOf(id)).items
    for (const count of [2, 3]) {
      service.clock.advance(3_600_000)
      const answer = await redeliver(id, delivery)
      assert.deepEqual([answer.status, answer.body.id, answer.body.status], [200, delivery, 'pending'])
      await sendDue(service)
      assert.equal(receiver.received.length, count)
    }
    assert.deepEqual(receiver.problems, [])
    assert.deepEqual(
      receiver.received.map((event) => event.id),
      [delivery, delivery, delivery],
    )
    assert.equal(new Set(receiver.received.map(({ body }) => body.toString())).size, 1)
    assert.equal(receiver.received[2]!.timestamp - receiver.received[1]!.timestamp, 3_600)
    const rows = await activityOf(service, 'webhook.redelivered')
    assert.deepEqual(
      rows.map((row) => [row.actor_id, row.target_id]),
      [
        [admin.id, id],
        [admin.id, id],
      ],
    )
  })

  test('to a webhook that is off is refused and changes nothing', async () => {
    const { id } = await hookTo()
    await publish(service)
    await sendDue(service)
    await admin.client.put(`/api/webhooks/${id}`, { enabled: false })
    const [{ id: delivery }] = (await logOf(id)).items
    const stored = await storedWebhooks(service)
    const answer = await redeliver(id, delivery)
    assert.deepEqual([answer.status, answer.body.code], [409, 'INVALID_STATE'])
    assert.deepEqual(await storedWebhooks(service), stored)
    assert.equal((await redeliver(id, newId())).status, 404)
  })
})

describe('a test', () => {
  const run = async (id: string) => {
    const answer = await admin.client.post(`/api/webhooks/${id}/test`)
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }

  test('is sent signed at once, answered with the outcome, and stands in the log', async () => {
    const { id } = await hookTo({ events: ['menu.updated'] })
    receiver.script([{ status: 201, body: 'seen' }])
    const result = await run(id)
    assert.deepEqual(receiver.problems, [])
    const [event] = receiver.received
    assert.equal(event?.headers['x-cms-event'], 'webhook.test')
    assert.deepEqual(event?.json, {
      id: `evt_${result.deliveryId}`,
      event: 'webhook.test',
      createdAt: service.clock.now().toISOString(),
      site: 'http://cms.test',
      actor: { kind: 'user', id: admin.id, name: 'Ada Admin' },
      data: { id, title: 'Website' },
      previous: null,
      changed: [],
    })
    assert.deepEqual(
      { ...result, durationMs: typeof result.durationMs },
      {
        deliveryId: event?.id,
        delivered: true,
        status: 201,
        responseBody: 'seen',
        error: null,
        durationMs: 'number',
      },
    )
    const [item] = (await logOf(id)).items
    assert.deepEqual([item.id, item.test, item.status], [result.deliveryId, true, 'success'])
    assert.equal((await readHook(admin.client, id)).lastDelivery?.event, 'webhook.test')
  })

  test('that fails, even with 410, is a result: it is not tried again and the webhook stays as it was', async () => {
    const { id } = await hookTo()
    receiver.script([{ status: 410, body: 'gone' }])
    const result = await run(id)
    assert.deepEqual([result.delivered, result.status, result.responseBody], [false, 410, 'gone'])
    assert.equal(result.error, 'The server returned 410')
    service.clock.advance(86_400_000)
    await sendDue(service)
    assert.equal(receiver.received.length, 1)
    assert.equal((await readHook(admin.client, id)).enabled, true)
  })

  test('reaches a webhook that is off', async () => {
    const { id } = await hookTo({ enabled: false })
    assert.equal((await run(id)).delivered, true)
  })

  test('M93: of closed, unknown and broken targets has one text and one least time, in the log as well', async () => {
    const closed = await startFakeWebhook()
    await closed.close()
    receiver.script(() => ({ cut: 'before-effect' }))
    const hooks = await Promise.all([
      hookTo(),
      addHook(admin.client, { url: closed.url }),
      addHook(admin.client, { url: 'http://nowhere.localhost:9/' }),
    ])
    const results = await Promise.all(hooks.map(({ id }) => run(id)))
    for (const result of results) {
      assert.deepEqual(
        [result.delivered, result.status, result.responseBody, result.error],
        [false, null, null, "The server couldn't be reached"],
      )
      assert.ok(result.durationMs >= 2_000 && result.durationMs < 8_000, `${result.durationMs} ms`)
    }
    for (const { id } of hooks) {
      const [item] = (await logOf(id)).items
      assert.deepEqual([item.durationMs, item.error], [null, "The server couldn't be reached"])
    }
  })
})
