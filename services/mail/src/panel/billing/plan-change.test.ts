import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { API_VERSION } from '@stoa/tests/lib/stripe/stripe.ts'
import { until } from '@stoa/tests/lib/waiting.ts'
import { syncPrices } from './prices.ts'
import { hostOf } from './stripe/testing/ground.ts'
import {
  BUSINESS,
  FREE,
  ok,
  type Payer,
  type PayingGround,
  PRO,
  refused,
  STARTER,
  sessionOf,
  standing,
  startPaying,
  UNLIMITED,
} from './testing/paying.ts'

let ground: PayingGround
before(async () => {
  ground = await startPaying()
})
after(() => ground.close())

const subscribe = ({ client }: Payer, plan_id: string, more = {}) =>
  client.post('/api/subscription', { plan_id, ...more })
const cancel = ({ client }: Payer) => client.post('/api/subscription/cancel')

describe('subscribing with a saved method', () => {
  test('charges the price of the provider and gives the plan at once', async () => {
    const payer = await ground.withCard()
    const body = ok(await subscribe(payer, PRO), 201)
    assert.deepEqual(
      [body.plan_id, body.status, body.cancel_at_period_end, body.pending_plan_id],
      [PRO, 'active', false, null],
    )
    assert.deepEqual(ground.takenFrom(payer), [1_500])
    assert.deepEqual(await standing(payer), { plan: 'pro', subscription: body })
  })

  test('takes the given method, and refuses one of another account with 404', async () => {
    const payer = await ground.withCard('declinedLater')
    const other = await ground.withCard()
    const { id: theirs } = ok(await other.client.get('/api/billing/payment-methods')).data[0]
    refused(await subscribe(payer, PRO, { payment_method_id: theirs }), 404, 'not_found')
    refused(await subscribe(payer, PRO, { payment_method_id: newId() }), 404, 'not_found')
    ground.stripe.addMethod(ground.customerOf(payer), 'mastercard')
    await payer.client.send('PUT', '/api/billing/tax-id', { body: { value: null } })
    const methods = ok(await payer.client.get('/api/billing/payment-methods')).data
    const good = methods.find(({ brand }: { brand: string }) => brand === 'mastercard')
    ok(await subscribe(payer, PRO, { payment_method_id: good.id }), 201)
    assert.deepEqual(ground.takenFrom(payer), [1_500])
  })

  test('without a method points to the checkout', async () => {
    const payer = await ground.payer()
    refused(await subscribe(payer, PRO), 400, 'validation_error', /checkout\/subscription/)
    assert.deepEqual(await standing(payer), { plan: 'free', subscription: null })
    assert.equal(ground.customerOf(payer), '')
  })

  for (const [card, reason] of [
    ['declinedLater', /declined/],
    ['threeDSecureAlways', /3-D Secure/],
  ] as const)
    test(`that is refused (${card}) returns why, points to the checkout and leaves nothing`, async () => {
      const payer = await ground.withCard(card)
      const answer = await subscribe(payer, PRO)
      refused(answer, 400, 'validation_error', /checkout\/subscription/)
      assert.match(answer.body.message, reason)
      assert.deepEqual(await standing(payer), { plan: 'free', subscription: null })
      assert.deepEqual([ground.takenFrom(payer), ground.runningOf(payer)], [[], []])
    })

  test('again after a refusal is a new try, not the answer of the first', async () => {
    const payer = await ground.withCard('declinedLater')
    refused(await subscribe(payer, PRO), 400, 'validation_error')
    const { reference } = await ground.mail.database.db
      .selectFrom('payment_method')
      .select('reference')
      .where('account_id', '=', payer.id)
      .executeTakeFirstOrThrow()
    ground.stripe.setDecline(reference, null)
    ok(await subscribe(payer, PRO), 201)
    assert.deepEqual(ground.takenFrom(payer), [1_500])
  })

  test('to the same plan is a conflict; to a hidden or unknown one 404; whatever else the body says', async () => {
    const payer = await ground.subscriber('pro')
    refused(await subscribe(payer, PRO), 409, 'conflict')
    refused(await subscribe(payer, UNLIMITED), 404, 'not_found')
    refused(await subscribe(payer, newId()), 404, 'not_found')
    refused(await subscribe(payer, 'price_1'), 400, 'validation_error')
    const tampered = {
      price: 1,
      price_cents: 1,
      currency: 'jpy',
      price_id: 'price_x',
      trial_days: 900,
      account_id: ground.owner.id,
    }
    ok(await subscribe(payer, BUSINESS, tampered))
    assert.deepEqual(ground.takenFrom(payer), [1_500, 3_400])
    assert.equal((await standing(payer)).plan, 'business')
  })

  test('in two tabs at once is one subscription and one charge, also across processes', async (context) => {
    const payer = await ground.withCard()
    const other = await ground.another()
    context.after(() => other.close())
    const there = { ...payer, client: other.client({ cookie: payer.client.cookie ?? '' }) }
    const answers = await Promise.all([payer, there, payer, there].map((tab) => subscribe(tab, PRO)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409])
    assert.deepEqual([ground.takenFrom(payer), ground.runningOf(payer).length], [[1_500], 1])
  })

  test('ends the subscription without a price, and closes a checkout that is still open', async () => {
    const payer = await ground.withCard()
    ok(await subscribe(payer, FREE), 201)
    const checkout = ok(await payer.client.post('/api/billing/checkout/subscription', { plan_id: STARTER }), 201)
    ok(await subscribe(payer, PRO), 201)
    assert.equal((await standing(payer)).subscription.plan_id, PRO)
    const session = ground.stripe.sessions().find(({ metadata }) => metadata?.checkout_id === checkout.id)
    assert.equal(session?.status, 'expired')
    const open = await ground.mail.database.db
      .selectFrom('subscription')
      .select('plan')
      .where('account_id', '=', payer.id)
      .where('ended_at', 'is', null)
      .execute()
    assert.deepEqual(open, [{ plan: 'pro' }])
  })
})

describe('changing the plan', () => {
  test('to a dearer one charges the difference now; a refused payment changes nothing and asks for another card', async () => {
    const payer = await ground.subscriber('starter')
    const { reference } = await defaultOf(payer)
    ground.stripe.setDecline(reference, 'insufficient_funds')
    refused(await subscribe(payer, PRO), 400, 'validation_error', /insufficient funds.*checkout\/setup/)
    assert.equal((await standing(payer)).plan, 'starter')
    ground.stripe.setDecline(reference, null)
    const body = ok(await subscribe(payer, PRO))
    assert.deepEqual([body.plan_id, body.pending_plan_id], [PRO, null])
    assert.deepEqual(ground.takenFrom(payer), [500, 1_000])
  })

  test('to a cheaper one waits for the end of the period, and is taken back by asking for the present one', async () => {
    const payer = await ground.subscriber('pro')
    const waiting = ok(await subscribe(payer, STARTER))
    assert.deepEqual([waiting.plan_id, waiting.pending_plan_id, waiting.status], [PRO, STARTER, 'active'])
    assert.equal((await standing(payer)).plan, 'pro')
    assert.deepEqual(ok(await subscribe(payer, STARTER)), waiting)
    const kept = ok(await subscribe(payer, PRO))
    assert.deepEqual([kept.plan_id, kept.pending_plan_id], [PRO, null])
    refused(await subscribe(payer, PRO), 409, 'conflict')
    assert.deepEqual(ground.takenFrom(payer), [1_500])
  })

  test('to a dearer one drops the cheaper one that was waited for', async () => {
    const payer = await ground.subscriber('pro')
    ok(await subscribe(payer, STARTER))
    const body = ok(await subscribe(payer, BUSINESS))
    assert.deepEqual([body.plan_id, body.pending_plan_id], [BUSINESS, null])
    assert.equal((await standing(payer)).plan, 'business')
  })

  test('with another method makes it the default, unless the payment is refused', async () => {
    const payer = await ground.subscriber('starter')
    const { id: first } = await defaultOf(payer)
    const bad = ok(
      await payer.client.post('/api/billing/payment-methods', { reference: 'pm_card_chargeCustomerFail' }),
      201,
    )
    refused(await subscribe(payer, PRO, { payment_method_id: bad.id }), 400, 'validation_error')
    ok(await payer.client.post('/api/billing/payment-methods', { reference: 'pm_card_visa' }), 201)
    assert.equal((await defaultOf(payer)).id, first)
    const good = ok(await payer.client.post('/api/billing/payment-methods', { reference: 'pm_card_mastercard' }), 201)
    ok(await subscribe(payer, PRO, { payment_method_id: good.id }))
    assert.equal((await defaultOf(payer)).id, good.id)
  })
})

const defaultOf = (payer: Payer) =>
  ground.mail.database.db
    .selectFrom('payment_method')
    .select(['id', 'reference'])
    .where('account_id', '=', payer.id)
    .where('is_default', '=', true)
    .executeTakeFirstOrThrow()

describe('cancelling', () => {
  test('is at the end of the period, twice the same, and undone by asking for the plan again', async () => {
    const payer = await ground.payer()
    refused(await cancel(payer), 404, 'not_found')
    const paying = await ground.subscriber('pro')
    const first = ok(await cancel(paying))
    assert.deepEqual([first.cancel_at_period_end, first.status, first.plan_id], [true, 'active', PRO])
    assert.notEqual(first.cancelled_at, null)
    assert.deepEqual(ok(await cancel(paying)), first)
    assert.equal((await standing(paying)).plan, 'pro')
    const again = ok(await subscribe(paying, PRO))
    assert.deepEqual([again.id, again.cancel_at_period_end, again.cancelled_at], [first.id, false, null])
    assert.deepEqual(ground.takenFrom(paying), [1_500])
  })

  test('is what the free plan means while another one is paid for', async () => {
    const payer = await ground.subscriber('pro')
    const body = ok(await subscribe(payer, FREE))
    assert.deepEqual([body.plan_id, body.cancel_at_period_end], [PRO, true])
    assert.deepEqual(ok(await subscribe(payer, FREE)), body)
  })

  test('is dropped by a change to a dearer and to a cheaper plan', async () => {
    for (const plan of [BUSINESS, STARTER]) {
      const payer = await ground.subscriber('pro')
      ok(await cancel(payer))
      assert.equal(ok(await subscribe(payer, plan)).cancel_at_period_end, false)
    }
  })

  test('while a cheaper plan is waited for cancels', async () => {
    const payer = await ground.subscriber('pro')
    ok(await subscribe(payer, STARTER))
    const body = ok(await cancel(payer))
    assert.deepEqual([body.cancel_at_period_end, body.pending_plan_id], [true, null])
  })

  test('and upgrading at once ends in one of both orders, with one charge', async () => {
    const payer = await ground.subscriber('starter')
    const [cancelled, upgraded] = await Promise.all([cancel(payer), subscribe(payer, PRO)])
    assert.deepEqual([cancelled.status, upgraded.status], [200, 200], cancelled.text + upgraded.text)
    const { subscription, plan } = await standing(payer)
    assert.equal(plan, 'pro')
    assert.deepEqual(subscription, subscription.cancel_at_period_end ? cancelled.body : upgraded.body)
    assert.deepEqual(ground.takenFrom(payer), [500, 1_000])
  })

  test('leaves no trace of the subscription once it has ended, and another one can begin', async () => {
    const payer = await ground.subscriber('starter')
    const { id } = ok(await cancel(payer))
    ground.mail.clock.advance(32 * 86_400_000)
    ground.stripe.advance(0)
    refused(await cancel({ ...payer, client: await again(payer) }), 404, 'not_found')
    const body = ok(await subscribe({ ...payer, client: await again(payer) }, STARTER), 201)
    assert.notEqual(body.id, id)
    assert.deepEqual(ground.takenFrom(payer), [500, 500])
  })
})

/** Sessions last two weeks. */
const again = async ({ id }: Payer) => ground.mail.client({ cookie: await ground.mail.openSession(id) })

describe('the preview of a change', () => {
  const preview = ({ client }: Payer, plan_id: string) => client.post('/api/billing/preview', { plan_id })

  test('is what the change then charges', async () => {
    const payer = await ground.withCard()
    const first = ok(await preview(payer, STARTER))
    assert.deepEqual(
      [first.object, first.plan_id, first.due_now_cents, first.next_cents, first.currency],
      ['billing_preview', STARTER, 500, 500, 'eur'],
    )
    ok(await subscribe(payer, STARTER), 201)
    ground.mail.clock.advance(10 * 86_400_000)
    const dearer = ok(await preview(payer, PRO))
    ok(await subscribe(payer, PRO))
    assert.deepEqual(ground.takenFrom(payer), [500, dearer.due_now_cents])
    assert.ok(dearer.due_now_cents > 600 && dearer.due_now_cents < 1_000, String(dearer.due_now_cents))
  })

  test('of a cheaper and of the free plan is nothing now, and what follows at the end of the period', async () => {
    const payer = await ground.subscriber('pro')
    const { current_period_end } = (await standing(payer)).subscription
    for (const [plan, cents] of [
      [STARTER, 500],
      [FREE, 0],
      [PRO, 1_500],
    ] as const) {
      const { due_now_cents, next_cents, next_at } = ok(await preview(payer, plan))
      assert.deepEqual([due_now_cents, next_cents, next_at], [0, cents, current_period_end])
    }
    assert.deepEqual((await standing(payer)).subscription.pending_plan_id, null)
    assert.deepEqual(ground.takenFrom(payer), [1_500])
  })

  test('of a hidden or unknown plan is 404, and 503 while the provider is down', async () => {
    const payer = await ground.payer()
    refused(await preview(payer, UNLIMITED), 404, 'not_found')
    refused(await preview(payer, newId()), 404, 'not_found')
    refused(await payer.client.post('/api/billing/preview', {}), 422, 'missing_required_field')
    ground.stripe.fail({ status: 503, times: 2 })
    refused(await preview(payer, PRO), 503, 'service_unavailable')
  })
})

test('a subscription that is paused, since its trial ended without a card, gives way to the plan that is chosen', async () => {
  const payer = await ground.payer()
  ok(await payer.client.post('/api/billing/checkout/setup', {}), 201)
  const { stripe, mail } = ground
  const price = mail.parts.prices.get('starter')?.reference ?? assert.fail('there is no price')
  await hostOf(stripe).subscriptions.create({
    customer: ground.customerOf(payer),
    items: [{ price }],
    trial_period_days: 1,
    trial_settings: { end_behavior: { missing_payment_method: 'pause' } },
  })
  ground.pass(2)
  const { id } = ok(await payer.client.post('/api/billing/checkout/setup', {}), 201)
  stripe.completeCheckout(sessionOf(stripe, id).id)
  ok(await payer.client.post('/api/billing/payment-methods', { checkout_session_id: id }), 201)
  const { plan, subscription } = await standing(payer)
  assert.deepEqual([plan, subscription.status, subscription.plan_id], ['free', 'paused', STARTER])
  const body = ok(await subscribe(payer, STARTER), 201)
  assert.deepEqual([body.status, body.trial_end], ['active', null])
  assert.deepEqual([ground.takenFrom(payer), ground.runningOf(payer).length], [[500], 1])
})

test('a trial of the plan is for the first subscription of an account', async () => {
  const { stripe, mail } = ground
  const prices = mail.database.db.selectFrom('plan_price').select('reference')
  const { reference } = await prices.where('plan', '=', 'starter').executeTakeFirstOrThrow()
  const changed = await fetch(`${stripe.url}/v1/prices/${reference}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${stripe.secretKey}`,
      'stripe-version': API_VERSION,
      'idempotency-key': newId(),
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'metadata[trial_days]=7',
  })
  assert.equal(changed.status, 200, await changed.text())
  await syncPrices(mail.parts)
  await until(() => mail.parts.prices.get('starter')?.trialDays === 7, 'the price to be read')
  const payer = await ground.withCard()
  const first = ok(await subscribe(payer, STARTER), 201)
  assert.deepEqual([first.status, first.trial_end], ['trialing', first.current_period_end])
  assert.deepEqual(ground.takenFrom(payer), [])
  ok(await cancel(payer))
  mail.clock.advance(8 * 86_400_000)
  stripe.advance(0)
  assert.equal(ok(await subscribe(payer, STARTER), 201).status, 'active')
  assert.deepEqual(ground.takenFrom(payer), [500])
})
