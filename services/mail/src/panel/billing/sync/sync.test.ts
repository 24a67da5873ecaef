import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { failOn } from '@stoa/tests/lib/fail-on.ts'
import { daysAfter } from '../../../hosting/plans/past-due.ts'
import { requestSync } from './sync.ts'
import { type BillingGround, type Customer, startBillingGround } from './testing/ground.ts'

let ground: BillingGround
before(async () => {
  ground = await startBillingGround()
})
after(() => ground.close())

const now = () => ground.mail.clock.now()
const rowsOf = (table: 'subscription' | 'payment_method' | 'payment_transaction', { id }: Customer) =>
  ground.mail.database.db.selectFrom(table).selectAll().where('account_id', '=', id).orderBy('created_at').execute()
const balanceOf = async ({ id }: Customer): Promise<number | undefined> => {
  const customers = ground.mail.database.db.selectFrom('billing_customer').select('balance_cents')
  return (await customers.where('account_id', '=', id).executeTakeFirst())?.balance_cents
}
/** With a new session: weeks pass. */
const clientOf = async ({ id }: Customer) => ground.mail.client({ cookie: await ground.mail.openSession(id) })
const upgrade = (subscription: string, plan: string) =>
  ground.parts.payments.changeNow({ subscription, price: ground.priceOf(plan), key: newId() })

describe('what is read of a customer', () => {
  test('is written whole: subscription, methods, transactions, tax id, balance and plan', async () => {
    const { host, stripe } = ground
    const customer = await ground.customer()
    const { reference } = customer
    await host.customers.update(reference, { address: { country: 'DE' } })
    const { id: subscription } = await ground.start(customer, 'pro', { automatic_tax: { enabled: true } })
    const later = { subscription, price: ground.priceOf('starter'), key: newId() }
    await ground.parts.payments.changeLater(later)
    const other = stripe.addMethod(reference, 'mastercard')
    await host.customers.createBalanceTransaction(reference, { amount: -250, currency: 'eur' })
    const taxId = await host.customers.createTaxId(reference, { type: 'eu_vat', value: 'DE123456789' })
    stripe.verifyTaxId(taxId.id, 'verified')
    await ground.sync(customer)
    const { body } = await customer.client.get('/api/entitlement')
    assert.deepEqual([body.plan.slug, body.subscription.status], ['pro', 'active'])
    assert.notEqual(body.subscription.pending_plan_id, null)
    const methods = await rowsOf('payment_method', customer)
    assert.deepEqual(
      new Map(methods.map((row) => [row.reference, row.is_default])),
      new Map([
        [customer.method, true],
        [other.id, false],
      ]),
    )
    const transactions = await rowsOf('payment_transaction', customer)
    assert.deepEqual(transactions.map(({ type, amount_cents, tax_cents }) => [type, amount_cents, tax_cents]).sort(), [
      ['charge', 1_785, 285],
      ['credit', 250, 0],
    ])
    assert.equal(await balanceOf(customer), 250)
    assert.deepEqual((await customer.client.get('/api/billing/tax-id')).body, {
      object: 'tax_id',
      type: 'eu_vat',
      value: 'DE123456789',
      country: 'DE',
      status: 'verified',
    })
  })

  test('is written whole or not at all: the plan comes with the subscription that pays for it', async () => {
    const customer = await ground.subscribed('starter')
    const mend = await failOn(ground.mail.database, 'update', 'account', `new.id = '${customer.id}'`)
    await assert.rejects(ground.sync(customer))
    await mend()
    assert.deepEqual([await ground.planOf(customer), await rowsOf('subscription', customer)], ['free', []])
    assert.deepEqual(await rowsOf('payment_transaction', customer), [])
    await ground.sync(customer)
    assert.equal(await ground.planOf(customer), 'starter')
  })

  test('again keeps the ids, changes what changed, and forgets what is gone', async () => {
    const { host, stripe, parts } = ground
    const customer = await ground.customer()
    const { reference, method } = customer
    const debit = stripe.addMethod(reference, 'sepaDebit').id
    const { id: subscription } = await ground.start(customer, 'starter', { default_payment_method: debit })
    await ground.sync(customer)
    const before = await rowsOf('subscription', customer)
    const [pending] = await rowsOf('payment_transaction', customer)
    assert.deepEqual([pending?.status, (await rowsOf('payment_method', customer)).length], ['pending', 2])
    ground.pass(4)
    await parts.payments.setDefaultMethod({ customer: reference, reference: method })
    await host.paymentMethods.detach(debit)
    await upgrade(subscription, 'pro')
    await ground.sync(customer)
    const [row, ...others] = await rowsOf('subscription', customer)
    assert.deepEqual([row?.plan, row?.price_cents, row?.id, others], ['pro', 1_500, before[0]?.id, []])
    const methods = await rowsOf('payment_method', customer)
    assert.deepEqual(
      methods.map((each) => [each.reference, each.is_default]),
      [[method, true]],
    )
    const [settled, difference] = await rowsOf('payment_transaction', customer)
    assert.deepEqual([settled?.id, settled?.status, difference?.status], [pending?.id, 'paid', 'paid'])
    assert.equal(await ground.planOf(customer), 'pro')
  })

  test('of a slow reading never overwrites what a later one wrote', async () => {
    const customer = await ground.subscribed('starter')
    const { begun, letGo } = ground.holdReading(customer)
    const slow = ground.sync(customer)
    await begun
    await upgrade(customer.subscription, 'business')
    await ground.sync(customer)
    letGo()
    await slow
    assert.equal(await ground.planOf(customer), 'business')
  })

  test('that was asked for while it was read is read again, and otherwise is not', async () => {
    const customer = await ground.subscribed('starter')
    const ask = () => ground.mail.database.tx((tx) => requestSync(tx, { reference: customer.reference }, now()))
    await ask()
    const { begun, letGo } = ground.holdReading(customer)
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
    const customer = await ground.subscribed('pro')
    ground.mail.clock.advance(60_000)
    const { id: newest } = await ground.start(customer, 'starter')
    await ground.sync(customer)
    assert.deepEqual(
      ground.runningOf(customer).map(({ id }) => id),
      [newest],
    )
    const rows = await rowsOf('subscription', customer)
    assert.deepEqual(
      rows.map(({ reference }) => reference),
      [newest],
    )
    assert.equal(await balanceOf(customer), 1_500)
  })

  test('is written also when the other of two subscriptions had ended already', async () => {
    const customer = await ground.subscribed('pro')
    ground.mail.clock.advance(60_000)
    await ground.start(customer, 'starter')
    const { begun, letGo } = ground.holdReading(customer)
    const reading = ground.sync(customer)
    await begun
    await ground.host.subscriptions.cancel(customer.subscription)
    letGo()
    await reading
    assert.equal(await ground.planOf(customer), 'starter')
  })

  test('of one that was deleted at the provider ends the subscription, and keeps what was paid', async () => {
    const customer = await ground.subscribed('starter')
    const debit = ground.stripe.addMethod(customer.reference, 'sepaDebit').id
    await ground.sync(customer)
    await ground.parts.payments.setDefaultMethod({ customer: customer.reference, reference: debit })
    await upgrade(customer.subscription, 'pro')
    await ground.sync(customer)
    const statuses = async () => (await rowsOf('payment_transaction', customer)).map(({ status }) => status).sort()
    assert.deepEqual(await statuses(), ['paid', 'pending'])
    await ground.host.customers.del(customer.reference)
    await ground.sync(customer)
    const [row] = await rowsOf('subscription', customer)
    assert.deepEqual([row?.status, await ground.planOf(customer)], ['cancelled', 'free'])
    assert.equal((await rowsOf('payment_method', customer)).length, 0)
    // Nobody will learn any more what came of the debit.
    assert.deepEqual(await statuses(), ['paid'])
    assert.equal(await ground.row(customer), undefined)
  })

  test('never changes records of another account', async () => {
    const mine = await ground.subscribed('starter')
    await ground.sync(mine)
    const thief = await ground.customer()
    ground.stripe.giveAll(mine.reference, thief.reference)
    await upgrade(mine.subscription, 'business')
    const before = await Promise.all((['payment_transaction', 'payment_method'] as const).map((of) => rowsOf(of, mine)))
    await ground.sync(thief)
    const [row] = await rowsOf('subscription', mine)
    assert.equal(row?.plan, 'starter')
    assert.deepEqual(
      await Promise.all((['payment_transaction', 'payment_method'] as const).map((of) => rowsOf(of, mine))),
      before,
    )
    assert.deepEqual([await ground.planOf(thief), await rowsOf('subscription', thief)], ['free', []])
  })
})

/** Has not paid for so many days; then Stripe has given up in one of its ways. */
const unpaid = async (customer: Customer, days: number, afterRetries: 'past_due' | 'unpaid' | 'canceled') => {
  Object.assign(ground.stripe.settings, { afterRetries })
  await ground.start(customer, 'starter')
  ground.fallDue(customer)
  ground.pass(days)
}

describe('the plan of an account', () => {
  type Case = { what: string; begin: (customer: Customer) => Promise<unknown>; status: string; plan: string }
  const cases: Case[] = [
    {
      what: 'a trial',
      begin: (customer) => ground.start(customer, 'starter', { trial_period_days: 14 }),
      status: 'trialing',
      plan: 'starter',
    },
    { what: 'that is paid', begin: (customer) => ground.start(customer, 'starter'), status: 'active', plan: 'starter' },
    {
      what: 'that is to end',
      begin: (customer) => ground.start(customer, 'starter', { cancel_at_period_end: true }),
      status: 'active',
      plan: 'starter',
    },
    {
      what: 'whose payment has failed',
      begin: (customer) => unpaid(customer, 2, 'unpaid'),
      status: 'past_due',
      plan: 'starter',
    },
    {
      what: 'unpaid for 40 days',
      begin: (customer) => unpaid(customer, 40, 'unpaid'),
      status: 'unpaid',
      plan: 'starter',
    },
    { what: 'unpaid for 45 days', begin: (customer) => unpaid(customer, 45, 'unpaid'), status: 'unpaid', plan: 'free' },
    {
      what: 'past due for 45 days',
      begin: (customer) => unpaid(customer, 45, 'past_due'),
      status: 'past_due',
      plan: 'free',
    },
    {
      what: 'cancelled because nobody paid for 40 days',
      begin: (customer) => unpaid(customer, 40, 'canceled'),
      status: 'cancelled',
      plan: 'starter',
    },
    {
      what: 'cancelled because nobody paid for 45 days',
      begin: (customer) => unpaid(customer, 45, 'canceled'),
      status: 'cancelled',
      plan: 'free',
    },
    {
      what: 'whose first payment is missing',
      begin: (customer) => ground.start(customer, 'starter', { payment_behavior: 'default_incomplete' }),
      status: 'incomplete',
      plan: 'free',
    },
    {
      what: 'that rests because its trial ended without a card',
      begin: async (customer) => {
        await ground.host.paymentMethods.detach(customer.method)
        const pausing = { end_behavior: { missing_payment_method: 'pause' } } as const
        await ground.start(customer, 'starter', { trial_period_days: 3, trial_settings: pausing })
        ground.pass(4)
      },
      status: 'paused',
      plan: 'free',
    },
    {
      what: 'that has ended',
      begin: async (customer) => ground.host.subscriptions.cancel((await ground.start(customer, 'starter')).id),
      status: 'cancelled',
      plan: 'free',
    },
    {
      what: 'to something that is none of our plans',
      begin: async ({ reference }) => {
        const { id: product } = await ground.host.products.create({ name: 'Something else' })
        const recurring = { interval: 'month' } as const
        const price = await ground.host.prices.create({ product, currency: 'eur', unit_amount: 900, recurring })
        await ground.host.subscriptions.create({ customer: reference, items: [{ price: price.id }] })
      },
      status: 'active',
      plan: 'free',
    },
  ]
  for (const { what, begin, status, plan } of cases)
    test(`is ${plan} with a subscription ${what}`, async () => {
      const customer = await ground.customer()
      await begin(customer)
      await ground.sync(customer)
      const [row] = await rowsOf('subscription', customer)
      assert.deepEqual([row?.status, await ground.planOf(customer)], [status, plan])
    })

  test('is shown with the subscription that ended unpaid until it is paid', async () => {
    const customer = await ground.customer()
    await unpaid(customer, 10, 'canceled')
    await ground.sync(customer)
    const shown = async () => (await (await clientOf(customer)).get('/api/entitlement')).body.subscription
    const { status, past_due_at } = await shown()
    assert.equal(status, 'cancelled')
    assert.ok(Math.abs(new Date(past_due_at).getTime() - daysAfter(now(), -10).getTime()) < 86_400_000, past_due_at)
    await ground.pay(customer)
    await ground.sync(customer)
    assert.equal(await shown(), null)
  })

  test('stays without limits for the owner of the instance, who has no clock', async () => {
    const owner = await ground.adopt(ground.owner)
    await unpaid(owner, 45, 'unpaid')
    await ground.sync(owner)
    assert.equal(await ground.planOf(owner), 'unlimited')
    const { body } = await (await clientOf(owner)).get('/api/overview')
    assert.deepEqual(
      body.alerts.filter(({ href }: { href: string }) => href === '/billing'),
      [],
    )
  })

  test('that was taken for nothing gives way to one that is paid for, and comes back with the next', async () => {
    const customer = await ground.customer()
    const { db, tx } = ground.mail.database
    const local = { id: newId(), account_id: customer.id, plan: 'free', status: 'active', created_at: now() } as const
    const period = { current_period_start: now(), current_period_end: daysAfter(now(), 30) }
    await tx((tx) =>
      tx
        .insertInto('subscription')
        .values({ ...local, ...period })
        .execute(),
    )
    const { id } = await ground.start(customer, 'starter')
    await ground.sync(customer)
    const open = await db
      .selectFrom('subscription')
      .select('reference')
      .where('account_id', '=', customer.id)
      .where('ended_at', 'is', null)
      .execute()
    assert.deepEqual(open, [{ reference: id }])
    assert.equal(await ground.planOf(customer), 'starter')
  })
})
