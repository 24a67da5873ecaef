import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { type FakeWebhook, startFakeWebhook } from '@stoa/tests/lib/fake-webhook.ts'
import { openWebhookGround, testPolicy, type WebhookGround } from '@stoa/tests/lib/webhook-ground.ts'
import { createEgress } from '../egress/egress.ts'
import { newId } from '../ids.ts'
import type { WebhookContext } from './attempt.ts'
import { findDelivery, listAttempts, listDeliveries } from './deliveries.ts'
import { findEndpoint, updateEndpoint } from './endpoints.ts'
import type { WebhookTables } from './tables.ts'
import { testDelivery } from './test-delivery.ts'
import { createWebhookWorker } from './worker.ts'

let ground: WebhookGround
let hook: FakeWebhook
let owner: string
before(async () => {
  ground = await openWebhookGround()
})
after(() => ground.close())
beforeEach(async () => {
  await ground.rows('delete from webhook_endpoint')
  owner = newId()
  hook = await startFakeWebhook({ now: () => ground.clock.now() })
})
afterEach(() => hook.close())

const makeEndpoint = async () => {
  const endpoint = await ground.endpoint({ owner, url: `${hook.url}/in` })
  hook.trust(endpoint.secret)
  return endpoint.id
}
const send = async (endpointId: string, changes: Partial<WebhookContext<WebhookTables>> = {}) => {
  const payload = (id: string) => JSON.stringify({ id, type: 'webhook.test' })
  return testDelivery(ground.context(changes), { owner, endpointId, type: 'webhook.test', payload })
}

test('a test is sent signed, answered with the outcome, and stands in the log', async () => {
  const endpointId = await makeEndpoint()
  hook.script([{ status: 201, body: 'seen' }])
  const result = await send(endpointId)
  assert.ok(result)
  assert.deepEqual(hook.problems, [])
  assert.deepEqual(hook.received[0]?.json, { id: result.deliveryId, type: 'webhook.test' })
  assert.deepEqual(
    [result.isDelivered, result.responseStatus, result.responseBody, result.error],
    [true, 201, 'seen', null],
  )
  const stored = await findDelivery(ground.database.db, { owner, endpointId, id: result.deliveryId })
  assert.deepEqual([stored?.status, stored?.attempts, stored?.isTest], ['success', 1, true])
})

test('a failed test is not retried and leaves the endpoint as it was, even with 410', async () => {
  const endpointId = await makeEndpoint()
  const policy = { ...testPolicy, disableAfter: { consecutiveFailures: 1, failingForMs: 0 } }
  for (const status of [500, 410]) {
    hook.script([{ status }])
    const result = await send(endpointId, { policy })
    assert.deepEqual([result?.isDelivered, result?.responseStatus], [false, status])
  }
  ground.clock.advance(1_000_000)
  await createWebhookWorker(ground.context()).runDue()
  assert.equal(hook.received.length, 2)
  const endpoint = await findEndpoint(ground.database.db, { owner, id: endpointId })
  assert.deepEqual([endpoint?.status, endpoint?.failingSince, endpoint?.consecutiveFailures], ['enabled', null, 0])
})

test('an endpoint that is off can be tested', async () => {
  const endpointId = await makeEndpoint()
  await ground.database.tx((tx) =>
    updateEndpoint(tx, { owner, id: endpointId }, { status: 'disabled' }, ground.clock.now()),
  )
  assert.equal((await send(endpointId))?.isDelivered, true)
})

test('a foreign or unknown endpoint is not found, and nothing is stored', async () => {
  const endpointId = await makeEndpoint()
  owner = newId()
  assert.equal(await send(endpointId), null)
  assert.equal(await send('nothing'), null)
  assert.equal(hook.received.length, 0)
  assert.equal((await listDeliveries(ground.database.db, { owner, limit: 1, offset: 0 })).total, 0)
})

test('refused and closed targets give the same text, and never less than the floor of time', async () => {
  const endpointId = await makeEndpoint()
  const policy = { ...testPolicy, testFailureFloorMs: 200 }
  const closed = await startFakeWebhook()
  await closed.close()
  const setUrl = (url: string) => ground.rows('update webhook_endpoint set url = $2 where id = $1', [endpointId, url])
  const results = []

  await setUrl(closed.url)
  results.push(await send(endpointId, { policy }))
  await setUrl('https://10.0.0.1/')
  results.push(await send(endpointId, { policy, egress: createEgress({ ports: [443] }) }))

  for (const result of results) {
    assert.deepEqual(
      [result?.isDelivered, result?.responseStatus, result?.responseBody, result?.error],
      [false, null, null, "The server couldn't be reached"],
    )
    assert.ok((result?.durationMs ?? 0) >= 200)
  }
  assert.equal((await listDeliveries(ground.database.db, { owner, limit: 9, offset: 0, status: 'failed' })).total, 2)
})

test('a target that does not answer in time is said to have timed out, in the result, the log and its attempts', async () => {
  const endpointId = await makeEndpoint()
  hook.script([{ hang: true }])
  const result = await send(endpointId, { policy: { ...testPolicy, testTimeoutMs: 200 } })
  assert.ok(result)
  const text = "The server didn't respond within 0.2 s"
  assert.deepEqual([result.isDelivered, result.responseStatus, result.error], [false, null, text])
  const key = { owner, endpointId, id: result.deliveryId }
  assert.equal((await findDelivery(ground.database.db, key))?.error, text)
  assert.deepEqual(
    (await listAttempts(ground.database.db, key)).map(({ error }) => error),
    [text],
  )
})
