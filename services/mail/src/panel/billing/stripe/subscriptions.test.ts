import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { DAY, MONTH, problem, type StripeGround, startStripe } from './testing/ground.ts'

let ground: StripeGround
before(async () => {
  ground = await startStripe()
})
after(() => ground.close())

describe('a subscription', () => {
  test('with a saved method is paid at once and read with its plan', async () => {
    const { customer, subscription, method } = await ground.subscriber('pro')
    const found = await ground.read(customer)
    const now = ground.fake.now()
    const end = new Date(now)
    end.setUTCMonth(end.getUTCMonth() + 1)
    assert.deepEqual(found.subscription, {
      reference: subscription,
      price: ground.price('pro'),
      pendingPrice: null,
      plan: 'pro',
      pendingPlan: null,
      priceCents: 1_500,
      currency: 'eur',
      status: 'active',
      cancelAtPeriodEnd: false,
      periodStart: now,
      periodEnd: end,
      trialEnd: null,
      cancelledAt: null,
      endedAt: null,
      pastDueAt: null,
      createdAt: now,
    })
    assert.deepEqual(
      found.methods.map(({ created_at: _, exp_year: __, ...rest }) => rest),
      [{ reference: method, type: 'card', brand: 'visa', last4: '4242', exp_month: 12, is_default: true }],
    )
    const [charge, ...rest] = found.transactions
    assert.deepEqual(rest, [])
    assert.deepEqual(
      [charge?.type, charge?.status, charge?.amount_cents, charge?.tax_cents, charge?.currency],
      ['charge', 'paid', 1_500, 0, 'eur'],
    )
    assert.deepEqual([charge?.period_start, charge?.period_end, charge?.settled_at], [now, end, now])
    assert.match(`${charge?.number} ${charge?.invoice_url}`, /^\S+ http/)
    assert.deepEqual(ground.taken(customer), [1_500])
  })

  test('that the bank refuses leaves nothing behind', async () => {
    for (const [card, expected] of [
      ['declinedLater', 'declined'],
      ['threeDSecureAlways', 'needs_action'],
    ] as const) {
      const { customer, accountId } = await ground.customer()
      const method = ground.fake.addMethod(customer, card).id
      const request = { customer, accountId, price: ground.price('pro'), method, trialDays: 0, key: newId() }
      await assert.rejects(ground.payments.subscribe(request), problem(expected))
      const found = await ground.read(customer)
      assert.deepEqual([found.subscription, found.transactions, ground.taken(customer)], [null, [], []])
    }
  })

  test("with another's method is refused", async () => {
    const [one, other] = [await ground.customer(), await ground.customer()]
    const request = { ...one, method: other.method, price: ground.price('pro'), trialDays: 0, key: newId() }
    await assert.rejects(ground.payments.subscribe(request), problem('not_found'))
    assert.equal((await ground.read(one.customer)).subscription, null)
  })

  test('with a trial costs nothing until its end', async () => {
    const { customer } = await ground.subscriber('pro', 14)
    const trial = await ground.readSubscription(customer)
    assert.deepEqual([trial.status, trial.trialEnd], ['trialing', new Date(ground.fake.now().getTime() + 14 * DAY)])
    assert.deepEqual([(await ground.read(customer)).transactions, ground.taken(customer)], [[], []])
    ground.fake.advance(15 * DAY)
    assert.equal((await ground.readSubscription(customer)).status, 'active')
    assert.deepEqual(ground.taken(customer), [1_500])
  })

  test('is the newest that goes on; further ones are named', async () => {
    const { customer, accountId, method, subscription } = await ground.subscriber('starter')
    ground.fake.advance(1_000)
    await ground.payments.subscribe({
      customer,
      accountId,
      method,
      price: ground.price('pro'),
      trialDays: 0,
      key: newId(),
    })
    const found = await ground.read(customer)
    assert.deepEqual([found.subscription?.plan, found.otherSubscriptions], ['pro', [subscription]])
    await ground.payments.cancelNow({ subscription, credit: true, key: newId() })
    const mended = await ground.read(customer)
    assert.deepEqual([mended.subscription?.plan, mended.otherSubscriptions], ['pro', []])
    assert.ok(mended.balanceCents > 400 && mended.balanceCents <= 500)
  })

  test('of a price that is none of ours has no plan', async () => {
    const { customer, accountId, method } = await ground.customer()
    const price = await ground.host.prices.create({
      currency: 'eur',
      unit_amount: 100,
      recurring: { interval: 'month' },
      product_data: { name: 'Else' },
    })
    await ground.payments.subscribe({ customer, accountId, method, price: price.id, trialDays: 0, key: newId() })
    const found = await ground.readSubscription(customer)
    assert.deepEqual([found.plan, found.price, found.priceCents], [null, price.id, 100])
  })
})

describe('a dearer plan', () => {
  test('costs at once what the preview says', async () => {
    const { customer, subscription } = await ground.subscriber('starter')
    ground.fake.advance(10 * DAY)
    const price = ground.price('business')
    const before = await ground.readSubscription(customer)
    const preview = await ground.payments.preview({ customer, subscription, price, later: false })
    await ground.payments.changeNow({ subscription, price, key: newId() })
    const after = await ground.readSubscription(customer)
    assert.deepEqual([after.plan, after.periodEnd, after.reference], ['business', before.periodEnd, subscription])
    assert.deepEqual(ground.taken(customer), [500, preview.dueNowCents])
    assert.ok(preview.dueNowCents > 2_500 && preview.dueNowCents < 4_400)
    assert.deepEqual([preview.currency, preview.nextCents, preview.nextAt], ['eur', 4_900, before.periodEnd])
  })

  test('that cannot be paid changes nothing', async () => {
    const { customer, subscription, method } = await ground.subscriber('starter')
    for (const decline of ['generic_decline', 'expired_card'] as const) {
      ground.fake.setDecline(method, decline)
      const change = { subscription, price: ground.price('pro'), key: newId() }
      await assert.rejects(ground.payments.changeNow(change), problem('declined', /card/))
    }
    assert.equal((await ground.readSubscription(customer)).plan, 'starter')
    assert.deepEqual(ground.taken(customer), [500])
  })

  test('that cannot be paid leaves the plan that was to follow', async () => {
    const { customer, subscription, method } = await ground.subscriber('pro')
    await ground.payments.changeLater({ subscription, price: ground.price('starter'), key: newId() })
    ground.fake.setDecline(method, 'insufficient_funds')
    const change = { subscription, price: ground.price('business'), key: newId() }
    await assert.rejects(ground.payments.changeNow(change), problem('declined'))
    const after = await ground.readSubscription(customer)
    assert.deepEqual([after.plan, after.pendingPlan], ['pro', 'starter'])
  })

  test('takes the place of a cheaper one that was to follow, and of a cancellation', async () => {
    const { customer, subscription } = await ground.subscriber('pro')
    await ground.payments.changeLater({ subscription, price: ground.price('starter'), key: newId() })
    await ground.payments.changeNow({ subscription, price: ground.price('business'), key: newId() })
    assert.deepEqual(await ground.planOf(customer), ['business', null, false])
    const other = await ground.subscriber('starter')
    await ground.payments.cancelAtPeriodEnd({ subscription: other.subscription, cancel: true, key: newId() })
    await ground.payments.changeNow({ subscription: other.subscription, price: ground.price('pro'), key: newId() })
    assert.deepEqual(await ground.planOf(other.customer), ['pro', null, false])
  })
})

describe('a cheaper plan', () => {
  test('begins with the next period, and can be changed again', async () => {
    const { customer, subscription } = await ground.subscriber('business')
    const { periodEnd } = await ground.readSubscription(customer)
    const preview = await ground.payments.preview({ customer, subscription, price: ground.price('pro'), later: true })
    assert.deepEqual(preview, { dueNowCents: 0, currency: 'eur', nextCents: 1_500, nextAt: periodEnd })
    await ground.payments.changeLater({ subscription, price: ground.price('pro'), key: newId() })
    assert.deepEqual(await ground.planOf(customer), ['business', 'pro', false])
    await ground.payments.changeLater({ subscription, price: ground.price('starter'), key: newId() })
    const pending = await ground.readSubscription(customer)
    assert.deepEqual(
      [pending.plan, pending.pendingPlan, pending.pendingPrice],
      ['business', 'starter', ground.price('starter')],
    )
    assert.deepEqual(ground.taken(customer), [4_900])
    ground.fake.advance(MONTH)
    assert.deepEqual(await ground.planOf(customer), ['starter', null, false])
    assert.deepEqual(ground.taken(customer), [4_900, 500])
    await ground.payments.changeNow({ subscription, price: ground.price('pro'), key: newId() })
    assert.deepEqual(await ground.planOf(customer), ['pro', null, false])
    ground.fake.advance(2 * MONTH)
    assert.deepEqual(await ground.planOf(customer), ['pro', null, false])
  })

  test('can be taken back, twice too', async () => {
    const { customer, subscription } = await ground.subscriber('business')
    await ground.payments.changeLater({ subscription, price: ground.price('pro'), key: newId() })
    await ground.payments.keepPlan({ subscription, key: newId() })
    await ground.payments.keepPlan({ subscription, key: newId() })
    assert.deepEqual(await ground.planOf(customer), ['business', null, false])
    await ground.payments.changeLater({ subscription, price: ground.price('pro'), key: newId() })
    assert.deepEqual(await ground.planOf(customer), ['business', 'pro', false])
  })

  test('takes the place of a cancellation', async () => {
    const { customer, subscription } = await ground.subscriber('business')
    await ground.payments.cancelAtPeriodEnd({ subscription, cancel: true, key: newId() })
    await ground.payments.changeLater({ subscription, price: ground.price('pro'), key: newId() })
    assert.deepEqual(await ground.planOf(customer), ['business', 'pro', false])
    ground.fake.advance(MONTH)
    assert.deepEqual(await ground.planOf(customer), ['pro', null, false])
  })

  test('after a trial begins with the next period', async () => {
    const { customer, subscription } = await ground.subscriber('business', 14)
    ground.fake.advance(15 * DAY)
    await ground.payments.changeLater({ subscription, price: ground.price('starter'), key: newId() })
    assert.deepEqual(await ground.planOf(customer), ['business', 'starter', false])
    ground.fake.advance(MONTH)
    assert.deepEqual(
      [await ground.planOf(customer), ground.taken(customer)],
      [
        ['starter', null, false],
        [4_900, 500],
      ],
    )
  })

  test('in a trial begins when it ends', async () => {
    const { customer, subscription } = await ground.subscriber('business', 14)
    await ground.payments.changeLater({ subscription, price: ground.price('starter'), key: newId() })
    ground.fake.advance(15 * DAY)
    assert.deepEqual([await ground.planOf(customer), ground.taken(customer)], [['starter', null, false], [500]])
  })
})

describe('a cancellation', () => {
  test('ends the plan with its period, and can be taken back before', async () => {
    const { customer, subscription } = await ground.subscriber('pro')
    const cancel = (wanted: boolean) =>
      ground.payments.cancelAtPeriodEnd({ subscription, cancel: wanted, key: newId() })
    await cancel(true)
    await cancel(true)
    const cancelled = await ground.readSubscription(customer)
    assert.deepEqual([cancelled.status, cancelled.cancelAtPeriodEnd, cancelled.endedAt], ['active', true, null])
    assert.deepEqual(cancelled.cancelledAt, ground.fake.now())
    await cancel(false)
    await cancel(false)
    assert.deepEqual(await ground.planOf(customer), ['pro', null, false])
    await cancel(true)
    ground.fake.advance(MONTH)
    const ended = await ground.readSubscription(customer)
    assert.deepEqual([ended.status, ended.endedAt, ended.pastDueAt], ['cancelled', ended.periodEnd, null])
    assert.deepEqual(ground.taken(customer), [1_500])
  })

  test('takes the place of a plan that was to follow', async () => {
    const { customer, subscription } = await ground.subscriber('pro')
    await ground.payments.changeLater({ subscription, price: ground.price('starter'), key: newId() })
    await ground.payments.cancelAtPeriodEnd({ subscription, cancel: true, key: newId() })
    assert.deepEqual(await ground.planOf(customer), ['pro', null, true])
  })

  test('that the host set for a date is shown, and taken back as any other', async () => {
    const cancelled = async () => {
      const made = await ground.subscriber('pro')
      const { periodEnd } = await ground.readSubscription(made.customer)
      await ground.host.subscriptions.update(made.subscription, { cancel_at: periodEnd.getTime() / 1_000 - 60 })
      assert.deepEqual(await ground.planOf(made.customer), ['pro', null, true])
      return made
    }
    const price = { starter: ground.price('starter'), business: ground.price('business') }
    const one = await cancelled()
    await ground.payments.cancelAtPeriodEnd({ subscription: one.subscription, cancel: false, key: newId() })
    assert.deepEqual(await ground.planOf(one.customer), ['pro', null, false])
    const two = await cancelled()
    await ground.payments.changeNow({ subscription: two.subscription, price: price.business, key: newId() })
    assert.deepEqual(await ground.planOf(two.customer), ['business', null, false])
    const three = await cancelled()
    await ground.payments.changeLater({ subscription: three.subscription, price: price.starter, key: newId() })
    assert.deepEqual(await ground.planOf(three.customer), ['pro', 'starter', false])
  })

  test('at once can be repeated', async () => {
    const { customer, subscription } = await ground.subscriber('pro')
    await ground.payments.cancelNow({ subscription, key: newId() })
    await ground.payments.cancelNow({ subscription, key: newId() })
    const { status, endedAt } = await ground.readSubscription(customer)
    assert.deepEqual([status, endedAt, (await ground.read(customer)).balanceCents], ['cancelled', ground.fake.now(), 0])
  })
})
