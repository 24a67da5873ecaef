import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { ok, type Payer, type PayingGround, PRO, refused, STARTER, startPaying } from './testing/paying.ts'

let ground: PayingGround
before(async () => {
  ground = await startPaying()
})
after(() => ground.close())

type Item = { id: string; amount_cents: number; status: string }

test('the provider is named with its publishable key and its currency', async () => {
  const { client } = await ground.payer()
  assert.deepEqual(ok(await client.get('/api/billing/provider')), {
    object: 'billing_provider',
    provider: 'stripe',
    configured: true,
    publishable_key: 'pk_test_fake',
    currency: 'eur',
  })
})

describe('transactions', () => {
  test('are what was charged, newest first, sorted as asked, and each can be read', async () => {
    const payer = await ground.subscriber('starter')
    ground.mail.clock.advance(60_000)
    ok(await payer.client.post('/api/subscription', { plan_id: PRO }))
    const list = async (query = '') => ok(await payer.client.get(`/api/billing/transactions${query}`))
    const { data, total } = await list()
    assert.equal(total, 2)
    assert.deepEqual(data.map(({ amount_cents }: Item) => amount_cents).toSorted(), ground.takenFrom(payer).toSorted())
    const [newest] = data
    assert.deepEqual(
      [newest.object, newest.type, newest.status, newest.currency, newest.tax_cents],
      ['transaction', 'charge', 'paid', 'eur', 0],
    )
    assert.notEqual(newest.invoice_url, null)
    assert.deepEqual(ok(await payer.client.get(`/api/billing/transactions/${newest.id}`)), newest)
    const amounts = async (query: string) => (await list(query)).data.map(({ amount_cents }: Item) => amount_cents)
    const ascending = await amounts('?sort=amount_cents&direction=asc')
    assert.deepEqual(await amounts('?sort=amount_cents'), ascending.toReversed())
    assert.equal((await list(`?search=${newest.number}`)).total, 1)
    assert.deepEqual((await list('?page=2')).data, [])
  })

  test('of another account are 404', async () => {
    const [ada, bob] = [await ground.subscriber('starter'), await ground.payer()]
    const [{ id }] = ok(await ada.client.get('/api/billing/transactions')).data
    refused(await bob.client.get(`/api/billing/transactions/${id}`), 404, 'not_found')
    assert.deepEqual(ok(await bob.client.get('/api/billing/transactions')).data, [])
  })
})

describe('the tax id at the provider', () => {
  const put = ({ client }: Payer, body: object) => client.send('PUT', '/api/billing/tax-id', { body })
  const NONE = { object: 'tax_id', type: null, value: null, country: null, status: null }

  test('is verified there, replaced, and removed', async () => {
    const payer = await ground.payer()
    const german = { value: 'DE123456789', country: 'DE' }
    const first = ok(await put(payer, german))
    assert.deepEqual(first, { object: 'tax_id', type: 'eu_vat', ...german, status: 'pending' })
    const { reference } = await ground.mail.database.db
      .selectFrom('tax_id')
      .select('reference')
      .where('account_id', '=', payer.id)
      .executeTakeFirstOrThrow()
    ground.stripe.verifyTaxId(reference ?? '', 'verified')
    assert.deepEqual(ok(await put(payer, german)), { ...first, status: 'verified' })
    assert.equal(ok(await put(payer, { value: 'GB123456789', country: 'GB' })).type, 'gb_vat')
    assert.deepEqual(ok(await put(payer, { value: null })), NONE)
    assert.deepEqual(ok(await put(payer, german)), first)
    assert.deepEqual(ok(await payer.client.get('/api/billing/tax-id')), first)
  })

  test('that the provider does not take is 400, and the old one stays', async () => {
    const payer = await ground.payer()
    const first = ok(await put(payer, { value: 'DE123456789', country: 'DE' }))
    refused(await put(payer, { value: 'nonsense', country: 'DE' }), 400, 'validation_error', /`value`/)
    assert.deepEqual(ok(await payer.client.get('/api/billing/tax-id')), first)
  })

  test('of nobody can be removed without making a customer', async () => {
    const payer = await ground.payer()
    assert.deepEqual(ok(await put(payer, { value: null })), NONE)
    assert.equal(ground.customerOf(payer), '')
  })

  test('is 503 while the provider is down, and unchanged', async () => {
    const payer = await ground.payer()
    ok(await put(payer, { value: 'DE123456789', country: 'DE' }))
    ground.stripe.fail({ status: 500, times: 2 })
    refused(await put(payer, { value: null }), 503, 'service_unavailable')
    assert.equal(ok(await payer.client.get('/api/billing/tax-id')).value, 'DE123456789')
  })
})

describe('the subscriptions of the instance', () => {
  test('are all listed for the owner with what they bring in, and 403 for others', async () => {
    const list = async (query = '') => ok(await ground.owner.client.get(`/api/instance/subscriptions${query}`))
    const before = (await list()).totals
    const ada = await ground.subscriber('pro')
    const bob = await ground.subscriber('starter')
    ok(await bob.client.post('/api/subscription/cancel'))
    const { data, totals } = await list('?per_page=100')
    assert.deepEqual(totals, {
      active: before.active + 2,
      past_due: 0,
      monthly_cents: before.monthly_cents + 2_000,
      currency: 'eur',
    })
    const mine = data.find(({ email }: { email: string }) => email === ada.email)
    assert.deepEqual(
      [mine.object, mine.account_id, mine.plan_id, mine.price_cents, mine.currency, mine.status],
      ['subscription', ada.id, PRO, 1_500, 'eur', 'active'],
    )
    const found = await list(`?search=${bob.email.toUpperCase()}`)
    assert.deepEqual([found.total, found.data[0].plan_id, found.data[0].cancel_at_period_end], [1, STARTER, true])
    const emails = (await list('?sort=email&direction=asc&per_page=100')).data.map(
      ({ email }: { email: string }) => email,
    )
    assert.deepEqual(emails, emails.toSorted())
    refused(await ada.client.get('/api/instance/subscriptions'), 403, 'forbidden')
    refused(await ground.mail.client().get('/api/instance/subscriptions'), 401, 'unauthorized')
  })
})
