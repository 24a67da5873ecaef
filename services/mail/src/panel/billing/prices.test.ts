import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { unreadableAfter } from '@stoa/tests/lib/fail-on.ts'
import { type MailService, startMail } from '@stoa/tests/lib/mail.ts'
import { type FakeStripe, startFakeStripe } from '@stoa/tests/lib/stripe/stripe.ts'
import { until } from '@stoa/tests/lib/waiting.ts'
import type Stripe from 'stripe'
import { syncPrices } from './prices.ts'
import { hostOf } from './stripe/testing/ground.ts'

let fake: FakeStripe
let host: Stripe
before(async () => {
  fake = await startFakeStripe()
  host = hostOf(fake)
})
after(() => fake.close())

const envOf = (more: Record<string, string> = {}) => ({
  BILLING: 'on',
  STRIPE_SECRET_KEY: fake.secretKey,
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
  STRIPE_API_BASE: fake.url,
  ...more,
})

/** What customers see of the plans with a price. */
const plansOf = async (mail: MailService) => {
  const { client } = await mail.signUp()
  const { body } = await client.get('/api/plans')
  return body.data.map((plan: Record<string, unknown>) => [
    plan.slug,
    plan.price_cents,
    plan.currency,
    plan.interval,
    plan.trial_days,
  ])
}
const OURS = [
  ['free', 0, 'eur', 'month', 0],
  ['starter', 500, 'eur', 'month', 0],
  ['pro', 1_500, 'eur', 'month', 0],
  ['business', 4_900, 'eur', 'month', 0],
]

test('prices of plans are created once, and follow Stripe in every process', async (t) => {
  const first = await startMail({ env: envOf() })
  t.after(() => first.close())
  const { databaseUrl } = first
  const second = await startMail({ env: envOf(), databaseUrl })
  t.after(() => second.close())
  assert.equal((await host.prices.list({ limit: 100 })).data.length, 3)
  assert.deepEqual([await plansOf(first), await plansOf(second)], [OURS, OURS])
  await host.prices.create({
    currency: 'eur',
    unit_amount: 2_000,
    recurring: { interval: 'year' },
    product_data: { name: 'Pro' },
    metadata: { trial_days: '30' },
    lookup_key: 'stoa_pro_month',
    transfer_lookup_key: true,
  })
  await Promise.all([first, second].map(({ parts }) => parts.bus.ready()))
  const notified = new Promise<void>((resolve) => {
    const leave = second.parts.bus.subscribe(
      ({ topic }) => {
        if (topic === 'plan_price') resolve(leave())
      },
      () => undefined,
    )
  })
  await syncPrices(first.parts)
  await notified
  const changed = OURS.map((plan) => (plan[0] === 'pro' ? ['pro', 2_000, 'eur', 'year', 30] : plan))
  assert.deepEqual(await plansOf(first), changed)
  // Read once the notification arrives.
  while (second.parts.prices.get('pro')?.cents !== 2_000) await new Promise(setImmediate)
  assert.deepEqual(await plansOf(second), changed)
  // One that could not read the change follows without another one.
  const undo = await unreadableAfter(first.parts.database, 'plan_price', async (tx) => {
    await tx.query({ text: `update plan_price set price_cents = 3000 where plan = 'pro'` })
    tx.changes.push({ topic: 'plan_price', event: 'updated', data: { plan: 'pro' } })
  })
  await until(() => second.logs.some((line) => line.includes('\\"plan_price\\" does not exist')))
  assert.equal(second.parts.prices.get('pro')?.cents, 2_000)
  await undo()
  await until(() => second.parts.prices.get('pro')?.cents === 3_000)
  await syncPrices(first.parts)
  fake.fail({ status: 500, times: 100 })
  const late = await startMail({ env: envOf(), databaseUrl })
  t.after(() => late.close())
  assert.deepEqual(await plansOf(late), changed, 'the last known ones count while Stripe is down')
  assert.ok(late.logs.some((line) => line.includes('the last known ones count')))
  assert.equal(
    late.logs.some((line) => line.includes(fake.secretKey)),
    false,
  )
})

describe('a service that cannot take payments', () => {
  for (const [what, env] of [
    ['without a key', { STRIPE_SECRET_KEY: '' }],
    ['with BILLING=off', { BILLING: 'off' }],
  ] as const)
    test(`sends Stripe no request: ${what}`, async (t) => {
      const before = fake.requests.length
      const mail = await startMail({ env: envOf(env) })
      t.after(() => mail.close())
      assert.equal(mail.parts.payments, null)
      await syncPrices(mail.parts)
      assert.deepEqual([fake.requests.length, mail.parts.prices.get('pro')], [before, undefined])
    })

  test('starts while Stripe cannot be reached, with our amounts', async (t) => {
    const mail = await startMail({ env: envOf({ STRIPE_API_BASE: 'http://127.0.0.1:1' }) })
    t.after(() => mail.close())
    assert.equal(mail.parts.payments?.name, 'stripe')
    await mail.signUp()
    assert.deepEqual(await plansOf(mail), OURS)
  })
})
