import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { DAY, MONTH, type StripeGround, startStripe, URLS } from './testing/ground.ts'

let ground: StripeGround
before(async () => {
  ground = await startStripe()
})
after(() => ground.close())

describe('a preview', () => {
  test('of the first plan says what it costs now and next', async () => {
    const { customer } = await ground.customer()
    const now = ground.fake.now()
    const request = { customer, subscription: null, price: ground.price('pro') }
    const preview = await ground.payments.preview({ ...request, trialDays: 0 })
    assert.deepEqual([preview.dueNowCents, preview.nextCents, preview.currency], [1_500, 1_500, 'eur'])
    assert.ok(preview.nextAt.getTime() - now.getTime() >= 28 * DAY)
    const trial = await ground.payments.preview({ ...request, trialDays: 14 })
    assert.deepEqual([trial.dueNowCents, trial.nextCents, trial.nextAt], [0, 1_500, new Date(now.getTime() + 14 * DAY)])
  })

  test('in a trial costs nothing now', async () => {
    const { customer, subscription } = await ground.subscriber('starter', 14)
    const { trialEnd } = await ground.readSubscription(customer)
    const preview = await ground.payments.preview({ customer, subscription, price: ground.price('pro'), later: false })
    assert.deepEqual(preview, { dueNowCents: 0, currency: 'eur', nextCents: 1_500, nextAt: trialEnd })
  })

  test('takes off credit, and a cancellation does not stand in its way', async () => {
    const { customer, subscription } = await ground.subscriber('starter')
    await ground.payments.credit({ customer, amountCents: 100, currency: 'eur', description: 'c', key: newId() })
    await ground.payments.cancelAtPeriodEnd({ subscription, cancel: true, key: newId() })
    const price = ground.price('pro')
    const preview = await ground.payments.preview({ customer, subscription, price, later: false })
    assert.deepEqual([preview.dueNowCents, preview.nextCents], [900, 1_500])
    await ground.payments.changeNow({ subscription, price, key: newId() })
    assert.deepEqual(ground.taken(customer), [500, 900])
  })
})

describe('taxes', () => {
  test('are added where Stripe collects them, in a plan that follows too', async (t) => {
    const taxed = await startStripe({ collectsTax: true })
    t.after(() => taxed.close())
    const { customer, accountId } = await taxed.customer()
    const key = newId()
    const { reference } = await taxed.payments.openCheckout({
      ...{ customer, accountId, checkoutId: newId(), key, ...URLS },
      ...{ mode: 'subscription', price: taxed.price('pro'), trialDays: 0 },
    })
    taxed.fake.completeCheckout(reference)
    const [charge] = (await taxed.payments.readCustomer(customer))?.transactions ?? []
    assert.deepEqual([charge?.amount_cents, charge?.tax_cents], [1_785, 285])
    const subscription = taxed.fake.subscriptions()[0]?.id ?? ''
    await taxed.payments.changeLater({ subscription, price: taxed.price('starter'), key: newId() })
    taxed.fake.advance(MONTH)
    assert.deepEqual(
      taxed.fake.charges().map(({ amount }) => amount),
      [1_785, 595],
    )
  })
})
