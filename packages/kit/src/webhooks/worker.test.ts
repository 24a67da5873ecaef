import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { type FakeWebhook, startFakeWebhook } from '@stoa/tests/lib/fake-webhook.ts'
import { until } from '@stoa/tests/lib/waiting.ts'
import { openWebhookGround, testPolicy, type WebhookGround } from '@stoa/tests/lib/webhook-ground.ts'
import { createEgress } from '../egress/egress.ts'
import { newId } from '../ids.ts'
import type { WebhookContext } from './attempt.ts'
import { enqueueEvent, findDelivery, listAttempts, replayDelivery } from './deliveries.ts'
import { findEndpoint, rotateSecret, updateEndpoint } from './endpoints.ts'
import { newSigningSecret } from './sign.ts'
import type { WebhookTables } from './tables.ts'
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

type Changes = Partial<WebhookContext<WebhookTables>>

const makeEndpoint = async (path = '/in') => {
  const endpoint = await ground.endpoint({ owner, url: hook.url + path })
  hook.trust(endpoint.secret)
  return endpoint
}
const enqueue = async (type = 'thing.done', payload = '{"a":"ü"}') => {
  const event = { owner, type, payload: () => payload, now: ground.clock.now() }
  const [id] = await ground.database.tx((tx) => enqueueEvent(tx, event))
  return id!
}
const runDue = (changes: Changes = {}) => createWebhookWorker(ground.context(changes)).runDue()
const read = async (endpointId: string, id: string) => {
  const delivery = await findDelivery(ground.database.db, { owner, endpointId, id })
  assert.ok(delivery)
  return delivery
}
const endpointNow = async (id: string) => {
  const endpoint = await findEndpoint(ground.database.db, { owner, id })
  assert.ok(endpoint)
  return endpoint
}

describe('an attempt', () => {
  test('posts the stored text, signed, with the headers of the service', async () => {
    const { id: endpointId } = await makeEndpoint()
    const id = await enqueue('thing.done', '{ "spaces":  "kept ü 😀" }')
    hook.script([{ status: 200, body: 'thank you' }])
    const extraHeaders = ({ type }: { type: string }) => ({ 'x-event': type })
    await runDue({ policy: { ...testPolicy, headerFamilies: ['webhook', 'svix'], extraHeaders } })
    const [event] = hook.received
    assert.deepEqual(hook.problems, [])
    assert.equal(event?.body.toString(), '{ "spaces":  "kept ü 😀" }')
    assert.equal(event.id, id)
    assert.equal(event.headers['svix-signature'], event.headers['webhook-signature'])
    assert.equal(event.headers['svix-id'], id)
    assert.equal(event.headers['x-event'], 'thing.done')
    assert.equal(event.headers['user-agent'], 'test-webhooks/1')
    const delivery = await read(endpointId, id)
    assert.deepEqual(
      [delivery.status, delivery.attempts, delivery.responseStatus, delivery.responseBody, delivery.error],
      ['success', 1, 200, 'thank you', null],
    )
    assert.deepEqual((await endpointNow(endpointId)).lastSuccessAt, ground.clock.now())
  })

  test('keeps at most 1 KiB of the answer, as text that can be stored', async () => {
    const { id: endpointId } = await makeEndpoint()
    hook.script([{ status: 200, body: `a\0${'ü'.repeat(5_000)}` }])
    const id = await enqueue()
    await runDue()
    const { responseBody, status } = await read(endpointId, id)
    assert.equal(status, 'success')
    assert.match(responseBody ?? '', /^aü+$/)
    assert.ok(Buffer.byteLength(responseBody ?? '') <= 1_024)
  })

  test('is repeated after each wait of the table with the same id and a fresh time, then given up', async () => {
    const { id: endpointId } = await makeEndpoint()
    hook.script(() => ({ status: 500, body: 'down' }))
    const id = await enqueue()
    const start = ground.clock.now().getTime()
    const due: (number | undefined)[] = []
    for (const wait of [0, 9_999, 1, 59_999, 1, 100_000]) {
      ground.clock.advance(wait)
      await runDue()
      const { nextAttemptAt } = await read(endpointId, id)
      due.push(nextAttemptAt === null ? undefined : nextAttemptAt.getTime() - start)
    }
    assert.deepEqual(due, [10_000, 10_000, 70_000, 70_000, undefined, undefined])
    assert.deepEqual(hook.problems, [])
    assert.deepEqual(new Set(hook.received.map((event) => event.id)), new Set([id]))
    assert.deepEqual(
      hook.received.map(({ timestamp }) => timestamp - Math.floor(start / 1_000)),
      [0, 10, 70],
    )
    const delivery = await read(endpointId, id)
    assert.deepEqual([delivery.status, delivery.attempts, delivery.error], ['failed', 3, 'The server returned 500'])
    const attempts = await listAttempts(ground.database.db, { owner, endpointId, id })
    assert.deepEqual(
      attempts.map(({ attempt, responseStatus, responseBody }) => [attempt, responseStatus, responseBody]),
      [
        [1, 500, 'down'],
        [2, 500, 'down'],
        [3, 500, 'down'],
      ],
    )
  })

  test('waits longer by at most the jitter', async () => {
    const { id: endpointId } = await makeEndpoint()
    hook.script(() => ({ status: 503 }))
    const ids = await Promise.all(Array.from({ length: 20 }, () => enqueue()))
    await runDue({ policy: { ...testPolicy, jitter: 0.5 } })
    const waits = await Promise.all(
      ids.map(async (id) => (await read(endpointId, id)).nextAttemptAt!.getTime() - ground.clock.now().getTime()),
    )
    assert.ok(waits.every((wait) => wait >= 10_000 && wait <= 15_000))
    assert.ok(new Set(waits).size > 1)
  })

  test('takes a redirect for a failure', async () => {
    const { id: endpointId } = await makeEndpoint()
    hook.script([{ status: 308, headers: { location: `${hook.url}/elsewhere` } }])
    const id = await enqueue()
    await runDue()
    assert.equal(hook.received.length, 1)
    const delivery = await read(endpointId, id)
    assert.deepEqual([delivery.status, delivery.responseStatus], ['pending', 308])
    assert.match(delivery.error ?? '', /redirects aren't followed/)
  })

  test('follows 307 and 308 a few times where private targets are allowed, never 302', async () => {
    const { id: endpointId } = await makeEndpoint('/0')
    const policy = { ...testPolicy, maxRedirects: 3 }
    hook.script(({ path }) =>
      path === '/3' ? { status: 200 } : { status: 307, headers: { location: `/${Number(path.slice(1)) + 1}` } },
    )
    const good = await enqueue()
    await runDue({ policy })
    assert.deepEqual(
      hook.received.map(({ path }) => path),
      ['/0', '/1', '/2', '/3'],
    )
    assert.deepEqual(hook.problems, [])
    assert.equal((await read(endpointId, good)).status, 'success')

    hook.script(({ path }) => ({ status: 307, headers: { location: path } }))
    const endless = await enqueue()
    await runDue({ policy })
    assert.equal(hook.received.length, 8)
    assert.equal((await read(endpointId, endless)).responseStatus, 307)

    hook.script(() => ({ status: 302, headers: { location: '/3' } }))
    const wrongKind = await enqueue()
    await runDue({ policy })
    assert.equal((await read(endpointId, wrongKind)).responseStatus, 302)
  })

  test('to a private target is refused at the time of sending, and says only that', async () => {
    const { id: endpointId } = await makeEndpoint()
    const id = await enqueue()
    await runDue({ egress: createEgress({ ports: [hook.port] }) })
    await ground.rows(`update webhook_endpoint set url = 'https://127.0.0.1/' where id = $1`, [endpointId])
    ground.clock.advance(10_000)
    await runDue({ egress: createEgress({ ports: [443] }) })
    assert.equal(hook.received.length, 0)
    const delivery = await read(endpointId, id)
    assert.deepEqual(
      [delivery.status, delivery.attempts, delivery.error],
      ['pending', 2, "The server couldn't be reached"],
    )
  })

  test('is signed with the new secret after a rotation and sent to the new address after a change', async () => {
    const { id } = await makeEndpoint()
    await enqueue()
    const secret = newSigningSecret(24)
    const now = ground.clock.now()
    await ground.database.tx(async (tx) => {
      await rotateSecret(tx, ground.sealer, { owner, id }, { secret, secretHint: 'x', now })
      await updateEndpoint(tx, { owner, id }, { url: `${hook.url}/moved` }, now)
    })
    await runDue()
    assert.match(hook.problems[0] ?? '', /No matching signature/)
    hook.trust(secret.reveal())
    ground.clock.advance(10_000)
    await runDue()
    assert.equal(hook.received[0]?.path, '/moved')
  })

  test('with a secret that cannot be opened fails, and the worker goes on', async () => {
    const broken = await ground.endpoint({ owner, url: hook.url })
    await ground.rows('update webhook_endpoint set secret_sealed = $2 where id = $1', [broken.id, 'v1.x.y.z'])
    const id = await enqueue()
    await runDue()
    assert.equal(hook.received.length + hook.problems.length, 0)
    assert.match((await read(broken.id, id)).error ?? '', /secret can't be read/)
  })
})

describe('a replay', () => {
  test('sends the same id and bytes again, with a fresh time', async () => {
    const { id: endpointId } = await makeEndpoint()
    const id = await enqueue()
    await runDue()
    ground.clock.advance(3_600_000)
    await ground.database.tx((tx) => replayDelivery(tx, { owner, endpointId, id }, ground.clock.now()))
    await runDue()
    assert.deepEqual(hook.problems, [])
    assert.deepEqual(
      hook.received.map((event) => [event.id, event.body.toString()]),
      [
        [id, '{"a":"ü"}'],
        [id, '{"a":"ü"}'],
      ],
    )
    assert.equal(hook.received[1]!.timestamp - hook.received[0]!.timestamp, 3_600)
    assert.equal((await read(endpointId, id)).attempts, 2)
  })
})

describe('switching off', () => {
  test('happens at once on 410, with everything that waits, and is reported once', async () => {
    const { id: endpointId } = await makeEndpoint()
    hook.script(() => ({ status: 410 }))
    const first = await enqueue()
    ground.clock.advance(1)
    const second = await enqueue()
    const disabled: string[] = []
    const hooks: WebhookContext<WebhookTables>['hooks'] = {
      onDisabled: async (_tx, { endpoint, reason, delivery }) => {
        disabled.push(`${reason} ${endpoint.status} ${delivery.status}`)
      },
    }
    const worker = createWebhookWorker(ground.context({ hooks }), { limits: { perEndpoint: 1 } })
    await worker.runDue()
    assert.equal(hook.received.length, 1)
    const endpoint = await endpointNow(endpointId)
    assert.deepEqual([endpoint.status, endpoint.disabledReason], ['disabled', 'gone'])
    for (const id of [first, second]) assert.equal((await read(endpointId, id)).status, 'failed')
    assert.deepEqual(disabled, ['gone disabled failed'])
  })

  test('happens after so many deliveries given up in a row; a success starts the count again', async () => {
    const { id: endpointId } = await makeEndpoint()
    const policy = { ...testPolicy, retryAfterMs: [], disableAfter: { consecutiveFailures: 3 } }
    const counts: number[] = []
    for (const status of [500, 500, 200, 500, 500, 500]) {
      hook.script([{ status }])
      await enqueue()
      await runDue({ policy })
      const endpoint = await endpointNow(endpointId)
      counts.push(endpoint.consecutiveFailures)
      assert.equal(endpoint.failingSince === null, status === 200)
    }
    assert.deepEqual(counts, [1, 2, 0, 1, 2, 3])
    const endpoint = await endpointNow(endpointId)
    assert.deepEqual([endpoint.status, endpoint.disabledReason], ['disabled', 'failing'])
  })

  test('happens when nothing but failures came for so long', async () => {
    const { id: endpointId } = await makeEndpoint()
    const policy = { ...testPolicy, retryAfterMs: [60_000, 60_000, 60_000], disableAfter: { failingForMs: 120_000 } }
    hook.script(() => ({ status: 500 }))
    const id = await enqueue()
    const states: string[] = []
    for (let index = 0; index < 3; index += 1) {
      await runDue({ policy })
      states.push((await endpointNow(endpointId)).status)
      ground.clock.advance(60_000)
    }
    assert.deepEqual(states, ['enabled', 'enabled', 'disabled'])
    assert.deepEqual([(await read(endpointId, id)).status, hook.received.length], ['failed', 3])
  })

  test('by the owner while an attempt is under way keeps that attempt’s result and tries no more', async () => {
    const { id: endpointId } = await makeEndpoint()
    const off = () =>
      ground.database.tx((tx) =>
        updateEndpoint(tx, { owner, id: endpointId }, { status: 'disabled' }, ground.clock.now()),
      )
    const on = () =>
      ground.database.tx((tx) =>
        updateEndpoint(tx, { owner, id: endpointId }, { status: 'enabled' }, ground.clock.now()),
      )
    for (const [status, expected] of [
      [204, 'success'],
      [500, 'failed'],
    ] as const) {
      const before = hook.received.length
      hook.script([{ delayMs: 100, status }])
      const id = await enqueue()
      const running = runDue()
      await hook.waitFor(before + 1)
      await off()
      await running
      const delivery = await read(endpointId, id)
      assert.deepEqual([delivery.status, delivery.responseStatus], [expected, status])
      await on()
    }
  })
})

describe('hooks', () => {
  test('write in the transaction of the result: what they refuse is not recorded', async () => {
    const { id: endpointId } = await makeEndpoint()
    const id = await enqueue()
    const hooks: WebhookContext<WebhookTables>['hooks'] = {
      onOutcome: async (tx, { delivery }) => {
        assert.equal(delivery.status, 'success')
        await tx.query({
          text: `update webhook_endpoint set details = '{"seen":1}' where id = $1`,
          values: [endpointId],
        })
        throw new Error('the service cannot store this')
      },
    }
    await runDue({ hooks })
    assert.deepEqual((await endpointNow(endpointId)).details, {})
    assert.deepEqual([(await read(endpointId, id)).status, hook.received.length], ['attempting', 1])
    ground.clock.advance(60_000)
    await runDue()
    assert.equal((await read(endpointId, id)).status, 'success')
    assert.equal(hook.received[0]?.id, hook.received[1]?.id)
  })
})

describe('a started worker', () => {
  test('prunes batch after batch, so that what is kept does not grow with the traffic', async () => {
    const { id } = await makeEndpoint()
    await ground.rows(
      `insert into webhook_delivery (id, endpoint_id, owner, type, payload, status, created_at)
       select $1 || n, $1, $2, 'a.b', '{}', 'success', $3::timestamptz - interval '1 hour' from generate_series(1, 4500) n`,
      [id, owner, ground.clock.now()],
    )
    const worker = createWebhookWorker(ground.context({ policy: { ...testPolicy, keep: { forMs: 1_000 } } }), {
      pollMs: 10,
    })
    worker.start()
    const left = async () => (await ground.rows('select count(*)::int as count from webhook_delivery'))[0]?.count
    await until(async () => (await left()) === 0, 'all deliveries are pruned')
    await worker.stop()
  })
})
