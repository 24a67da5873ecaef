import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Secret } from '@stoa/kit/secret.ts'
import { createStripe } from './stripe.ts'
import { configFor, problem, type StripeGround, startStripe } from './testing/ground.ts'

let ground: StripeGround
before(async () => {
  ground = await startStripe()
})
after(() => ground.close())

describe('a provider that does not do it', () => {
  const ask = () => ground.payments.readCustomer('cus_1')

  test('is reported by kind, without a secret', async () => {
    const cases = [
      [500, 'unavailable'],
      [503, 'unavailable'],
      [409, 'unavailable'],
      [403, 'unavailable'],
      [429, 'rate_limited'],
      [402, 'declined'],
      [400, 'invalid'],
    ] as const
    for (const [status, expected] of cases) {
      ground.fake.fail({ status })
      await assert.rejects(ask(), problem(expected))
    }
    const wrong = await createStripe({ ...configFor(ground.fake), secretKey: new Secret('sk_test_hunter2') })
    await assert.rejects(wrong.readCustomer('cus_1'), (error: Error) => {
      assert.equal(JSON.stringify({ ...error, message: error.message, stack: error.stack }).includes('hunter2'), false)
      return problem('unavailable')(error)
    })
  })

  test('is unavailable when it cannot be reached or does not answer in time', async () => {
    ground.fake.fail({ cut: 'before', times: 2 })
    await assert.rejects(ask(), problem('unavailable'))
    const hasty = await createStripe(configFor(ground.fake), { timeoutMs: 50, retries: 0 })
    ground.fake.fail({ delayMs: 1_000, times: 2 })
    await assert.rejects(hasty.readCustomer('cus_1'), problem('unavailable'))
    const nobody = await createStripe(configFor(ground.fake, { apiBase: 'http://127.0.0.1:1' }), {
      timeoutMs: 60_000,
      retries: 0,
    })
    await assert.rejects(nobody.readCustomer('cus_1'), problem('unavailable'))
  })

  test('gets a key of ours with every change', () => {
    const changes = ground.fake.requests.filter(({ method }) => method === 'POST')
    assert.ok(changes.length > 0)
    const own = changes.filter(({ idempotencyKey }) => !idempotencyKey?.startsWith('stripe-node-retry'))
    const byHost = changes.length - own.length
    // The rest are what the host did on Stripe's own screens.
    assert.ok(own.length > byHost)
  })
})
