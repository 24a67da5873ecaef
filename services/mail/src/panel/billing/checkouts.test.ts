import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import {
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

const checkout = ({ client }: Payer, body: object) => client.post('/api/billing/checkout/subscription', body)
const setup = ({ client }: Payer, body: object = {}) => client.post('/api/billing/checkout/setup', body)
const session = (id: string) => sessionOf(ground.stripe, id)
const isOpening = ({ method, path }: { method: string; path: string }) =>
  method === 'POST' && path === '/v1/checkout/sessions'
const isCreating = ({ method, path }: { method: string; path: string }) => method === 'POST' && path === '/v1/customers'
const DAY_MS = 86_400_000

describe('a checkout for a subscription', () => {
  test('has our own id in its addresses, is open for a day, and gives the plan once it is paid', async () => {
    const payer = await ground.payer()
    const body = ok(await checkout(payer, { plan_id: PRO }), 201)
    const { url, id, success_url, cancel_url, client_reference_id } = session(body.id)
    const expires_at = new Date(ground.mail.clock.now().getTime() + DAY_MS).toISOString()
    assert.deepEqual(body, { object: 'checkout_session', id: body.id, mode: 'subscription', url, expires_at })
    assert.equal(success_url, `http://mail.test/billing/return?plan=${PRO}&checkout=${body.id}`)
    assert.equal(cancel_url, `http://mail.test/billing?checkout=${body.id}`)
    assert.deepEqual(
      [client_reference_id, String(body.url).includes(body.id), success_url.includes(id)],
      [payer.id, false, false],
    )
    ground.stripe.completeCheckout(id)
    refused(await checkout(payer, { plan_id: PRO }), 409, 'conflict', /POST \/api\/subscription/)
    assert.equal((await standing(payer)).plan, 'pro')
    assert.deepEqual(ground.takenFrom(payer), [1_500])
  })

  test('is given again for the same plan, also to two tabs at once', async () => {
    const payer = await ground.payer()
    const answers = await Promise.all([PRO, PRO, PRO].map((plan_id) => checkout(payer, { plan_id })))
    const [first] = answers.map((answer) => ok(answer, 201))
    for (const { body } of answers) assert.deepEqual(body, first)
    assert.equal(ground.stripe.customers().filter(({ metadata }) => metadata.account_id === payer.id).length, 1)
  })

  test('closes the one for another plan, and the one that returns elsewhere', async () => {
    const payer = await ground.payer()
    const first = ok(await checkout(payer, { plan_id: PRO }), 201)
    const second = ok(await checkout(payer, { plan_id: STARTER }), 201)
    const third = ok(await checkout(payer, { plan_id: STARTER, success_url: 'http://mail.test/elsewhere' }), 201)
    assert.deepEqual(
      [first, second, third].map(({ id }) => session(id).status),
      ['expired', 'expired', 'open'],
    )
    assert.equal(session(third.id).success_url, `http://mail.test/elsewhere?checkout=${third.id}`)
  })

  test('is a new one after a day', async () => {
    const payer = await ground.payer()
    const first = ok(await checkout(payer, { plan_id: PRO }), 201)
    ground.mail.clock.advance(DAY_MS)
    assert.notEqual(ok(await checkout(payer, { plan_id: PRO }), 201).id, first.id)
  })

  test('that was paid while another plan is asked for is found, and not paid for twice', async () => {
    const payer = await ground.payer()
    const first = ok(await checkout(payer, { plan_id: PRO }), 201)
    ground.stripe.completeCheckout(session(first.id).id)
    refused(await checkout(payer, { plan_id: STARTER }), 409, 'conflict')
    assert.deepEqual([(await standing(payer)).plan, ground.takenFrom(payer)], ['pro', [1_500]])
  })

  test('is not for a free, hidden or unknown plan, and believes no price of the body', async () => {
    const payer = await ground.payer()
    refused(await checkout(payer, { plan_id: FREE }), 400, 'validation_error')
    refused(await checkout(payer, { plan_id: UNLIMITED }), 404, 'not_found')
    refused(await checkout(payer, { plan_id: newId() }), 404, 'not_found')
    refused(await checkout(payer, {}), 422, 'missing_required_field')
    const tampered = {
      plan_id: PRO,
      price: 'price_1',
      price_cents: 1,
      trial_days: 99,
      mode: 'setup',
      customer: 'cus_1',
    }
    const { id } = ok(await checkout(payer, tampered), 201)
    ground.stripe.completeCheckout(session(id).id)
    assert.deepEqual(ground.takenFrom(payer), [1_500])
  })

  for (const member of ['success_url', 'cancel_url'])
    test(`never returns to another origin by ${member}`, async () => {
      const payer = await ground.payer()
      for (const url of ['https://evil.test/', '//evil.test/', 'http://mail.test@evil.test/', 'http://mail.test:81/']) {
        refused(await checkout(payer, { plan_id: PRO, [member]: url }), 400, 'validation_error', new RegExp(member))
        refused(await setup(payer, { [member]: url }), 400, 'validation_error', new RegExp(member))
      }
      refused(await setup(payer, { [member]: 7 }), 400, 'validation_error')
      assert.equal(ground.customerOf(payer), '')
    })

  test('is 503 while the provider is down, and one afterwards', async () => {
    const payer = await ground.payer()
    ground.stripe.fail({ match: isOpening, status: 503, times: 2 })
    const answer = await checkout(payer, { plan_id: PRO })
    refused(answer, 503, 'service_unavailable')
    assert.notEqual(answer.headers.get('retry-after'), null)
    ground.mail.clock.advance(121_000)
    ok(await checkout(payer, { plan_id: PRO }), 201)
    const open = ground.stripe.sessions().filter(({ customer }) => customer === ground.customerOf(payer))
    assert.equal(open.length, 1)
  })

  test('that was opened and not answered is the same one when it is asked for again', async () => {
    const payer = await ground.payer()
    ground.stripe.fail({ match: isOpening, cut: 'after', times: 2 })
    refused(await checkout(payer, { plan_id: PRO }), 503, 'service_unavailable')
    ok(await checkout(payer, { plan_id: PRO }), 201)
    const all = ground.stripe.sessions().filter(({ customer }) => customer === ground.customerOf(payer))
    assert.equal(all.length, 1)
  })
})

describe('the customer of an account', () => {
  test('is made where the provider cannot search, too', async () => {
    const payer = await ground.payer()
    ground.stripe.fail({ match: ({ path }) => path === '/v1/customers/search', status: 400 })
    ok(await setup(payer), 201)
    assert.notEqual(ground.customerOf(payer), '')
  })

  test('whose creation was not answered is found again by its key', async () => {
    const payer = await ground.payer()
    ground.stripe.fail({ match: isCreating, cut: 'after', times: 2 })
    refused(await setup(payer), 503, 'service_unavailable')
    ok(await setup(payer), 201)
    assert.equal(ground.stripe.customers().filter(({ metadata }) => metadata.account_id === payer.id).length, 1)
  })

  test('whose creation was not answered is found again after the key was forgotten', async () => {
    const payer = await ground.payer()
    ground.stripe.fail({ match: isCreating, cut: 'after', times: 2 })
    refused(await setup(payer), 503, 'service_unavailable')
    ground.mail.clock.advance(2 * DAY_MS)
    ok(await setup(payer), 201)
    assert.equal(ground.stripe.customers().filter(({ metadata }) => metadata.account_id === payer.id).length, 1)
  })
})

describe('a payment method', () => {
  const list = async ({ client }: Payer, query = '') => ok(await client.get(`/api/billing/payment-methods${query}`))
  const record = ({ client }: Payer, body: object) => client.post('/api/billing/payment-methods', body)
  const remove = ({ client }: Payer, id: string) => client.send('DELETE', `/api/billing/payment-methods/${id}`)
  const makeDefault = ({ client }: Payer, id: string) => client.post(`/api/billing/payment-methods/${id}/default`)

  test('is added on a checkout, recorded once, and shown without its reference', async () => {
    const payer = await ground.payer()
    const { id, mode } = ok(await setup(payer), 201)
    assert.equal(mode, 'setup')
    refused(await record(payer, { checkout_session_id: id }), 400, 'validation_error', /isn't complete/)
    ground.stripe.completeCheckout(session(id).id, 'mastercard')
    const answer = await record(payer, { checkout_session_id: id })
    const body = ok(answer, 201)
    assert.deepEqual(
      [body.object, body.type, body.brand, body.last4, body.exp_month, body.is_default],
      ['payment_method', 'card', 'mastercard', '4444', 12, true],
    )
    assert.doesNotMatch(answer.text, /pm_/)
    assert.deepEqual(ok(await record(payer, { checkout_session_id: id }), 201), body)
    assert.deepEqual((await list(payer)).data, [body])
  })

  test('is recorded by its reference; the first is the default, a second is not', async () => {
    const payer = await ground.payer()
    const first = ok(await record(payer, { reference: 'pm_card_visa' }), 201)
    const second = ok(await record(payer, { reference: 'pm_card_mastercard' }), 201)
    assert.deepEqual([first.is_default, second.is_default], [true, false])
    assert.equal((await list(payer, '?per_page=10&page=1&direction=asc&search=MASTER')).total, 1)
    assert.deepEqual((await list(payer, '?page=2')).data, [])
  })

  test('of another customer, or that nobody has, is refused and attached to nobody', async () => {
    const [ada, bob] = [await ground.withCard(), await ground.payer()]
    const rows = await ground.mail.database.db
      .selectFrom('payment_method')
      .selectAll()
      .where('account_id', '=', ada.id)
      .execute()
    for (const reference of [
      rows[0]?.reference ?? '',
      'pm_unknown',
      'pm_x/../../customers',
      '../customers',
      'pm_1?a=b',
    ])
      refused(await record(bob, { reference }), 400, 'validation_error', /`reference`/)
    refused(await record(bob, { reference: 'pm_card_chargeDeclined' }), 400, 'validation_error')
    assert.deepEqual([(await list(bob)).total, (await list(ada)).total], [0, 1])
  })

  test('of the checkout of another account, of one for a subscription, and of none is 404', async () => {
    const [ada, bob] = [await ground.payer(), await ground.withCard()]
    const theirs = ok(await setup(ada), 201)
    ground.stripe.completeCheckout(session(theirs.id).id)
    const plan = ok(await checkout(bob, { plan_id: PRO }), 201)
    ground.stripe.completeCheckout(session(plan.id).id)
    for (const checkout_session_id of [theirs.id, plan.id, newId()])
      refused(await record(bob, { checkout_session_id }), 404, 'not_found')
    refused(await record(bob, { checkout_session_id: session(theirs.id).id }), 400, 'validation_error')
    refused(await record(bob, {}), 422, 'missing_required_field')
    refused(await record(bob, { reference: 'pm_card_visa', checkout_session_id: theirs.id }), 400, 'validation_error')
    assert.equal((await list(ada)).total, 0)
  })

  test('that is the default stays while a subscription is paid with it, and goes without one', async () => {
    const payer = await ground.subscriber('starter')
    const first = (await list(payer)).data[0]
    refused(await remove(payer, first.id), 409, 'conflict')
    const second = ok(await record(payer, { reference: 'pm_card_mastercard' }), 201)
    assert.equal(ok(await makeDefault(payer, second.id)).is_default, true)
    refused(await remove(payer, second.id), 409, 'conflict')
    assert.deepEqual(ok(await remove(payer, first.id)), { object: 'payment_method', id: first.id, deleted: true })
    refused(await remove(payer, first.id), 404, 'not_found')
    const { data } = await list(payer)
    assert.deepEqual(
      data.map(({ id, is_default }: { id: string; is_default: boolean }) => [id, is_default]),
      [[second.id, true]],
    )
    const free = await ground.withCard()
    ok(await remove(free, (await list(free)).data[0].id))
    assert.deepEqual((await list(free)).data, [])
  })

  test('of another account is 404 for every verb and stays as it was', async () => {
    const [ada, bob] = [await ground.withCard(), await ground.withCard()]
    const before = await list(ada)
    const { id } = before.data[0]
    refused(await remove(bob, id), 404, 'not_found')
    refused(await makeDefault(bob, id), 404, 'not_found')
    assert.deepEqual(await list(ada), before)
  })
})
