import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { Stripe } from 'stripe'
import { API_VERSION, type FakeStripe, type FakeStripeOptions, startFakeStripe } from './stripe.ts'

const DAY = 86_400_000
let fake: FakeStripe
let stripe: Stripe

const client = (key = fake.secretKey, more: object = {}) =>
  new Stripe(key, {
    host: '127.0.0.1',
    port: fake.port,
    protocol: 'http',
    telemetry: false,
    maxNetworkRetries: 0,
    ...more,
  })

const open = async (options: FakeStripeOptions = {}) => {
  fake = await startFakeStripe({ now: () => new Date('2026-03-31T12:00:00Z'), ...options })
  stripe = client()
}
beforeEach(() => open())
afterEach(() => fake.close())

const createPrice = async (unit_amount = 900, more: Partial<Stripe.PriceCreateParams> = {}) =>
  stripe.prices.create({
    currency: 'eur',
    unit_amount,
    recurring: { interval: 'month' },
    product_data: { name: `Plan ${unit_amount}` },
    ...more,
  })
const createCustomer = () => stripe.customers.create({ email: 'ann@example.test', metadata: { account_id: 'a1' } })

/** A customer with a card and a subscription that is paid. */
const subscribed = async (amount = 900) => {
  const customer = await createCustomer()
  const method = fake.addMethod(customer.id)
  await stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: method.id } })
  const price = await createPrice(amount)
  const subscription = await stripe.subscriptions.create({ customer: customer.id, items: [{ price: price.id }] })
  const item = subscription.items.data[0]
  assert.ok(item)
  return { customer, method, price, subscription, item }
}

const refusal = async (call: Promise<unknown>): Promise<Stripe.errors.StripeError> => {
  try {
    await call
  } catch (error) {
    assert.ok(error instanceof Stripe.errors.StripeError, String(error))
    return error
  }
  return assert.fail('it was not refused')
}

const statusOf = (id: string) => fake.subscriptions().find((subscription) => subscription.id === id)?.status
const typesOf = () => fake.events.map(({ type }) => type)

describe('requests', () => {
  test('the installed SDK sends the version that is expected, and any other is refused', async () => {
    assert.equal(Stripe.API_VERSION, API_VERSION)
    await stripe.customers.list()
    const other = client(undefined, { apiVersion: '2024-06-20' })
    assert.equal((await refusal(other.customers.list())).statusCode, 400)
  })

  test('a wrong key is refused with 401', async () => {
    const error = await refusal(client('sk_test_wrong').customers.list())
    assert.equal(error.type, 'StripeAuthenticationError')
  })

  test('an unknown parameter is refused by name, however deep it is', async () => {
    const error = await refusal(stripe.customers.create({ nickname: 'x' } as Stripe.CustomerCreateParams))
    assert.deepEqual([error.code, error.param, error.statusCode], ['parameter_unknown', 'nickname', 400])
    const items = [Object.assign({ price: 'p' }, { colour: 'red' })]
    const deep = await refusal(stripe.subscriptions.create({ customer: 'c', items }))
    assert.deepEqual([deep.code, deep.param], ['parameter_unknown', 'items[0][colour]'])
    assert.equal(fake.customers().length, 0)
  })

  test('a missing parameter, a number that is none and an empty value have their codes', async () => {
    const codes = [
      await refusal(stripe.products.create({} as Stripe.ProductCreateParams)),
      await refusal(stripe.prices.create({ currency: 'eur', unit_amount: 1.5, product: 'p' })),
      await refusal(stripe.products.create({ name: '' })),
    ].map(({ code }) => code)
    assert.deepEqual(codes, ['parameter_missing', 'parameter_invalid_integer', 'parameter_invalid_empty'])
  })

  test('JSON instead of a form, and a path that does not exist, are refused', async () => {
    const headers = { authorization: `Bearer ${fake.secretKey}`, 'stripe-version': API_VERSION }
    const json = { ...headers, 'content-type': 'application/json' }
    const body = await fetch(`${fake.url}/v1/customers`, { method: 'POST', headers: json, body: '{}' })
    assert.equal(body.status, 400)
    assert.equal((await fetch(`${fake.url}/v1/nothing`, { headers })).status, 404)
  })

  test('what the path names is 404 when missing, what a parameter names is 400', async () => {
    const path = await refusal(stripe.customers.retrieve('cus_none'))
    assert.deepEqual(
      [path.statusCode, path.code, path.message],
      [404, 'resource_missing', "No such customer: 'cus_none'"],
    )
    const param = await refusal(stripe.invoices.list({ customer: 'cus_none' }))
    assert.deepEqual([param.statusCode, param.code, param.param], [400, 'resource_missing', 'customer'])
  })
})

describe('idempotency keys', () => {
  const create = (name: string, idempotencyKey = 'k') => stripe.customers.create({ name }, { idempotencyKey })

  test('the same key and body answer the same without doing it again', async () => {
    const [first, second] = [await create('Ann'), await create('Ann')]
    assert.equal(first.id, second.id)
    assert.equal(fake.customers().length, 1)
    assert.equal(fake.requests[1]?.replayed, true)
  })

  test('the same key with another body or path is an idempotency error', async () => {
    const { id } = await create('Ann')
    assert.equal((await refusal(create('Bob'))).type, 'StripeIdempotencyError')
    const elsewhere = stripe.customers.update(id, { name: 'Ann' }, { idempotencyKey: 'k' })
    assert.equal((await refusal(elsewhere)).type, 'StripeIdempotencyError')
    assert.deepEqual(
      fake.customers().map(({ name }) => name),
      ['Ann'],
    )
  })

  test('a key whose request is under way is 409', async () => {
    const held = Promise.withResolvers<void>()
    fake.fail({ until: () => held.promise })
    const first = create('Ann')
    while (fake.requests.length === 0) await new Promise(setImmediate)
    const error = await refusal(create('Ann'))
    assert.deepEqual([error.statusCode, error.code], [409, 'idempotency_key_in_use'])
    held.resolve()
    assert.equal((await create('Ann')).id, (await first).id)
  })

  test('a refused card is remembered, wrong parameters are not, and after a day all is forgotten', async () => {
    const customer = await createCustomer()
    const attach = () =>
      stripe.paymentMethods.attach('pm_card_chargeDeclined', { customer: customer.id }, { idempotencyKey: 'card' })
    assert.equal((await refusal(attach())).code, 'card_declined')
    assert.equal((await refusal(attach())).code, 'card_declined')
    assert.equal(fake.requests.at(-1)?.replayed, true)
    await refusal(stripe.customers.create({ bad: '1' } as Stripe.CustomerCreateParams, { idempotencyKey: 'k' }))
    const first = await create('Ann')
    fake.advance(DAY)
    assert.notEqual((await create('Ann')).id, first.id)
  })
})

describe('lists', () => {
  test('pages are newest first and walked by starting_after', async () => {
    for (let index = 0; index < 7; index++) await stripe.customers.create({ name: String(index) })
    const page = await stripe.customers.list({ limit: 3 })
    assert.deepEqual([page.data.map(({ name }) => name), page.has_more], [['6', '5', '4'], true])
    const names: (string | null | undefined)[] = []
    for await (const { name } of stripe.customers.list({ limit: 3 })) names.push(name)
    assert.deepEqual(names, ['6', '5', '4', '3', '2', '1', '0'])
    assert.equal((await refusal(stripe.customers.list({ limit: 101 }))).param, 'limit')
  })

  test('expand puts objects in the place of ids, through lists too, and refuses what cannot be', async () => {
    const { subscription } = await subscribed()
    const read = await stripe.subscriptions.retrieve(subscription.id, {
      expand: ['customer', 'latest_invoice.payments'],
    })
    assert.ok(typeof read.customer === 'object' && !read.customer.deleted && read.customer.email)
    assert.ok(typeof read.latest_invoice === 'object' && read.latest_invoice?.payments?.data.length === 1)
    const list = await stripe.charges.list({ expand: ['data.refunds'] })
    assert.deepEqual(list.data[0]?.refunds?.data, [])
    assert.equal((await refusal(stripe.customers.list({ expand: ['data.mother'] }))).param, 'expand')
  })

  test('search lags behind, lists do not', async () => {
    const { id } = await createCustomer()
    const search = async () => (await stripe.customers.search({ query: "metadata['account_id']:'a1'" })).data
    assert.deepEqual(await search(), [])
    assert.equal((await stripe.customers.list({ email: 'ann@example.test' })).data[0]?.id, id)
    fake.advance(60_000)
    assert.equal((await search())[0]?.id, id)
  })
})

describe('customers', () => {
  test('metadata is merged, and an empty value removes', async () => {
    const { id } = await createCustomer()
    const { metadata } = await stripe.customers.update(id, { metadata: { account_id: '', plan: 'x' } })
    assert.deepEqual(metadata, { plan: 'x' })
  })

  test('a deleted customer is read as deleted, loses its subscription and cannot be changed', async () => {
    const { customer, subscription } = await subscribed()
    await stripe.customers.del(customer.id)
    assert.deepEqual({ ...(await stripe.customers.retrieve(customer.id)) }.deleted, true)
    assert.equal(statusOf(subscription.id), 'canceled')
    assert.equal((await refusal(stripe.customers.update(customer.id, { name: 'x' }))).statusCode, 404)
    assert.equal((await stripe.customers.list()).data.length, 0)
  })

  test('credit lowers the next charge, and the balance is moved by transactions', async () => {
    const { customer } = await subscribed()
    await stripe.customers.createBalanceTransaction(customer.id, {
      amount: -500,
      currency: 'eur',
      description: 'thanks',
    })
    fake.advance(32 * DAY)
    assert.deepEqual(
      fake.charges().map(({ amount }) => amount),
      [900, 400],
    )
    const moves = (await stripe.customers.listBalanceTransactions(customer.id)).data
    assert.deepEqual(
      moves.map(({ amount, type }) => [amount, type]),
      [
        [500, 'applied_to_invoice'],
        [-500, 'adjustment'],
      ],
    )
  })

  test('a tax id has a form, is checked later, and cannot be changed', async () => {
    const { id } = await createCustomer()
    const bad = await refusal(stripe.customers.createTaxId(id, { type: 'eu_vat', value: 'nonsense!' }))
    assert.equal(bad.code, 'tax_id_invalid')
    const taxId = await stripe.customers.createTaxId(id, { type: 'eu_vat', value: 'DE123456789' })
    assert.equal(taxId.verification?.status, 'pending')
    fake.verifyTaxId(taxId.id, 'unverified')
    assert.equal((await stripe.customers.retrieveTaxId(id, taxId.id)).verification?.status, 'unverified')
    await stripe.customers.deleteTaxId(id, taxId.id)
    assert.deepEqual((await stripe.customers.listTaxIds(id)).data, [])
  })
})

describe('prices', () => {
  test('a lookup key belongs to one price and is transferred only on request', async () => {
    const first = await createPrice(900, { lookup_key: 'plus' })
    assert.equal((await refusal(createPrice(1000, { lookup_key: 'plus' }))).param, 'lookup_key')
    const second = await createPrice(1000, { lookup_key: 'plus', transfer_lookup_key: true })
    const found = await stripe.prices.list({ lookup_keys: ['plus'], active: true })
    assert.deepEqual(
      found.data.map(({ id }) => id),
      [second.id],
    )
    assert.equal((await stripe.prices.retrieve(first.id)).lookup_key, null)
  })
})

describe('payment methods', () => {
  test("Stripe's test names make new methods; refused ones are not attached", async () => {
    const { id } = await createCustomer()
    const visa = await stripe.paymentMethods.attach('pm_card_visa', { customer: id })
    assert.deepEqual([visa.card?.last4, visa.customer], ['4242', id])
    const error = await refusal(
      stripe.paymentMethods.attach('pm_card_chargeDeclinedInsufficientFunds', { customer: id }),
    )
    assert.deepEqual([error.statusCode, error.code, error.decline_code], [402, 'card_declined', 'insufficient_funds'])
    assert.deepEqual(
      (await stripe.customers.listPaymentMethods(id)).data.map((method) => method.id),
      [visa.id],
    )
  })

  test('one method belongs to one customer, and once detached to nobody for good', async () => {
    const [ann, bob] = [await createCustomer(), await createCustomer()]
    const method = fake.addMethod(ann.id)
    await refusal(stripe.paymentMethods.attach(method.id, { customer: bob.id }))
    const foreign = stripe.customers.update(bob.id, { invoice_settings: { default_payment_method: method.id } })
    assert.equal((await refusal(foreign)).code, 'resource_missing')
    await stripe.customers.update(ann.id, { invoice_settings: { default_payment_method: method.id } })
    await stripe.paymentMethods.detach(method.id)
    const read = await stripe.customers.retrieve(ann.id)
    assert.ok(!read.deleted && read.invoice_settings.default_payment_method === null)
    await refusal(stripe.paymentMethods.attach(method.id, { customer: ann.id }))
  })
})

describe('subscriptions', () => {
  test('the period stands on the item, the first invoice is paid and numbered', async () => {
    const { subscription, item, customer } = await subscribed()
    assert.equal(subscription.status, 'active')
    // The last day of a month becomes the last day of the next.
    assert.equal(new Date(item.current_period_end * 1000).toISOString(), '2026-04-30T12:00:00.000Z')
    const invoice = (await stripe.invoices.list({ customer: customer.id })).data[0]
    assert.ok(invoice)
    assert.match(invoice.number ?? '', /-0001$/)
    assert.equal(invoice.status, 'paid')
    assert.equal(invoice.parent?.subscription_details?.subscription, subscription.id)
    assert.deepEqual(
      fake.charges().map(({ amount, invoice: paid }) => [amount, paid]),
      [[900, invoice.id]],
    )
    assert.equal((await fetch(invoice.invoice_pdf ?? '')).headers.get('content-type'), 'application/pdf')
  })

  test('error_if_incomplete leaves nothing when the card is declined or wants 3-D Secure', async () => {
    const price = await createPrice()
    const customer = await createCustomer()
    for (const [card, code] of [
      ['declinedLater', 'card_declined'],
      ['threeDSecure', 'subscription_payment_intent_requires_action'],
    ] as const) {
      const error = await refusal(
        stripe.subscriptions.create({
          customer: customer.id,
          items: [{ price: price.id }],
          default_payment_method: fake.addMethod(customer.id, card).id,
          payment_behavior: 'error_if_incomplete',
        }),
      )
      assert.deepEqual([error.type, error.code], ['StripeCardError', code])
    }
    assert.deepEqual([fake.subscriptions(), fake.invoices(), fake.charges()], [[], [], []])
  })

  test('otherwise it is incomplete with an open invoice, can be paid, and expires after 23 hours', async () => {
    const price = await createPrice()
    const start = async () => {
      const customer = await createCustomer()
      const default_payment_method = fake.addMethod(customer.id, 'declinedLater').id
      return stripe.subscriptions.create({
        customer: customer.id,
        items: [{ price: price.id }],
        default_payment_method,
      })
    }
    const [paid, left] = [await start(), await start()]
    assert.equal(paid.status, 'incomplete')
    const payment_method = fake.addMethod(String(paid.customer)).id
    await stripe.invoices.pay(String(paid.latest_invoice), { payment_method })
    assert.equal(statusOf(paid.id), 'active')
    fake.advance(DAY)
    assert.equal(statusOf(left.id), 'incomplete_expired')
    assert.equal((await stripe.invoices.retrieve(String(left.latest_invoice))).status, 'void')
  })

  test('a renewal is a draft for an hour, then charged', async () => {
    const { subscription } = await subscribed()
    fake.advance(30 * DAY)
    const latest = async () => {
      const read = await stripe.subscriptions.retrieve(subscription.id, { expand: ['latest_invoice'] })
      return typeof read.latest_invoice === 'object' ? read.latest_invoice?.status : null
    }
    assert.equal(await latest(), 'draft')
    fake.advance(3_600_000)
    assert.equal(await latest(), 'paid')
    fake.advance(365 * DAY)
    assert.equal(fake.charges().length, 14)
  })

  test('a trial charges nothing until it ends, and is announced three days before', async () => {
    const customer = await createCustomer()
    const price = await createPrice()
    const method = fake.addMethod(customer.id)
    const { id, status } = await stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: price.id }],
      default_payment_method: method.id,
      trial_period_days: 14,
    })
    assert.equal(status, 'trialing')
    fake.advance(12 * DAY)
    assert.ok(typesOf().includes('customer.subscription.trial_will_end'))
    assert.deepEqual(fake.charges(), [])
    fake.advance(3 * DAY)
    assert.equal(statusOf(id), 'active')
    assert.deepEqual(
      fake.charges().map(({ amount }) => amount),
      [900],
    )
  })

  test('an upgrade charges what the preview said, for what is left of the period', async () => {
    const { subscription, item } = await subscribed()
    const { id: price } = await createPrice(3000)
    fake.advance(15 * DAY)
    const items = [{ id: item.id, price }]
    const preview = await stripe.invoices.createPreview({
      subscription: subscription.id,
      subscription_details: { items, proration_behavior: 'always_invoice' },
    })
    assert.equal(preview.amount_due, 1050)
    await stripe.subscriptions.update(subscription.id, {
      items,
      proration_behavior: 'always_invoice',
      payment_behavior: 'error_if_incomplete',
    })
    assert.deepEqual(
      fake.charges().map(({ amount }) => amount),
      [900, 1050],
    )
    fake.advance(16 * DAY)
    assert.equal(fake.charges()[2]?.amount, 3000)
  })

  test('an upgrade that the card does not pay changes nothing', async () => {
    const { subscription, item, method, price } = await subscribed()
    fake.setDecline(method.id, 'insufficient_funds')
    const update = stripe.subscriptions.update(subscription.id, {
      items: [{ id: item.id, price: (await createPrice(3000)).id }],
      proration_behavior: 'always_invoice',
      payment_behavior: 'error_if_incomplete',
    })
    assert.equal((await refusal(update)).decline_code, 'insufficient_funds')
    const read = await stripe.subscriptions.retrieve(subscription.id)
    assert.deepEqual([read.items.data[0]?.price.id, read.status], [price.id, 'active'])
    assert.equal(fake.invoices().length, 1)
  })

  test('a change of the interval begins a new period with what is left taken off', async () => {
    const { subscription, item } = await subscribed()
    fake.advance(15 * DAY)
    const yearly = await createPrice(9000, { recurring: { interval: 'year' } })
    const updated = await stripe.subscriptions.update(subscription.id, {
      items: [{ id: item.id, price: yearly.id }],
      proration_behavior: 'always_invoice',
    })
    assert.equal(fake.charges()[1]?.amount, 9000 - 450)
    assert.equal(updated.items.data[0]?.current_period_end, Date.parse('2027-04-15T12:00:00Z') / 1000)
  })

  test('a downgrade waits in a schedule for the end of the period, and is taken back by release', async () => {
    const { subscription, item } = await subscribed(3000)
    const small = await createPrice(900)
    const plan = async () => {
      const schedule = await stripe.subscriptionSchedules.create({ from_subscription: subscription.id })
      const current = schedule.phases[0]
      assert.ok(current)
      await stripe.subscriptionSchedules.update(schedule.id, {
        end_behavior: 'release',
        phases: [
          { items: [{ price: item.price.id }], start_date: current.start_date, end_date: current.end_date },
          { items: [{ price: small.id }], duration: { interval: 'month' }, proration_behavior: 'none' },
        ],
      })
      return schedule.id
    }
    const first = await plan()
    await refusal(stripe.subscriptionSchedules.create({ from_subscription: subscription.id }))
    await refusal(stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true }))
    const next = await stripe.invoices.createPreview({ subscription: subscription.id })
    assert.equal(next.total, 900)
    await stripe.subscriptionSchedules.release(first)
    assert.equal((await stripe.subscriptions.retrieve(subscription.id)).schedule, null)
    await plan()
    fake.advance(31 * DAY)
    assert.deepEqual(
      fake.charges().map(({ amount }) => amount),
      [3000, 900],
    )
    fake.advance(31 * DAY)
    assert.equal((await stripe.subscriptions.retrieve(subscription.id)).schedule, null)
    assert.equal(fake.charges()[2]?.amount, 900)
  })

  test('cancelled at the end of the period it runs until then, and can be kept', async () => {
    const { subscription } = await subscribed()
    const cancel = (cancel_at_period_end: boolean) =>
      stripe.subscriptions.update(subscription.id, { cancel_at_period_end })
    assert.notEqual((await cancel(true)).canceled_at, null)
    const upcoming = stripe.invoices.createPreview({ subscription: subscription.id })
    assert.equal((await refusal(upcoming)).code, 'invoice_upcoming_none')
    assert.equal((await cancel(false)).canceled_at, null)
    await cancel(true)
    fake.advance(31 * DAY)
    assert.equal(statusOf(subscription.id), 'canceled')
    assert.equal(fake.charges().length, 1)
    assert.equal((await refusal(stripe.subscriptions.cancel(subscription.id))).statusCode, 404)
    assert.deepEqual((await stripe.subscriptions.list({ customer: String(subscription.customer) })).data, [])
  })

  test('a date of its end can be set and taken back in place of the flag', async () => {
    const { subscription } = await subscribed()
    const cancel_at = Math.floor(fake.now().getTime() / 1000) + 10 * 86_400
    const set = await stripe.subscriptions.update(subscription.id, { cancel_at })
    assert.deepEqual([set.cancel_at, set.cancel_at_period_end], [cancel_at, false])
    assert.equal((await stripe.subscriptions.update(subscription.id, { cancel_at: '' })).canceled_at, null)
    fake.advance(11 * DAY)
    assert.equal(statusOf(subscription.id), 'active')
    await stripe.subscriptions.update(subscription.id, { cancel_at: cancel_at + 2 * 86_400 })
    fake.advance(2 * DAY)
    assert.equal(statusOf(subscription.id), 'canceled')
  })

  for (const [afterRetries, status] of [
    ['canceled', 'canceled'],
    ['unpaid', 'unpaid'],
    ['past_due', 'past_due'],
  ] as const) {
    test(`a card that fails is tried again, and in the end the subscription is ${status}`, async () => {
      await fake.close()
      await open({ settings: { afterRetries, retryDays: [3, 7] } })
      const { subscription, method } = await subscribed()
      fake.setDecline(method.id, 'expired_card')
      fake.advance(31 * DAY)
      assert.equal(statusOf(subscription.id), 'past_due')
      fake.advance(4 * DAY)
      const invoice = fake.invoices()[1]
      assert.deepEqual([invoice?.status, invoice?.attempt_count], ['open', 2])
      fake.advance(4 * DAY)
      assert.equal(statusOf(subscription.id), status)
      const ended = await stripe.subscriptions.retrieve(subscription.id)
      assert.equal(ended.cancellation_details?.reason, status === 'canceled' ? 'payment_failed' : null)
      assert.equal(fake.charges().length, 1)
    })
  }

  test('a fixed card pays at the next attempt', async () => {
    const { subscription, method, customer } = await subscribed()
    fake.setDecline(method.id, 'insufficient_funds')
    fake.advance(31 * DAY)
    assert.equal(fake.customers()[0]?.delinquent, true)
    fake.setDecline(method.id, null)
    fake.advance(4 * DAY)
    assert.equal(statusOf(subscription.id), 'active')
    const read = await stripe.customers.retrieve(customer.id)
    assert.ok(!read.deleted && read.delinquent === false)
  })

  test('manual attempts do not use up the retries, and a required confirmation is reported', async () => {
    const { method, subscription } = await subscribed()
    fake.setDecline(method.id, 'challenge')
    fake.advance(31 * DAY)
    assert.ok(typesOf().includes('invoice.payment_action_required'))
    const invoice = fake.invoices()[1]?.id ?? ''
    for (let tries = 0; tries < 4; tries++) {
      assert.equal((await refusal(stripe.invoices.pay(invoice))).code, 'invoice_payment_intent_requires_action')
    }
    assert.deepEqual([statusOf(subscription.id), fake.invoices()[1]?.attempt_count], ['past_due', 1])
    const payment_method = fake.addMethod(String(subscription.customer)).id
    assert.equal((await stripe.invoices.pay(invoice, { payment_method })).status, 'paid')
    assert.equal(statusOf(subscription.id), 'active')
    assert.equal((await refusal(stripe.invoices.pay(invoice))).code, 'invoice_already_paid')
  })

  test('a void invoice gives back the balance that it used', async () => {
    const { customer, method } = await subscribed()
    fake.setDecline(method.id, 'generic_decline')
    await stripe.customers.createBalanceTransaction(customer.id, { amount: -500, currency: 'eur' })
    fake.advance(31 * DAY)
    const invoice = fake.invoices()[1]
    assert.deepEqual([invoice?.amount_due, fake.customers()[0]?.balance], [400, 0])
    await stripe.invoices.voidInvoice(invoice?.id ?? '')
    assert.equal(fake.customers()[0]?.balance, -500)
  })

  test('tax is added where automatic tax is on and the place is known', async () => {
    const customer = await createCustomer()
    const price = await createPrice(1000)
    const method = fake.addMethod(customer.id)
    const create = () =>
      stripe.subscriptions.create({
        customer: customer.id,
        items: [{ price: price.id }],
        default_payment_method: method.id,
        automatic_tax: { enabled: true },
      })
    assert.equal((await refusal(create())).code, 'customer_tax_location_invalid')
    await stripe.customers.update(customer.id, { address: { country: 'DE' } })
    await create()
    assert.deepEqual([fake.charges()[0]?.amount, fake.invoices()[0]?.total_taxes[0]?.amount], [1190, 190])
  })

  test('a debit is pending for days, then comes through or back', async () => {
    const price = await createPrice()
    const start = async (card: 'sepaDebit' | 'sepaDebitFails') => {
      const customer = await createCustomer()
      const default_payment_method = fake.addMethod(customer.id, card).id
      return stripe.subscriptions.create({
        customer: customer.id,
        items: [{ price: price.id }],
        default_payment_method,
      })
    }
    const [good, bad] = [await start('sepaDebit'), await start('sepaDebitFails')]
    assert.deepEqual([good.status, bad.status, fake.charges().length], ['active', 'active', 0])
    fake.advance(3 * DAY)
    assert.deepEqual([statusOf(good.id), statusOf(bad.id), fake.charges().length], ['active', 'past_due', 1])
  })
})

describe('money back', () => {
  test('a refund cannot be more than what was taken', async () => {
    await subscribed()
    const charge = fake.charges()[0]?.id ?? ''
    await stripe.refunds.create({ charge, amount: 300 })
    await refusal(stripe.refunds.create({ charge, amount: 700 }))
    await stripe.refunds.create({ charge })
    assert.equal((await refusal(stripe.refunds.create({ charge }))).code, 'charge_already_refunded')
    assert.equal(fake.charges()[0]?.refunded, 900)
    assert.deepEqual(
      (await stripe.refunds.list({ charge })).data.map(({ amount }) => amount),
      [600, 300],
    )
  })

  test('a credit note gives back by refund or by balance', async () => {
    const { customer } = await subscribed()
    const invoice = fake.invoices()[0]?.id ?? ''
    const note = await stripe.creditNotes.create({ invoice, amount: 500, refund_amount: 200, credit_amount: 300 })
    assert.equal(note.refunds[0]?.amount_refunded, 200)
    assert.equal(fake.customers()[0]?.balance, -300)
    assert.equal((await stripe.creditNotes.list({ customer: customer.id })).data.length, 1)
    assert.equal((await stripe.invoices.retrieve(invoice)).post_payment_credit_notes_amount, 500)
  })
})

describe('the hosted page', () => {
  const session = async (more: Partial<Stripe.Checkout.SessionCreateParams> = {}) => {
    const customer = await createCustomer()
    return stripe.checkout.sessions.create({
      mode: 'subscription',
      customer: customer.id,
      line_items: [{ price: (await createPrice()).id, quantity: 1 }],
      success_url: 'https://app.test/done?session={CHECKOUT_SESSION_ID}',
      cancel_url: 'https://app.test/plans',
      ...more,
    })
  }
  const setup = async () => {
    const { id } = await createCustomer()
    return stripe.checkout.sessions.create({
      mode: 'setup',
      customer: id,
      currency: 'eur',
      success_url: 'https://app.test/',
    })
  }
  const post = (url: string | null, form: Record<string, string>) =>
    fetch(url ?? '', { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' })

  test('shows what is bought, pays, and leads back with the session', async () => {
    const { id, url } = await session({ subscription_data: { metadata: { account_id: 'a1' } } })
    const page = await (await fetch(url ?? '')).text()
    assert.match(page, /Plan 900: 9\.00 EUR per month/)
    assert.match(page, /href="https:\/\/app\.test\/plans"/)
    const answer = await post(url, { card: 'visa' })
    assert.deepEqual([answer.status, answer.headers.get('location')], [303, `https://app.test/done?session=${id}`])
    const read = await stripe.checkout.sessions.retrieve(id, { expand: ['subscription'] })
    assert.deepEqual([read.status, read.payment_status, read.url], ['complete', 'paid', null])
    assert.ok(typeof read.subscription === 'object' && read.subscription?.metadata.account_id === 'a1')
    assert.match(await (await fetch(url ?? '')).text(), /complete/)
    await post(url, { card: 'visa' })
    assert.equal(fake.charges().length, 1)
  })

  test('says that a card is declined, keeps nothing, and takes another', async () => {
    const { url } = await session()
    for (const card of ['declined', 'declinedLater']) {
      const answer = await post(url, { card })
      assert.equal(answer.status, 402)
      assert.match(await answer.text(), /role="alert">Your card was declined/)
    }
    assert.deepEqual(
      [fake.subscriptions(), (await stripe.paymentMethods.list({ customer: fake.customers()[0]?.id ?? '' })).data],
      [[], []],
    )
    assert.equal((await post(url, { card: 'visa' })).status, 303)
  })

  test('3-D Secure leads over the bank, which may say no; confirmed once it renews by itself', async () => {
    const { url } = await session()
    const bank = new URL((await post(url, { card: 'threeDSecure' })).headers.get('location') ?? '', fake.url).href
    assert.match(await (await fetch(bank)).text(), /Your bank/)
    assert.equal((await post(bank, { answer: 'no' })).status, 402)
    assert.deepEqual(fake.charges(), [])
    assert.equal((await post(bank, { answer: 'yes' })).status, 303)
    fake.advance(32 * DAY)
    assert.equal(fake.charges().length, 2)
  })

  test('a set-up saves a method and charges nothing', async () => {
    const { id } = await setup()
    fake.completeCheckout(id, 'mastercard')
    const { setup_intent } = await stripe.checkout.sessions.retrieve(id, { expand: ['setup_intent.payment_method'] })
    assert.ok(typeof setup_intent === 'object' && typeof setup_intent?.payment_method === 'object')
    assert.equal(setup_intent?.payment_method?.card?.brand, 'mastercard')
    assert.deepEqual(fake.charges(), [])
  })

  test('a session expires by itself or on request, and only while it is open', async () => {
    const [one, two] = [await session(), await session()]
    assert.equal((await stripe.checkout.sessions.expire(one.id)).status, 'expired')
    await refusal(stripe.checkout.sessions.expire(one.id))
    assert.throws(() => fake.completeCheckout(one.id))
    fake.advance(DAY)
    assert.equal((await stripe.checkout.sessions.retrieve(two.id)).status, 'expired')
    assert.equal(fake.charges().length, 0)
  })

  test('refuses addresses that are none, and parameters of the other mode', async () => {
    assert.equal((await refusal(session({ success_url: '/done' }))).code, 'url_invalid')
    assert.equal((await refusal(session({ mode: 'setup', currency: 'eur' }))).param, 'line_items')
    await refusal(session({ automatic_tax: { enabled: true } }))
    await refusal(session({ tax_id_collection: { enabled: true } }))
  })

  test('an open invoice can be paid on its page', async () => {
    const { method, subscription } = await subscribed()
    fake.setDecline(method.id, 'generic_decline')
    fake.advance(31 * DAY)
    const url = fake.invoices()[1]?.hosted_invoice_url ?? ''
    assert.equal((await post(url, { card: 'insufficientFunds' })).status, 402)
    assert.match(await (await post(url, { card: 'visa' })).text(), /paid/)
    assert.equal(statusOf(subscription.id), 'active')
  })
})

describe('failures on purpose', () => {
  const create = (idempotencyKey?: string) =>
    stripe.customers.create({ name: 'Ann' }, idempotencyKey ? { idempotencyKey } : {})

  test('a status and a code, so many times, for what matches', async () => {
    fake.fail({ status: 429, retryAfter: 7, match: ({ path }) => path === '/v1/customers' })
    await stripe.products.list()
    const error = await refusal(create())
    assert.deepEqual(
      [error.type, error.code, error.headers?.['retry-after']],
      ['StripeRateLimitError', 'rate_limit', '7'],
    )
    fake.fail({ status: 402, error: { code: 'card_declined', decline_code: 'lost_card' }, times: 2 })
    assert.equal((await refusal(create())).decline_code, 'lost_card')
    assert.equal((await refusal(create())).code, 'card_declined')
    await create()
    assert.equal(fake.customers().length, 1)
  })

  test('a line cut before leaves nothing, cut after leaves the effect, which the same key finds again', async () => {
    // The SDK itself tries once more when a line is cut.
    fake.fail({ cut: 'before', times: 2 })
    assert.equal((await refusal(create('k'))).type, 'StripeConnectionError')
    assert.equal(fake.customers().length, 0)
    fake.fail({ cut: 'after', times: 2 })
    assert.equal((await refusal(create('k'))).type, 'StripeConnectionError')
    assert.equal((await create('k')).id, fake.customers()[0]?.id)
    assert.equal(fake.customers().length, 1)
  })

  test('what is slower than the caller waits is done nevertheless', async () => {
    const held = Promise.withResolvers<void>()
    fake.fail({ until: () => held.promise })
    const hasty = client(undefined, { timeout: 30 })
    assert.equal((await refusal(hasty.customers.create({ name: 'Ann' }))).type, 'StripeConnectionError')
    assert.equal(fake.customers().length, 0)
    held.resolve()
    while (fake.customers().length === 0) await new Promise(setImmediate)
  })
})

describe('events', () => {
  const SECRETS = ['whsec_new', 'whsec_old']
  const received: { body: string; signature: string }[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    received.push({ body, signature: String(request.headers['stripe-signature']) })
    response.writeHead(200).end()
  })
  const url = () => {
    const address = server.address()
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/hook`
  }
  const ids = () => received.map(({ body }) => JSON.parse(body).id)
  before(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  beforeEach(() => {
    received.length = 0
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })

  test('are signed with every secret, so that the SDK accepts each and no other', async () => {
    await fake.close()
    await open({ now: () => new Date() })
    fake.sendTo({ url: url(), secrets: SECRETS })
    await createCustomer()
    await fake.deliver()
    const { body = '', signature = '' } = received[0] ?? {}
    for (const secret of SECRETS) {
      assert.equal(stripe.webhooks.constructEvent(body, signature, secret).type, 'customer.created')
    }
    assert.throws(() => stripe.webhooks.constructEvent(body, signature, 'whsec_other'))
    assert.throws(() => stripe.webhooks.constructEvent(`${body} `, signature, 'whsec_new'))
    const old = fake.sign(body, { at: new Date(Date.now() - 301_000) })
    assert.throws(() => stripe.webhooks.constructEvent(body, old, 'whsec_new'))
  })

  test('come in order, backwards, shuffled, twice, late, or never', async () => {
    fake.sendTo({ url: url(), secrets: SECRETS })
    await subscribed()
    const happened = fake.pending.map(({ id }) => id)
    assert.ok(happened.length > 5)
    const lost = fake.lose(({ type }) => type === 'invoice.paid')
    await fake.deliver({ order: { shuffled: 3 }, times: 2, only: ({ type }) => type !== 'customer.created' })
    const expected = fake.events.filter(({ type }) => type !== 'customer.created' && type !== 'invoice.paid')
    assert.notDeepEqual(
      ids(),
      expected.flatMap(({ id }) => [id, id]),
    )
    assert.deepEqual(ids().sort(), expected.flatMap(({ id }) => [id, id]).sort())
    assert.deepEqual(
      (await fake.deliver()).map(({ event, status }) => [event.type, status]),
      [['customer.created', 200]],
    )
    const [again] = lost
    assert.ok(again)
    assert.equal((await fake.redeliver(again)).status, 200)
    assert.deepEqual(fake.pending, [])
    assert.equal((await stripe.events.list({ type: 'invoice.paid' })).data[0]?.id, again.id)
  })

  test('are sent by themselves when wished, as the object was at that moment', async () => {
    fake.sendTo({ url: url(), secrets: SECRETS }, { auto: true })
    const { id } = await createCustomer()
    await stripe.customers.update(id, { name: 'Ann' })
    await fake.settled()
    assert.deepEqual(
      received
        .map(({ body }) => JSON.parse(body))
        .map(({ type, data }) => [type, data.object.name, data.previous_attributes]),
      [
        ['customer.created', null, undefined],
        ['customer.updated', 'Ann', { name: null }],
      ],
    )
  })

  test('of any type and object can be made up', async () => {
    fake.sendTo({ url: url(), secrets: SECRETS })
    const event = fake.makeEvent('something.new', { id: 'x_1', object: 'x', customer: 'cus_foreign' })
    await fake.deliver()
    assert.deepEqual(ids(), [event.id])
  })
})
