import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { type CmsOptions, type CmsService, type Person, startCms } from '@stoa/tests/lib/cms.ts'
import { type FakeWebhook, type FakeWebhookOptions, startFakeWebhook } from '@stoa/tests/lib/fake-webhook.ts'
import { loseNotifications } from '@stoa/tests/lib/lose-notifications.ts'
import { passTime, until } from '@stoa/tests/lib/waiting.ts'
import { ALLOW_PRIVATE, addHook, publish, readHook } from './site/webhooks/testing/ground.ts'

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close()
})
const start = async (options: CmsOptions = {}): Promise<CmsService> => {
  const service = await startCms({ env: ALLOW_PRIVATE, ...options })
  opened.push(service)
  return service
}
/** Another process on the same database. */
const startBeside = (service: CmsService, options: CmsOptions = {}) =>
  start({ databaseUrl: service.databaseUrl, clock: service.clock, ...options })
const receive = async (service: CmsService, options: FakeWebhookOptions = {}): Promise<FakeWebhook> => {
  const receiver = await startFakeWebhook({ now: () => service.clock.now(), ...options })
  opened.push(receiver)
  return receiver
}

/** Workers that do not look by themselves in time: what is delivered was woken. */
const WOKEN: CmsOptions = { background: true, pollMs: 3_600_000 }
const untilSuccess = ({ client }: Person, id: string) =>
  until(async () => (await readHook(client, id)).lastDelivery?.status === 'success', 'the delivery')

describe('background work', () => {
  test('delivers what a change of this process enqueued, without waiting for the next look', async () => {
    const service = await start(WOKEN)
    await service.cms.services.bus.ready()
    const receiver = await receive(service)
    const admin = await service.person('admin')
    const hook = await addHook(admin.client, { url: receiver.url })
    receiver.trust(hook.secret)
    for (const count of [1, 2, 3]) {
      await publish(service)
      await receiver.waitFor(count)
    }
    assert.deepEqual(receiver.problems, [])
  })

  test('delivers what became due while notifications were lost once they are back', async () => {
    const service = await start(WOKEN)
    await service.cms.services.bus.ready()
    const receiver = await receive(service)
    const admin = await service.person('admin')
    const hook = await addHook(admin.client, { url: receiver.url })
    receiver.trust(hook.secret)
    await publish(service)
    await receiver.waitFor(1)
    await untilSuccess(admin, hook.id)
    await passTime(100, 'its look after the delivery is over')
    await service.cms.database.pool.query(
      `update webhook_delivery set status = 'pending', next_attempt_at = $1, retries = 0`,
      [service.clock.now()],
    )
    await loseNotifications(service.cms.database, 'stoa-cms-events')
    await receiver.waitFor(2)
  })

  test('delivers what a process without workers enqueued or sent again, as soon as it is committed', async () => {
    const front = await start()
    const worker = await startBeside(front, WOKEN)
    await worker.cms.services.bus.ready()
    const receiver = await receive(front)
    const admin = await front.person('admin')
    const hook = await addHook(admin.client, { url: receiver.url })
    receiver.trust(hook.secret)
    await publish(front)
    const [event] = await receiver.waitFor(1)
    await untilSuccess(admin, hook.id)
    const path = `/api/webhooks/${hook.id}/deliveries/${event?.id}/redeliver`
    assert.equal((await admin.client.post(path)).status, 200)
    await receiver.waitFor(2)
    assert.equal(receiver.received[1]?.id, event?.id)
  })

  test('sends a webhook one event after the other, in the order in which they happened', async () => {
    const service = await start({ background: true })
    const receiver = await receive(service)
    const { client } = await service.person('admin')
    await client.post('/api/types', { name: 'note', label: 'Note', fields: [{ key: 'count', type: 'number' }] })
    const { id } = (await client.post('/api/entries', { type: 'note', title: 'A note' })).body
    await client.post(`/api/entries/${id}/status`, { action: 'publish' })
    const hook = await addHook(client, { url: receiver.url })
    receiver.trust(hook.secret)
    const besides: number[] = []
    receiver.script(() => {
      besides.push(receiver.pending())
      return { delayMs: 20 }
    })
    for (const count of [1, 2, 3]) await client.put(`/api/entries/${id}`, { data: { count } })
    const events = (await receiver.waitFor(6)).map(({ headers }) => headers['x-cms-event'])
    assert.deepEqual(events, Array(3).fill(['entry.updated', 'entry.published']).flat())
    assert.deepEqual(besides, Array(6).fill(0))
  })

  test('in two processes delivers every event once', async () => {
    const one = await start({ background: true })
    const two = await startBeside(one, { background: true })
    const receiver = await receive(one)
    const admin = await one.person('admin')
    const hooks = await Promise.all(
      ['/a', '/b', '/c'].map((path) => addHook(admin.client, { url: receiver.url + path })),
    )
    receiver.trust(...hooks.map(({ secret }) => secret))
    for (let index = 0; index < 20; index += 1) await publish(index % 2 === 0 ? one : two)
    await receiver.waitFor(60)
    await passTime(100, 'a second copy would be there by now')
    assert.equal(receiver.received.length, 60)
    assert.equal(new Set(receiver.received.map(({ id }) => id)).size, 60)
    assert.deepEqual(receiver.problems, [])
  })

  test('without workers makes the queues and takes nothing', async () => {
    const service = await start()
    await service.cms.startBackground({ workers: false })
    const receiver = await receive(service)
    const admin = await service.person('admin')
    await addHook(admin.client, { url: receiver.url })
    await publish(service)
    await passTime(100, 'a worker would have sent it by now')
    assert.equal(receiver.received.length + receiver.problems.length, 0)
    const [row] = await service.cms.database.db.query<{ queues: number }>({
      text: 'select count(*) as queues from jobs.queue',
    })
    assert.ok(row && row.queues > 0)
  })

  test('ends with the service, which lets what is under way finish', async () => {
    const first = await start()
    const second = await startBeside(first, { background: true })
    const receiver = await receive(first)
    const admin = await first.person('admin')
    const hook = await addHook(admin.client, { url: receiver.url })
    receiver.trust(hook.secret)
    receiver.script([{ delayMs: 300 }])
    await publish(second)
    await receiver.waitFor(1)
    opened.splice(opened.indexOf(second), 1)
    await second.close()
    assert.equal((await readHook(admin.client, hook.id)).lastDelivery?.status, 'success')
    await publish(first)
    await passTime(100, 'a worker that still ran would have sent it by now')
    assert.equal(receiver.received.length, 1)
  })
})
