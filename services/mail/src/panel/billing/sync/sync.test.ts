import assert from 'node:assert/strict'
import { after as afterAll, before, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import type { SubscriptionStatus } from '@stoa/mail-model/plans.ts'
import { ProviderError } from '../provider.ts'
import { requestSync } from './sync.ts'
import { type BillingGround, type Customer, startBillingGround } from './testing/ground.ts'
import { after, cardOf, chargeOf, subscriptionOf } from './testing/provider.ts'

let ground: BillingGround
before(async () => {
  ground = await startBillingGround()
})
afterAll(() => ground.mail.close())

const now = () => ground.mail.clock.now()
const subscription = (reference: string, change = {}) => subscriptionOf(now(), { reference, ...change })
const rowsOf = (table: 'subscription' | 'payment_method' | 'payment_transaction', { id }: Customer) =>
  ground.mail.database.db.selectFrom(table).selectAll().where('account_id', '=', id).orderBy('created_at').execute()
/** Waits in the first reading that begins until it is let go. */
const holdReading = () => {
  const held = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  let isFirst = true
  ground.provider.onRead = () => {
    if (!isFirst) return undefined
    isFirst = false
    begun.resolve()
    return held.promise
  }
  return { begun: begun.promise, letGo: held.resolve }
}

describe('what is read of a customer', () => {
  test('is written whole: subscription, methods, transactions, tax id, balance and plan', async () => {
    const customer = await ground.customer({
      balanceCents: 250,
      subscription: subscription('sub_whole', { pendingPlan: 'free' }),
      methods: [cardOf(now(), { reference: 'pm_1' }), cardOf(now(), { reference: 'pm_2', is_default: false })],
      transactions: [chargeOf(now(), { reference: 'in_1', tax_cents: 80 })],
      taxId: { reference: 'txi_1', type: 'eu_vat', value: 'DE123456789', country: 'DE', status: 'verified' },
    })
    await ground.sync(customer)
    const { body } = await customer.client.get('/api/entitlement')
    assert.deepEqual([body.plan.slug, body.subscription.status], ['starter', 'active'])
    assert.notEqual(body.subscription.pending_plan_id, null)
    const [method, other] = await rowsOf('payment_method', customer)
    assert.deepEqual([method, other].map((row) => [row?.reference, row?.is_default]).sort(), [
      ['pm_1', true],
      ['pm_2', false],
    ])
    const [charge] = await rowsOf('payment_transaction', customer)
    assert.deepEqual([charge?.amount_cents, charge?.tax_cents, charge?.status], [500, 80, 'paid'])
    assert.deepEqual((await customer.client.get('/api/billing/tax-id')).body, {
      object: 'tax_id',
      type: 'eu_vat',
      value: 'DE123456789',
      country: 'DE',
      status: 'verified',
    })
  })

  test('again keeps the ids, changes what changed, and forgets what is gone', async () => {
    const customer = await ground.customer({
      subscription: subscription('sub_again'),
      methods: [cardOf(now(), { reference: 'pm_a' }), cardOf(now(), { reference: 'pm_b', is_default: false })],
      transactions: [
        chargeOf(now(), { reference: 'in_a', status: 'pending' }),
        chargeOf(now(), { reference: 'in_draft', status: 'pending' }),
        chargeOf(now(), { reference: 'in_old' }),
      ],
    })
    await ground.sync(customer)
    const before = [...(await rowsOf('subscription', customer)), ...(await rowsOf('payment_transaction', customer))]
    ground.says(customer, {
      subscription: subscription('sub_again', { plan: 'pro', price: 'price_pro', priceCents: 1_500 }),
      methods: [cardOf(now(), { reference: 'pm_b', is_default: true })],
      transactions: [chargeOf(now(), { reference: 'in_a', status: 'paid' })],
    })
    await ground.sync(customer)
    const [plan] = await rowsOf('subscription', customer)
    assert.deepEqual([plan?.plan, plan?.price_cents, plan?.id], ['pro', 1_500, before[0]?.id])
    const methods = await rowsOf('payment_method', customer)
    assert.deepEqual(
      methods.map(({ reference, is_default }) => [reference, is_default]),
      [['pm_b', true]],
    )
    const transactions = await rowsOf('payment_transaction', customer)
    // A draft may vanish; what was paid is never forgotten.
    assert.deepEqual(transactions.map(({ reference, status }) => [reference, status]).sort(), [
      ['in_a', 'paid'],
      ['in_old', 'paid'],
    ])
    assert.ok(transactions.every(({ id }) => before.some((row) => row.id === id)))
    assert.equal(await ground.planOf(customer), 'pro')
  })

  test('of a slow reading never overwrites what a later one wrote', async () => {
    const customer = await ground.customer({ subscription: subscription('sub_slow') })
    const { begun, letGo } = holdReading()
    const slow = ground.sync(customer)
    await begun
    ground.says(customer, { subscription: subscription('sub_slow', { plan: 'business' }) })
    await ground.sync(customer)
    letGo()
    await slow
    assert.equal(await ground.planOf(customer), 'business')
  })

  test('that was asked for while it was read is read again, and otherwise is not', async () => {
    const customer = await ground.customer({ subscription: subscription('sub_asked') })
    const ask = () => ground.mail.database.tx((tx) => requestSync(tx, { reference: customer.reference }, now()))
    await ask()
    const { begun, letGo } = holdReading()
    const reading = ground.sync(customer)
    await begun
    await ask()
    letGo()
    await reading
    assert.deepEqual((await ground.row(customer))?.sync_due_at, now())
    await ground.sync(customer)
    assert.equal((await ground.row(customer))?.sync_due_at, null)
  })

  test('with two subscriptions at once: the newest stays, and the other ends with credit', async () => {
    const customer = await ground.customer({ subscription: subscription('sub_new'), otherSubscriptions: ['sub_twin'] })
    await ground.sync(customer)
    assert.deepEqual(
      ground.provider.calls.filter((call) => call.endsWith('sub_twin')),
      ['cancelNow sub_twin'],
    )
    assert.equal((await rowsOf('subscription', customer)).length, 1)
  })

  test('is written also when the other of two subscriptions had ended already', async () => {
    const customer = await ground.customer({ subscription: subscription('sub_left'), otherSubscriptions: ['sub_gone'] })
    const { cancelNow } = ground.provider
    ground.provider.cancelNow = async (change) => {
      await cancelNow(change)
      throw new ProviderError('not_found', 'it has ended')
    }
    await ground.sync(customer)
    ground.provider.cancelNow = cancelNow
    assert.equal(await ground.planOf(customer), 'starter')
  })

  test('of one that was deleted at the provider ends the subscription and keeps what was paid', async () => {
    const customer = await ground.customer({
      subscription: subscription('sub_lost'),
      methods: [cardOf(now(), { reference: 'pm_lost' })],
      transactions: [chargeOf(now(), { reference: 'in_lost' })],
    })
    await ground.sync(customer)
    ground.provider.customers.delete(customer.reference)
    await ground.sync(customer)
    const [row] = await rowsOf('subscription', customer)
    assert.deepEqual([row?.status, await ground.planOf(customer)], ['cancelled', 'free'])
    assert.equal((await rowsOf('payment_method', customer)).length, 0)
    assert.equal((await rowsOf('payment_transaction', customer)).length, 1)
    assert.equal(await ground.row(customer), undefined)
  })

  test('never changes records of another account', async () => {
    const mine = await ground.customer({
      subscription: subscription('sub_mine'),
      transactions: [chargeOf(now(), { reference: 'in_mine' })],
      methods: [cardOf(now(), { reference: 'pm_mine' })],
    })
    await ground.sync(mine)
    const thief = await ground.customer({
      subscription: subscription('sub_mine', { plan: 'business' }),
      transactions: [chargeOf(now(), { reference: 'in_mine', amount_cents: 1 })],
      methods: [cardOf(now(), { reference: 'pm_mine', last4: '0000' })],
    })
    await ground.sync(thief)
    const [plan] = await rowsOf('subscription', mine)
    const [charge] = await rowsOf('payment_transaction', mine)
    const [method] = await rowsOf('payment_method', mine)
    assert.deepEqual([plan?.plan, charge?.amount_cents, method?.last4], ['starter', 500, '4242'])
    assert.equal(await ground.planOf(thief), 'free')
  })
})

describe('the plan of an account', () => {
  const ended = { endedAt: new Date('2026-02-28T12:00:00Z') }
  const cases: [SubscriptionStatus, object, string][] = [
    ['trialing', {}, 'starter'],
    ['active', {}, 'starter'],
    ['active', { cancelAtPeriodEnd: true }, 'starter'],
    ['past_due', { pastDueAt: new Date('2026-02-27T12:00:00Z') }, 'starter'],
    ['past_due', { pastDueAt: null }, 'starter'],
    ['unpaid', { pastDueAt: new Date('2026-02-01T12:00:00Z') }, 'starter'],
    ['unpaid', { pastDueAt: new Date('2026-01-01T12:00:00Z') }, 'free'],
    ['incomplete', {}, 'free'],
    ['paused', {}, 'free'],
    ['cancelled', ended, 'free'],
    ['cancelled', { ...ended, endedUnpaid: true, pastDueAt: new Date('2026-02-01T12:00:00Z') }, 'starter'],
    ['cancelled', { ...ended, endedUnpaid: true, pastDueAt: new Date('2026-01-01T12:00:00Z') }, 'free'],
    ['active', { plan: null }, 'free'],
  ]
  for (const [index, [status, change, plan]] of cases.entries())
    test(`is ${plan} with a subscription that is ${status} ${JSON.stringify(change)}`, async () => {
      const customer = await ground.customer({
        subscription: subscription(`sub_state_${index}`, { status, ...change }),
      })
      await ground.sync(customer)
      assert.equal(await ground.planOf(customer), plan)
    })

  test('is shown with the subscription that ended unpaid until it is paid', async () => {
    const pastDueAt = new Date('2026-02-20T12:00:00Z')
    const unpaid = subscription('sub_ended_unpaid', { status: 'cancelled', ...ended, endedUnpaid: true, pastDueAt })
    const customer = await ground.customer({ subscription: unpaid })
    await ground.sync(customer)
    const shown = async () => (await customer.client.get('/api/entitlement')).body.subscription
    const { status, past_due_at } = await shown()
    assert.deepEqual([status, past_due_at], ['cancelled', pastDueAt.toISOString()])
    ground.says(customer, { subscription: { ...unpaid, endedUnpaid: false, pastDueAt: null } })
    await ground.sync(customer)
    assert.equal(await shown(), null)
  })

  test('stays without limits for the owner of the instance, who has no clock', async () => {
    ground.says(ground.owner, {
      subscription: subscription('sub_owner', { status: 'unpaid', pastDueAt: new Date('2026-01-01T12:00:00Z') }),
    })
    await ground.sync(ground.owner)
    assert.equal(await ground.planOf(ground.owner), 'unlimited')
    const { body } = await ground.owner.client.get('/api/overview')
    assert.deepEqual(
      body.alerts.filter(({ href }: { href: string }) => href === '/billing'),
      [],
    )
  })

  test('that was taken for nothing gives way to one that is paid for, and comes back with the next', async () => {
    const customer = await ground.customer()
    const { db, tx } = ground.mail.database
    const local = { id: newId(), account_id: customer.id, plan: 'free', status: 'active', created_at: now() } as const
    const period = { current_period_start: now(), current_period_end: after(now(), 30) }
    await tx((tx) =>
      tx
        .insertInto('subscription')
        .values({ ...local, ...period })
        .execute(),
    )
    ground.says(customer, { subscription: subscription('sub_paid') })
    await ground.sync(customer)
    const open = await db
      .selectFrom('subscription')
      .select('reference')
      .where('account_id', '=', customer.id)
      .where('ended_at', 'is', null)
      .execute()
    assert.deepEqual(open, [{ reference: 'sub_paid' }])
    assert.equal(await ground.planOf(customer), 'starter')
  })
})
