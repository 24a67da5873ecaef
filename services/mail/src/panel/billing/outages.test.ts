import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { until } from '@stoa/tests/lib/waiting.ts'
import {
  BUSINESS,
  ok,
  type Payer,
  type PayingGround,
  PRO,
  refused,
  STARTER,
  standing,
  startPaying,
} from './testing/paying.ts'

let ground: PayingGround
/** Answered after seconds, in which the other tests run. */
let waitedOut: Awaited<ReturnType<typeof waitOut>>
before(async () => {
  ground = await startPaying()
  waitedOut = await waitOut()
})
after(() => ground.close())

const subscribe = ({ client }: Payer, plan_id: string) => client.post('/api/subscription', { plan_id })
/** More than an answer takes on a busy machine. */
const TIMEOUT_MS = 1_000
const isCharging = ({ method, path }: { method: string; path: string }) =>
  method === 'POST' && path === '/v1/subscriptions'

describe('a provider that does not answer', () => {
  for (const [what, failure] of [
    ['is down', { status: 503, times: 2 }],
    ['is cut before', { cut: 'before', times: 2 }],
  ] as const)
    test(`because it ${what} is 503 with a time, nothing is half done, and trying again charges once`, async () => {
      const payer = await ground.withCard()
      ground.stripe.fail({ match: isCharging, ...failure })
      const answer = await subscribe(payer, PRO)
      refused(answer, 503, 'service_unavailable')
      assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/)
      assert.deepEqual(await standing(payer), { plan: 'free', subscription: null })
      ground.mail.clock.advance(121_000)
      ok(await subscribe(payer, PRO), 201)
      assert.deepEqual([ground.takenFrom(payer), ground.runningOf(payer).length], [[1_500], 1])
    })

  test('because it limits us did nothing: something else can be asked for next', async () => {
    const payer = await ground.withCard()
    ground.stripe.fail({ match: isCharging, status: 429 })
    const answer = await subscribe(payer, PRO)
    refused(answer, 503, 'service_unavailable')
    assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/)
    ok(await subscribe(payer, STARTER), 201)
    assert.deepEqual([ground.takenFrom(payer), ground.runningOf(payer).length], [[500], 1])
  })

  test('though it did it is found by the reading that follows', async () => {
    const payer = await ground.withCard()
    ground.stripe.fail({ match: isCharging, cut: 'after', times: 2 })
    const body = ok(await subscribe(payer, PRO), 201)
    assert.deepEqual([body.plan_id, ground.takenFrom(payer)], [PRO, [1_500]])
  })

  test('though it did it, and cannot be read either, is found when the same is asked again: no second charge', async () => {
    const payer = await ground.withCard()
    ground.stripe.fail({ match: isCharging, cut: 'after', times: 2 })
    const from = ground.stripe.requests.length
    const isLater = ({ method }: { method: string }) =>
      method === 'GET' && ground.stripe.requests.slice(from).some(isCharging)
    ground.stripe.fail({ match: isLater, status: 500, times: 2 })
    refused(await subscribe(payer, PRO), 503, 'service_unavailable')
    const body = ok(await subscribe(payer, PRO))
    assert.deepEqual([body.plan_id, ground.takenFrom(payer), ground.runningOf(payer).length], [PRO, [1_500], 1])
    refused(await subscribe(payer, PRO), 409, 'conflict')
  })

  test('lets nobody begin another subscription while the first may still come', async () => {
    const payer = await ground.withCard()
    ground.stripe.fail({ match: isCharging, cut: 'before', times: 2 })
    refused(await subscribe(payer, PRO), 503, 'service_unavailable')
    const charging = ground.stripe.requests.filter(isCharging).length
    refused(await subscribe(payer, BUSINESS), 503, 'service_unavailable')
    const checkout = () => payer.client.post('/api/billing/checkout/subscription', { plan_id: BUSINESS })
    refused(await checkout(), 503, 'service_unavailable')
    assert.equal(ground.stripe.requests.filter(isCharging).length, charging)
    ground.mail.clock.advance(121_000)
    ok(await checkout(), 201)
    ok(await subscribe(payer, BUSINESS), 201)
    assert.deepEqual(ground.takenFrom(payer), [4_900])
  })

  test('is not asked the same with another method while the first try may still come', async () => {
    const payer = await ground.withCard()
    ground.stripe.fail({ match: isCharging, cut: 'before', times: 2 })
    refused(await subscribe(payer, PRO), 503, 'service_unavailable')
    const other = ok(await payer.client.post('/api/billing/payment-methods', { reference: 'pm_card_mastercard' }), 201)
    ok(await payer.client.post(`/api/billing/payment-methods/${other.id}/default`))
    refused(await subscribe(payer, PRO), 503, 'service_unavailable')
    ground.mail.clock.advance(121_000)
    ok(await subscribe(payer, PRO), 201)
    assert.deepEqual(ground.takenFrom(payer), [1_500])
  })

  test('repeats the same thing with the same key', async () => {
    const payer = await ground.withCard()
    ground.stripe.fail({ match: isCharging, cut: 'before', times: 2 })
    refused(await subscribe(payer, PRO), 503, 'service_unavailable')
    ok(await subscribe(payer, PRO), 201)
    const customer = ground.customerOf(payer)
    const keys = ground.stripe.requests
      .filter((request) => isCharging(request) && request.params.customer === customer)
      .map(({ idempotencyKey }) => idempotencyKey)
    assert.deepEqual([keys.length, new Set(keys).size], [3, 1])
  })

  test('when an upgrade was done and not answered charges the difference once', async () => {
    const payer = await ground.subscriber('starter')
    const [running] = ground.runningOf(payer)
    const match = ({ method, path }: { method: string; path: string }) =>
      method === 'POST' && path === `/v1/subscriptions/${running?.id}`
    ground.stripe.fail({ match, cut: 'after', times: 2 })
    assert.equal(ok(await subscribe(payer, PRO)).plan_id, PRO)
    assert.deepEqual(ground.takenFrom(payer), [500, 1_000])
  })

  test('in time, and does it afterwards, charges once: a retry meanwhile is not charged twice', async (context) => {
    const hasty = await ground.another(TIMEOUT_MS)
    context.after(() => hasty.close())
    const payer = await ground.withCard()
    const tab = { ...payer, client: hasty.client({ cookie: payer.client.cookie ?? '' }) }
    const gate = Promise.withResolvers<void>()
    ground.stripe.fail({ match: isCharging, until: () => gate.promise })
    const answer = await subscribe(tab, PRO)
    refused(answer, 503, 'service_unavailable', /won't be charged twice/)
    assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/)
    assert.deepEqual([await standing(payer), ground.takenFrom(payer)], [{ plan: 'free', subscription: null }, []])
    // It is still at it: the same key is refused there.
    refused(await subscribe(tab, PRO), 503, 'service_unavailable')
    gate.resolve()
    await until(() => ground.takenFrom(payer).length > 0, 'the provider to charge')
    assert.equal(ok(await subscribe(tab, PRO)).plan_id, PRO)
    assert.deepEqual([ground.takenFrom(payer), ground.runningOf(payer).length], [[1_500], 1])
    assert.equal((await standing(payer)).plan, 'pro')
  })

  test('in time when a plan is upgraded charges the difference once', async (context) => {
    const hasty = await ground.another(TIMEOUT_MS)
    context.after(() => hasty.close())
    const payer = await ground.subscriber('starter')
    const tab = { ...payer, client: hasty.client({ cookie: payer.client.cookie ?? '' }) }
    const [running] = ground.runningOf(payer)
    const gate = Promise.withResolvers<void>()
    const match = ({ method, path }: { method: string; path: string }) =>
      method === 'POST' && path === `/v1/subscriptions/${running?.id}`
    ground.stripe.fail({ match, until: () => gate.promise })
    refused(await subscribe(tab, PRO), 503, 'service_unavailable')
    gate.resolve()
    await until(() => ground.takenFrom(payer).length > 1, 'the provider to charge')
    assert.equal(ok(await subscribe(tab, PRO)).plan_id, PRO)
    assert.deepEqual(ground.takenFrom(payer), [500, 1_000])
  })

  test('holds up only the account that asked, and the worker reads it should the request never end', async () => {
    const [slow, other] = [await ground.withCard(), await ground.withCard()]
    const gate = Promise.withResolvers<void>()
    const customer = ground.customerOf(slow)
    ground.stripe.fail({
      match: (request) => isCharging(request) && request.params.customer === customer,
      until: () => gate.promise,
    })
    const waiting = subscribe(slow, PRO)
    ok(await subscribe(other, PRO), 201)
    ok(await slow.client.get('/api/entitlement'))
    assert.notEqual(await dueOf(slow), null)
    gate.resolve()
    ok(await waiting, 201)
    assert.equal(await dueOf(slow), null)
  })
})

const dueOf = async ({ id }: Payer): Promise<Date | null> => {
  const customers = ground.mail.database.db.selectFrom('billing_customer').select('sync_due_at')
  return (await customers.where('account_id', '=', id).executeTakeFirstOrThrow()).sync_due_at
}

/** As a request that is at it in another process. */
const lock = ({ id }: Payer, ms: number) =>
  ground.mail.database.tx((tx) =>
    tx
      .updateTable('billing_change')
      .set({ holder: newId(), held_until: new Date(ground.mail.clock.now().getTime() + ms) })
      .where('account_id', '=', id)
      .execute(),
  )
/** All that a refused request must leave as it was. */
const stateOf = async (payer: Payer) => [
  await standing(payer),
  ground.takenFrom(payer),
  ground.runningOf(payer).map(({ id, cancel_at_period_end }) => [id, cancel_at_period_end]),
  ok(await payer.client.get('/api/billing/payment-methods')).data,
  ok(await payer.client.get('/api/billing/tax-id')),
  ground.stripe.sessions().filter(({ customer }) => customer === ground.customerOf(payer)).length,
]
/** Every way to change something, while another request has the lock and never gives it back. */
const waitOut = async () => {
  const payer = await ground.subscriber('starter')
  const { client } = payer
  const before = await stateOf(payer)
  const [{ id: method }] = ok(await client.get('/api/billing/payment-methods')).data
  await lock(payer, YEAR_MS)
  const answers = Promise.all([
    subscribe(payer, PRO),
    client.post('/api/subscription/cancel'),
    client.post('/api/billing/checkout/setup', {}),
    client.post('/api/billing/payment-methods', { reference: 'pm_card_mastercard' }),
    client.post(`/api/billing/payment-methods/${method}/default`),
    client.send('DELETE', `/api/billing/payment-methods/${method}`),
    client.send('PUT', '/api/billing/tax-id', { body: { value: 'DE123456789', country: 'DE' } }),
  ])
  return { payer, before, answers }
}
const YEAR_MS = 365 * 86_400_000

describe('the lock of an account', () => {
  test('is waited for some seconds, then it is 503 with a time, and nothing has changed', async () => {
    const { payer, before, answers } = waitedOut
    for (const answer of await answers) {
      refused(answer, 503, 'service_unavailable', /still being processed/)
      assert.deepEqual(Object.keys(answer.body).sort(), ['message', 'name', 'statusCode'])
      assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/)
    }
    assert.deepEqual(await stateOf(payer), before)
  })

  test('passes on by itself when the process that had it is gone', async () => {
    const payer = await ground.withCard()
    await lock(payer, 60_000)
    ground.mail.clock.advance(60_001)
    ok(await subscribe(payer, PRO), 201)
  })
})
