import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import type { Tx } from '@stoa/kit/db/database.ts'
import { newId } from '@stoa/kit/ids.ts'
import { failOn } from '@stoa/tests/lib/fail-on.ts'
import { type MailAnswer, type MailClient, type MailService, startMail } from '@stoa/tests/lib/mail.ts'
import { plantAddress } from '../../hosting/addresses/testing/hosting.ts'
import type { Tables } from '../../tables.ts'
import { applyBilling, renewSubscriptions } from './subscriptions.ts'

let off: MailService
let on: MailService
let owner: MailClient
before(async () => {
  off = await startMail()
  on = await startMail({ env: { BILLING: 'on' } })
  owner = (await on.signUp()).client
})
after(() => Promise.all([off.close(), on.close()]))

const refused = (answer: MailAnswer, status: number, name: string, message?: RegExp): void => {
  assert.deepEqual([answer.status, answer.body?.name], [status, name], answer.text)
  if (message) assert.match(answer.body.message, message)
}
type PlanItem = { id: string; slug: string }
const plansOf = async (client: MailClient): Promise<PlanItem[]> => (await client.get('/api/plans')).body.data
const idOf = async (client: MailClient, slug: string): Promise<string> =>
  (await plansOf(client)).find((plan) => plan.slug === slug)?.id ?? assert.fail(slug)
const entitlementOf = async (client: MailClient) => (await client.get('/api/entitlement')).body
const planOf = async (client: MailClient): Promise<string> => (await entitlementOf(client)).plan.slug

describe('plans', () => {
  test('without billing are one without limits, which everybody is on', async () => {
    const { client } = await off.signUp()
    const { data, total } = (await client.get('/api/plans')).body
    assert.deepEqual([total, data[0].slug, data[0].price_cents], [1, 'unlimited', 0])
    assert.ok(Object.values(data[0].limits).every((limit) => limit === null))
    assert.ok(Object.values(data[0].features).every((has) => has === true))
    const { plan_id } = (await client.get('/api/auth/me')).body
    assert.equal(plan_id, data[0].id)
  })

  test('with billing are the four by position, with their documented limits', async () => {
    const { client } = await on.signUp()
    const { data } = (await client.get('/api/plans?sort=name&direction=desc')).body
    assert.deepEqual(
      data.map((plan: Record<string, unknown>) => [plan.slug, plan.position, plan.price_cents, plan.currency]),
      [
        ['free', 0, 0, 'eur'],
        ['starter', 1, 500, 'eur'],
        ['pro', 2, 1500, 'eur'],
        ['business', 3, 4900, 'eur'],
      ],
    )
    assert.deepEqual(data[1], {
      object: 'plan',
      id: data[1].id,
      slug: 'starter',
      name: 'Starter',
      description: data[1].description,
      position: 1,
      price_cents: 500,
      currency: 'eur',
      interval: 'month',
      trial_days: 0,
      limits: {
        domains: 3,
        addresses: 25,
        storage_bytes: 25 * 2 ** 30,
        aliases_per_address: 20,
        emails_per_day: 1_000,
        emails_per_month: 20_000,
        api_keys: 5,
        webhooks: 3,
        filters: 50,
        transfers: 2,
      },
      features: {
        sending_api: true,
        webhooks: true,
        catch_all: true,
        fallback_domain: false,
        dns_publish: false,
        tracking: false,
      },
    })
    assert.deepEqual([await planOf(client), await planOf(owner)], ['free', 'unlimited'])
    assert.equal((await client.get('/api/plans?search=starter')).body.total, 1)
    assert.deepEqual((await client.get('/api/plans?page=2')).body.data, [])
  })
})

/** One of each that counts, and one of each that does not. */
const plantUsed = async (
  tx: Tx<Tables>,
  { accountId, addressId, now }: { accountId: string; addressId: string; now: Date },
): Promise<void> => {
  const gone = await tx.selectFrom('domain').select('id').where('deleted_at', 'is not', null).executeTakeFirst()
  const key = { account_id: accountId, permission: 'sending_access', token_prefix: 'mk_', created_at: now } as const
  const keys = [null, ...(gone ? [gone.id] : [])].map((domain_id) => ({
    ...key,
    id: newId(),
    name: 'key',
    domain_id,
    token_hash: randomBytes(32),
  }))
  await tx.insertInto('api_key').values(keys).execute()
  const hook = { url: 'https://x.test/', events: ['email.sent'], secret_sealed: 'x', secret_hint: 'x' }
  const hooks = [accountId, newId()].map((owner) => ({ ...hook, owner, id: newId(), created_at: now, updated_at: now }))
  await tx.insertInto('webhook_endpoint').values(hooks).execute()
  const transfer = { account_id: accountId, address_id: addressId, host: 'x.test', port: 993, security: 'tls' } as const
  const states = [
    { status: 'queued', sealed_password: 'x', finished_at: null },
    { status: 'completed', sealed_password: null, finished_at: now },
  ] as const
  const transfers = states.map((state) => ({ ...transfer, ...state, id: newId() }))
  const times = { username: 'x', next_at: now, created_at: now }
  await tx
    .insertInto('transfer')
    .values(transfers.map((row) => ({ ...row, ...times })))
    .execute()
}

describe('the entitlement', () => {
  test('shows the plan and what is used of it, in three statements', async () => {
    const { client, id: accountId } = await on.signUp()
    const now = on.clock.now()
    const { id } = await plantAddress(on.database, 'a@entitled.test', { accountId, now })
    await plantAddress(on.database, 'b@entitled.test', { accountId, now })
    await client.post('/api/filters', { name: 'x', script: 'keep;' })
    await on.database.tx(async (tx) => {
      await tx.updateTable('mailbox').set({ used_bytes: 1_234 }).where('address_id', '=', id).execute()
      const day = now.toISOString().slice(0, 10)
      await tx.insertInto('sending_day').values({ account_id: accountId, day, recipients: 7 }).execute()
      await plantUsed(tx, { accountId, addressId: id, now })
    })
    const watch = on.database.watchStatements()
    const { usage, plan, subscription, limits, features, period_start, period_end } = await entitlementOf(client)
    watch.stop()
    assert.equal(watch.texts.length, 3)
    assert.deepEqual(usage, {
      domains: 1,
      addresses: 2,
      storage_bytes: 1_234,
      emails_today: 7,
      emails_month: 7,
      api_keys: 1,
      webhooks: 1,
      filters: 1,
      transfers_active: 1,
    })
    assert.deepEqual([plan.slug, subscription, limits, features], ['free', null, plan.limits, plan.features])
    assert.deepEqual([period_start, period_end], ['2026-03-01T00:00:00.000Z', '2026-04-01T00:00:00.000Z'])
    await client.send('DELETE', `/api/addresses/${id}`)
    const after = (await entitlementOf(client)).usage
    assert.deepEqual([after.addresses, after.storage_bytes], [1, 0])
  })
})

describe('a subscription', () => {
  test('to a plan without a price begins at once, and the same again is a conflict', async () => {
    const { client } = await on.signUp()
    const plan_id = await idOf(client, 'free')
    const answer = await client.post('/api/subscription', { plan_id })
    assert.equal(answer.status, 201)
    assert.deepEqual(answer.body, {
      object: 'subscription',
      id: answer.body.id,
      plan_id,
      status: 'active',
      cancel_at_period_end: false,
      current_period_start: '2026-03-01T12:00:00.000Z',
      current_period_end: '2026-04-01T12:00:00.000Z',
      trial_end: null,
      cancelled_at: null,
      ended_at: null,
      pending_plan_id: null,
      past_due_at: null,
      created_at: '2026-03-01T12:00:00.000Z',
    })
    refused(await client.post('/api/subscription', { plan_id }), 409, 'conflict')
    const { subscription, period_start } = await entitlementOf(client)
    assert.deepEqual([subscription, period_start], [answer.body, answer.body.current_period_start])
  })

  test('is cancelled at the end of its period, and goes on when it is asked for again before', async () => {
    const { client } = await on.signUp()
    refused(await client.post('/api/subscription/cancel'), 404, 'not_found')
    const plan_id = await idOf(client, 'free')
    const { id } = (await client.post('/api/subscription', { plan_id })).body
    const cancelled = await client.post('/api/subscription/cancel')
    assert.deepEqual(
      [cancelled.status, cancelled.body.id, cancelled.body.cancel_at_period_end, cancelled.body.status],
      [200, id, true, 'active'],
    )
    assert.equal(cancelled.body.cancelled_at, on.clock.now().toISOString())
    assert.deepEqual((await client.post('/api/subscription/cancel')).body, cancelled.body)
    const again = await client.post('/api/subscription', { plan_id })
    assert.deepEqual(
      [again.status, again.body.id, again.body.cancel_at_period_end, again.body.cancelled_at],
      [200, id, false, null],
    )
  })

  test('is renewed beside one that cannot be', async (t) => {
    const [bad, good] = [await on.signUp(), await on.signUp()]
    const plan_id = await idOf(good.client, 'free')
    for (const { client } of [bad, good]) await client.post('/api/subscription', { plan_id })
    const { database, config, parts } = on
    t.after(await failOn(database, 'update', 'subscription', `old.account_id = '${bad.id}'`))
    await renewSubscriptions({ database, config, log: parts.log, now: new Date('2026-04-01T12:00:00.000Z') })
    const startOf = async (client: typeof good.client) =>
      (await entitlementOf(client)).subscription.current_period_start
    assert.equal(await startOf(good.client), '2026-04-01T12:00:00.000Z')
    assert.notEqual(await startOf(bad.client), '2026-04-01T12:00:00.000Z')
  })

  test('ends or begins its next month when the period is over', async () => {
    const going = await on.signUp()
    const ending = await on.signUp()
    const plan_id = await idOf(going.client, 'free')
    for (const { client } of [going, ending]) await client.post('/api/subscription', { plan_id })
    await ending.client.post('/api/subscription/cancel')
    const {
      database,
      config,
      parts: { log },
    } = on
    const before = new Date('2026-04-01T11:59:59.999Z')
    await renewSubscriptions({ database, config, log, now: before })
    assert.notEqual((await entitlementOf(ending.client)).subscription, null)
    await renewSubscriptions({ database, config, log, now: new Date('2026-06-15T00:00:00.000Z') })
    const { subscription } = await entitlementOf(going.client)
    assert.deepEqual(
      [subscription.current_period_start, subscription.current_period_end, subscription.status],
      ['2026-06-01T12:00:00.000Z', '2026-07-01T12:00:00.000Z', 'active'],
    )
    assert.equal((await entitlementOf(ending.client)).subscription, null)
    const ended = await database.db
      .selectFrom('subscription')
      .select(['status', 'ended_at'])
      .where('account_id', '=', ending.id)
      .execute()
    assert.deepEqual(ended, [{ status: 'cancelled', ended_at: new Date('2026-04-01T12:00:00.000Z') }])
    refused(await ending.client.post('/api/subscription/cancel'), 404, 'not_found')
  })

  test('to a plan with a price leads to the checkout; to none, a hidden or an unknown one is refused', async () => {
    const { client } = await on.signUp()
    const priced = await client.post('/api/subscription', { plan_id: await idOf(client, 'pro') })
    refused(priced, 400, 'validation_error', /checkout/)
    refused(await client.post('/api/subscription', {}), 422, 'missing_required_field', /`plan_id`/)
    refused(await client.post('/api/subscription', { plan_id: 'pro' }), 400, 'validation_error')
    const hidden = (await off.signUp()).client
    refused(await client.post('/api/subscription', { plan_id: await idOf(hidden, 'unlimited') }), 404, 'not_found')
    refused(await client.post('/api/subscription', { plan_id: newId() }), 404, 'not_found')
    const free = await idOf(client, 'free')
    refused(await client.post('/api/subscription', { plan_id: free, payment_method_id: newId() }), 404, 'not_found')
    assert.equal((await entitlementOf(client)).subscription, null)
  })

  test('by many requests at the same moment is one', async () => {
    const { client, id } = await on.signUp()
    const plan_id = await idOf(client, 'free')
    const answers = await Promise.all(Array.from({ length: 6 }, () => client.post('/api/subscription', { plan_id })))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409, 409, 409])
    const rows = await on.database.db.selectFrom('subscription').selectAll().where('account_id', '=', id).execute()
    assert.equal(rows.length, 1)
  })

  test('of the owner leaves the instance without limits for them', async () => {
    await owner.post('/api/subscription', { plan_id: await idOf(owner, 'free') })
    assert.equal(await planOf(owner), 'unlimited')
  })

  test('exists without billing too', async () => {
    const { client } = await off.signUp()
    const plan_id = await idOf(client, 'unlimited')
    assert.equal((await client.post('/api/subscription', { plan_id })).status, 201)
    assert.equal(await planOf(client), 'unlimited')
  })
})

test('when BILLING is switched every account is on the plan that it should be on', async (context) => {
  const mail = await startMail()
  context.after(() => mail.close())
  const { client: first } = await mail.signUp()
  const { client: second, id } = await mail.signUp()
  const { database } = mail
  const plans = async () => [await planOf(first), await planOf(second)]
  const apply = (billing: 'on' | 'off') =>
    applyBilling({ database, config: { billing }, log: mail.parts.log }, on.clock.now())
  assert.equal(await apply('off'), 0)
  assert.deepEqual(await plans(), ['unlimited', 'unlimited'])
  assert.equal(await apply('on'), 1)
  assert.deepEqual(await plans(), ['unlimited', 'free'])
  const now = mail.clock.now()
  const row = { id: newId(), account_id: id, plan: 'pro', status: 'active', created_at: now } as const
  await database.tx((tx) =>
    tx
      .insertInto('subscription')
      .values({ ...row, current_period_start: now, current_period_end: now })
      .execute(),
  )
  await apply('on')
  assert.deepEqual(await plans(), ['unlimited', 'pro'])
  await apply('off')
  assert.deepEqual(await plans(), ['unlimited', 'unlimited'])
})

test('one account that cannot change its plan keeps neither the others from theirs nor the worker from starting', async (t) => {
  const off = await startMail()
  t.after(() => off.close())
  await off.signUp()
  const [bad, good] = [await off.signUp(), await off.signUp()]
  const undo = await failOn(off.database, 'update', 'account', `old.id = '${bad.id}'`)
  const plans = async () => {
    const rows = await off.database.db.selectFrom('account').select(['id', 'plan']).execute()
    return [bad, good].map((each) => rows.find(({ id }) => id === each.id)?.plan)
  }
  const env = { BILLING: 'on', MAIL_ROLES: 'worker' }
  const worker = await startMail({ databaseUrl: off.databaseUrl, env })
  t.after(() => worker.close())
  assert.deepEqual(await plans(), ['unlimited', 'free'])
  assert.ok(worker.logs.some((line) => line.includes(bad.id) && line.includes('a bad record')))
  await undo()
  await renewSubscriptions({ ...worker.parts, now: worker.clock.now() })
  assert.deepEqual(await plans(), ['free', 'free'])
})

describe('payments without a provider', () => {
  test('are not possible, and say so', async () => {
    const { client } = await on.signUp()
    assert.deepEqual((await client.get('/api/billing/provider')).body, {
      object: 'billing_provider',
      provider: null,
      configured: false,
      publishable_key: null,
      currency: 'eur',
    })
    const pro = await idOf(client, 'pro')
    refused(await client.post('/api/billing/checkout/subscription', { plan_id: pro }), 400, 'validation_error')
    refused(await client.post('/api/billing/checkout/subscription', {}), 422, 'missing_required_field')
    refused(await client.post('/api/billing/checkout/setup', {}), 400, 'validation_error')
    refused(await client.post('/api/billing/payment-methods', { reference: 'pm_1' }), 400, 'validation_error')
    for (const list of ['payment-methods', 'transactions']) {
      const { body } = await client.get(`/api/billing/${list}`)
      assert.deepEqual(body, { object: 'list', data: [], page: 1, per_page: 10, total: 0, pages: 1 })
    }
    for (const id of [newId(), 'x']) {
      refused(await client.post(`/api/billing/payment-methods/${id}/default`), 404, 'not_found')
      refused(await client.send('DELETE', `/api/billing/payment-methods/${id}`), 404, 'not_found')
      refused(await client.get(`/api/billing/transactions/${id}`), 404, 'not_found')
    }
  })

  test('and callbacks of one are refused, whatever they carry', async () => {
    for (const body of ['', '{}', '{bad', 'x'.repeat(300_000)]) {
      const headers = { 'stripe-signature': 't=1,v1=00', 'content-type': 'application/json' }
      refused(await on.client().post('/api/webhooks/payments', body, headers), 400, 'validation_error')
    }
    refused(await on.client().get('/api/webhooks/payments'), 405, 'method_not_allowed')
  })

  test('are read from any origin: their signature is what counts', async () => {
    const signed = { 'stripe-signature': 't=1,v1=00', 'content-type': 'application/json' }
    for (const from of [{ origin: 'https://payments.example' }, { 'sec-fetch-site': 'cross-site' }, { origin: 'null' }])
      refused(await on.client().post('/api/webhooks/payments', '{}', { ...signed, ...from }), 400, 'validation_error')
    const form = { ...signed, 'content-type': 'text/plain' }
    refused(await on.client().post('/api/webhooks/payments', '{}', form), 400, 'validation_error')
  })
})

describe('the tax id', () => {
  test('is kept with the type of its country, replaced and removed', async () => {
    const { client } = await on.signUp()
    const none = { object: 'tax_id', type: null, value: null, country: null, status: null }
    const put = (body: object) => client.send('PUT', '/api/billing/tax-id', { body })
    assert.deepEqual((await client.get('/api/billing/tax-id')).body, none)
    const cases = { de: 'eu_vat', GB: 'gb_vat', CH: 'ch_vat', NO: 'no_vat', US: 'us_ein', AU: 'au_abn', CA: 'ca_bn' }
    for (const [country, type] of Object.entries({ ...cases, IN: 'in_gst' })) {
      const expected = { object: 'tax_id', type, value: 'X1', country: country.toUpperCase(), status: 'unavailable' }
      assert.deepEqual((await put({ value: ' X1 ', country })).body, expected)
      assert.deepEqual((await client.get('/api/billing/tax-id')).body, expected)
    }
    assert.equal((await put({ value: 'X2', type: 'gb_vat', country: 'JP' })).body.type, 'gb_vat')
    assert.deepEqual((await put({ value: null })).body, none)
    assert.deepEqual((await client.get('/api/billing/tax-id')).body, none)
  })

  const bad: [string, object, number, string][] = [
    ['nothing', {}, 422, 'missing_required_field'],
    ['an empty value', { value: '', country: 'DE' }, 400, 'validation_error'],
    ['neither type nor country', { value: 'X' }, 400, 'validation_error'],
    ['a country without a type', { value: 'X', country: 'JP' }, 400, 'validation_error'],
    ['a country that is none', { value: 'X', country: 'DEU' }, 400, 'validation_error'],
    ['an unknown type', { value: 'X', type: 'xx_vat' }, 400, 'validation_error'],
  ]
  for (const [what, body, status, name] of bad)
    test(`with ${what} is refused as ${name} and the old one stays`, async () => {
      const { client } = await on.signUp()
      await client.send('PUT', '/api/billing/tax-id', { body: { value: 'OLD', country: 'DE' } })
      refused(await client.send('PUT', '/api/billing/tax-id', { body }), status, name)
      assert.equal((await client.get('/api/billing/tax-id')).body.value, 'OLD')
    })
})
