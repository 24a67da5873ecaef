import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { type FakeStripe, startFakeStripe } from '@stoa/tests/lib/stripe/stripe.ts'
import type Stripe from 'stripe'
import type { PaymentProvider } from '../provider.ts'
import { createStripe } from './stripe.ts'
import { configFor, hostOf, OFFERS, problem } from './testing/ground.ts'

const PRO = OFFERS.filter(({ plan }) => plan === 'pro')

describe('prices at Stripe', () => {
  let fake: FakeStripe
  let payments: PaymentProvider
  /** What the host does on Stripe's own screens. */
  let host: Stripe

  beforeEach(async () => {
    fake = await startFakeStripe()
    payments = await createStripe(configFor(fake), { timeoutMs: 60_000, retries: 0 })
    host = hostOf(fake)
  })
  afterEach(() => fake.close())

  type HostPrice = Omit<Partial<Stripe.PriceCreateParams>, 'recurring'> & {
    /** Null: it is paid once. */
    recurring?: Stripe.PriceCreateParams.Recurring | null
  }
  const hostPrice = ({ recurring = { interval: 'month' }, ...params }: HostPrice) =>
    host.prices.create({
      currency: 'chf',
      unit_amount: 1_900,
      product_data: { name: 'Our Pro' },
      lookup_key: 'stoa_pro_month',
      ...(recurring && { recurring }),
      ...params,
    })

  test('are created with our amounts where they are missing, and found from then on', async () => {
    const { prices, problems } = await payments.prices(OFFERS)
    assert.deepEqual(
      prices.map(({ reference: _, ...price }) => price),
      OFFERS.map(({ plan, amountCents, currency }) => ({
        plan,
        amountCents,
        currency,
        interval: 'month',
        trialDays: 0,
      })),
    )
    assert.deepEqual(problems, [])
    assert.deepEqual(await payments.prices(OFFERS), { prices, problems })
    const { data } = await host.prices.list({ limit: 100 })
    assert.deepEqual(data.map(({ lookup_key }) => lookup_key).sort(), [
      'stoa_business_month',
      'stoa_pro_month',
      'stoa_starter_month',
    ])
  })

  test('are created once by several processes that start at the same moment', async () => {
    const others = await Promise.all(
      Array.from({ length: 3 }, () => createStripe(configFor(fake), { timeoutMs: 60_000, retries: 2 })),
    )
    const results = await Promise.all([payments, ...others].map((each) => each.prices(PRO)))
    assert.equal(new Set(results.map(({ prices }) => prices[0]?.reference)).size, 1)
    assert.equal((await host.prices.list({ limit: 100 })).data.length, 1)
    assert.equal((await host.products.list({ limit: 100 })).data.length, 1)
  })

  test('that the host made count, with their currency, interval and trial', async () => {
    const made = await hostPrice({
      recurring: { interval: 'year' },
      lookup_key: 'stoa_pro_year',
      metadata: { trial_days: '14' },
    })
    assert.deepEqual((await payments.prices(PRO)).prices, [
      { plan: 'pro', reference: made.id, amountCents: 1_900, currency: 'chf', interval: 'year', trialDays: 14 },
    ])
    const monthly = await hostPrice({})
    assert.equal((await payments.prices(PRO)).prices[0]?.reference, monthly.id)
    assert.equal((await host.prices.list({ limit: 100 })).data.length, 2)
  })

  for (const days of ['0', '-1', '1.5', 'many', ''])
    test(`have no trial of ${days || 'empty'} days`, async () => {
      await hostPrice({ metadata: { trial_days: days } })
      assert.equal((await payments.prices(PRO)).prices[0]?.trialDays, 0)
    })

  test('that were archived are not brought back', async () => {
    const made = await hostPrice({})
    await host.prices.update(made.id, { active: false })
    const { prices, problems } = await payments.prices(PRO)
    assert.deepEqual(prices, [])
    assert.match(problems.join(), /stoa_pro_month is archived/)
    assert.equal((await host.prices.list({ limit: 100 })).data.length, 1)
  })

  const foreign: [string, HostPrice][] = [
    ['is paid once', { recurring: null }],
    ['recurs every week', { recurring: { interval: 'week' } }],
    ['recurs every three months', { recurring: { interval: 'month', interval_count: 3 } }],
    ['costs nothing', { unit_amount: 0 }],
  ]
  for (const [what, params] of foreign)
    test(`leave out one that ${what}`, async () => {
      await hostPrice(params)
      const { prices, problems } = await payments.prices(PRO)
      assert.deepEqual([prices, problems.length], [[], 1])
    })

  test('leave subscribers on their plan when another price takes the lookup key', async () => {
    const old = await hostPrice({})
    await payments.prices(PRO)
    const customer = await payments.createCustomer({ accountId: newId(), email: 'a@x.test', name: 'A', key: newId() })
    const method = fake.addMethod(customer).id
    await payments.subscribe({ customer, accountId: newId(), price: old.id, method, trialDays: 0, key: newId() })
    const dearer = await hostPrice({ unit_amount: 2_500, transfer_lookup_key: true })
    assert.equal((await payments.prices(PRO)).prices[0]?.reference, dearer.id)
    const read = await payments.readCustomer(customer)
    assert.deepEqual([read?.subscription?.price, read?.subscription?.plan], [old.id, 'pro'])
    assert.equal(read?.subscription?.priceCents, 1_900)
  })

  test('that cannot be read are a problem of the moment', async () => {
    fake.fail({ status: 500, times: 9 })
    await assert.rejects(payments.prices(PRO), problem('unavailable'))
  })
})
