import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { type FakeWebhook, startFakeWebhook } from '@stoa/tests/lib/fake-webhook.ts'
import { passTime, until } from '@stoa/tests/lib/waiting.ts'
import { openWebhookGround, testPolicy, type WebhookGround } from '@stoa/tests/lib/webhook-ground.ts'
import { fault } from '../errors.ts'
import type { WebhookContext } from './attempt.ts'
import { deliveryQueue, toClaim } from './claim.ts'
import { enqueueEvent, findDelivery, listAttempts, listDeliveries } from './deliveries.ts'
import { deleteEndpoint } from './endpoints.ts'
import type { AttemptOutcome } from './policy.ts'
import { recordOutcome } from './record.ts'
import { newSigningSecret } from './sign.ts'
import type { WebhookTables } from './tables.ts'
import { createWebhookWorker, type WebhookWorker, type WebhookWorkerOptions } from './worker.ts'

let ground: WebhookGround
let hook: FakeWebhook
let workers: WebhookWorker[]
const owner = 'one'
const secret = newSigningSecret(24)

before(async () => {
  ground = await openWebhookGround()
})
after(() => ground.close())
beforeEach(async () => {
  await ground.rows('delete from webhook_endpoint')
  workers = []
  hook = await startFakeWebhook({ secrets: [secret.reveal()], now: () => ground.clock.now() })
})
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.stop(0)))
  await hook.close()
})

const makeEndpoint = (path: string, events = ['*']) => ground.endpoint({ url: hook.url + path, secret, events })
const enqueue = (type = 'a.b') =>
  ground.database.tx((tx) => enqueueEvent(tx, { owner, type, payload: () => '{}', now: ground.clock.now() }))
const startWorker = (changes: Partial<WebhookContext<WebhookTables>> = {}, options: WebhookWorkerOptions = {}) => {
  const worker = createWebhookWorker(ground.context(changes), options)
  workers.push(worker)
  worker.start()
  return worker
}
const claimOne = async () => {
  const now = ground.clock.now()
  const leaseUntil = new Date(now.getTime() + 30_000)
  const input = { lane: 'healthy', limit: 1, perKey: 1, slotsLeft: new Map(), now, leaseUntil } as const
  const [claimed] = await ground.database.tx((tx) => deliveryQueue.claim(tx, input))
  assert.ok(claimed)
  return toClaim(claimed)
}
const delivered = (): AttemptOutcome => ({
  isDelivered: true,
  sentAt: ground.clock.now(),
  durationMs: 1,
  responseStatus: 200,
  responseBody: 'late',
  error: null,
})

test('fifty endpoints that never answer do not delay a healthy one', async () => {
  hook.script(({ path }) => (path === '/healthy' ? undefined : { hang: true }))
  for (let index = 0; index < 50; index += 1) await makeEndpoint(`/hangs/${index}`, ['hangs'])
  await makeEndpoint('/healthy', ['healthy'])
  const policy = { ...testPolicy, timeoutMs: 3_000 }
  const worker = startWorker({ policy }, { pollMs: 100 })
  await enqueue('hangs')
  await enqueue('hangs')
  worker.wake()
  await hook.waitFor(50)

  const latencies: number[] = []
  for (let round = 1; round <= 20; round += 1) {
    await enqueue('hangs')
    await enqueue('healthy')
    const sent = performance.now()
    worker.wake()
    await until(async () => hook.received.filter(({ path }) => path === '/healthy').length >= round, 'healthy event')
    latencies.push(performance.now() - sent)
  }
  const median = latencies.toSorted((a, b) => a - b)[10] ?? Number.NaN
  assert.ok(median <= 2_000, `latencies ${latencies.map(Math.round)} ms`)
  await until(async () => {
    const [row] = await ground.rows(`select count(*) from webhook_attempt where error is not null`)
    return Number(row?.count) >= 50
  }, 'hung attempts ended')
  assert.deepEqual(hook.problems, [])
})

test('a long queue of one endpoint does not keep another waiting', async () => {
  await makeEndpoint('/busy', ['busy'])
  await makeEndpoint('/other', ['other'])
  for (let index = 0; index < 200; index += 1) await enqueue('busy')
  ground.clock.advance(1_000)
  await enqueue('other')
  const worker = createWebhookWorker(ground.context(), { limits: { healthy: 4, perEndpoint: 2 } })
  await worker.runDue()
  assert.equal(hook.received.length, 201)
  assert.ok(hook.received.findIndex(({ path }) => path === '/other') < 8)
})

test('two workers on one database send every delivery exactly once', async () => {
  for (let index = 0; index < 10; index += 1) await makeEndpoint(`/${index}`)
  const ids: string[] = []
  for (let index = 0; index < 30; index += 1) ids.push(...(await enqueue()))
  startWorker({}, { pollMs: 20 })
  startWorker({}, { pollMs: 20 })
  await until(async () => {
    const { total } = await listDeliveries(ground.database.db, { owner, status: 'success', limit: 1, offset: 0 })
    return total === ids.length
  }, 'all are done')
  assert.deepEqual(hook.received.map(({ id }) => id).sort(), ids.sort())
})

test('the late result of a worker that lost its lease is refused and changes nothing', async () => {
  const { id: endpointId } = await makeEndpoint('/in')
  const [id] = await enqueue()
  const stalled = await claimOne()
  ground.clock.advance(31_000)
  hook.script([{ status: 500 }])
  await createWebhookWorker(ground.context()).runDue()
  const key = { owner, endpointId, id: id! }
  const before = await findDelivery(ground.database.db, key)
  assert.deepEqual([before?.status, before?.attempts], ['pending', 2])

  const options = { policy: testPolicy, hooks: {}, now: ground.clock.now() }
  const late = await ground.database.tx((tx) => recordOutcome(tx, stalled, delivered(), options))
  assert.equal(late, null)
  assert.deepEqual(await findDelivery(ground.database.db, key), before)
  assert.equal((await listAttempts(ground.database.db, key)).length, 1)
  assert.equal((await ground.rows('select last_success_at from webhook_endpoint'))[0]?.last_success_at, null)
})

test('the late result of a worker whose delivery another one is sending changes nothing for that one', async () => {
  const { id: endpointId } = await makeEndpoint('/in')
  const [id] = await enqueue()
  const stalled = await claimOne()
  ground.clock.advance(31_000)
  const holder = await claimOne()
  const options = { policy: testPolicy, hooks: {}, now: ground.clock.now() }
  assert.equal(await ground.database.tx((tx) => recordOutcome(tx, stalled, delivered(), options)), null)
  const key = { owner, endpointId, id: id! }
  assert.equal((await findDelivery(ground.database.db, key))?.status, 'attempting')
  assert.notEqual(await ground.database.tx((tx) => recordOutcome(tx, holder, delivered(), options)), null)
  assert.equal((await findDelivery(ground.database.db, key))?.status, 'success')
  assert.equal((await listAttempts(ground.database.db, key)).length, 1)
})

test('a worker that dies after sending leaves the delivery to be sent again with the same id', async () => {
  await makeEndpoint('/in')
  const [id] = await enqueue()
  await claimOne()
  await createWebhookWorker(ground.context()).runDue()
  assert.equal(hook.received.length, 0, 'the lease protects it')
  ground.clock.advance(31_000)
  await createWebhookWorker(ground.context()).runDue()
  assert.deepEqual(
    hook.received.map((event) => event.id),
    [id],
  )
})

test('an answer lost on the way leads to the same id again', async () => {
  await makeEndpoint('/in')
  const [id] = await enqueue()
  hook.script([{ cut: 'after-effect' }])
  const worker = createWebhookWorker(ground.context())
  await worker.runDue()
  ground.clock.advance(10_000)
  await worker.runDue()
  assert.deepEqual(
    hook.received.map((event) => event.id),
    [id, id],
  )
  assert.deepEqual(hook.problems, [])
})

test('a stopping worker gives a hanging delivery back, due at once', async () => {
  const { id: endpointId } = await makeEndpoint('/in')
  const [id] = await enqueue()
  hook.script([{ hang: true }])
  const worker = startWorker()
  await hook.waitFor(1)
  await worker.stop(50)
  const key = { owner, endpointId, id: id! }
  const released = await findDelivery(ground.database.db, key)
  assert.deepEqual([released?.status, released?.nextAttemptAt], ['pending', ground.clock.now()])
  assert.deepEqual(await listAttempts(ground.database.db, key), [])
  await enqueue()
  worker.wake()
  await passTime(50, 'a worker that was notified would have sent by now')
  assert.equal(hook.received.length, 1, 'a stopped worker takes nothing')
  await createWebhookWorker(ground.context()).runDue()
  assert.equal((await findDelivery(ground.database.db, key))?.status, 'success')
})

test('a wake inside and after the transaction delivers without waiting for the next look', async () => {
  await makeEndpoint('/in')
  const worker = startWorker({}, { pollMs: 600_000 })
  await ground.database.tx(async (tx) => {
    await enqueueEvent(tx, { owner, type: 'a.b', payload: () => '{}', now: ground.clock.now() })
    worker.wake()
    await passTime(50, 'a worker that read it before the commit would have sent by now')
  })
  assert.equal(hook.received.length, 0, 'nothing is sent before the commit')
  worker.wake()
  await hook.waitFor(1)
})

test('a result is kept while the database is away for a moment', async () => {
  const { id: endpointId } = await makeEndpoint('/in')
  const [id] = await enqueue()
  let isAway = true
  const hooks: WebhookContext<WebhookTables>['hooks'] = {
    onOutcome: async () => {
      if (!isAway) return
      isAway = false
      throw fault('unavailable', { retryAfterSeconds: 1 })
    },
  }
  await createWebhookWorker(ground.context({ hooks })).runDue()
  const delivery = await findDelivery(ground.database.db, { owner, endpointId, id: id! })
  assert.deepEqual([delivery?.status, hook.received.length], ['success', 1])
})

test('a stop does not wait for a database that stays away: the result is lost, and the delivery is due at once', async () => {
  const { id: endpointId } = await makeEndpoint('/in')
  const [id] = await enqueue()
  let tries = 0
  const hooks: WebhookContext<WebhookTables>['hooks'] = {
    onOutcome: async () => {
      tries += 1
      throw fault('unavailable', { retryAfterSeconds: 1 })
    },
  }
  const worker = startWorker({ hooks })
  await until(() => tries > 0, 'there is a result')
  await worker.stop(0)
  const delivery = await findDelivery(ground.database.db, { owner, endpointId, id: id! })
  assert.deepEqual([delivery?.status, delivery?.nextAttemptAt], ['pending', ground.clock.now()])
})

test('the worker goes on after every database connection was ended', async () => {
  const { id: endpointId } = await makeEndpoint('/in')
  const [id] = await enqueue()
  startWorker({}, { pollMs: 50 })
  const first = () => findDelivery(ground.database.db, { owner, endpointId, id: id! })
  await until(async () => (await first())?.status === 'success', 'the worker has its connections')
  await ground.rows(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`)
  await until(
    () =>
      enqueue().then(
        () => true,
        () => false,
      ),
    'the event is accepted',
  )
  await hook.waitFor(2)
})

test('an endpoint that is deleted while it is being talked to ends the matter', async () => {
  const { id } = await makeEndpoint('/in')
  await enqueue()
  hook.script([{ delayMs: 50 }])
  const running = createWebhookWorker(ground.context()).runDue()
  await hook.waitFor(1)
  await ground.database.tx((tx) => deleteEndpoint(tx, { owner, id }))
  await running
  assert.deepEqual(await ground.rows('select 1 from webhook_delivery union all select 1 from webhook_attempt'), [])
})

test('a claim whose endpoint was switched off behind its back is ended unsent', async () => {
  const { id: endpointId } = await makeEndpoint('/in')
  const [id] = await enqueue()
  await ground.rows(`update webhook_endpoint set status = 'disabled', disabled_reason = 'owner' where id = $1`, [
    endpointId,
  ])
  await createWebhookWorker(ground.context()).runDue()
  assert.equal(hook.received.length, 0)
  assert.equal((await findDelivery(ground.database.db, { owner, endpointId, id: id! }))?.status, 'failed')
})
