import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { PASSWORD, startMail } from '@stoa/tests/lib/mail.ts'
import { ok, type Payer, type PayingGround, refused, standing as standingOf, startPaying } from '../testing/paying.ts'
import { runDunning } from './entitlement.ts'
import { createBillingWorker, sweep } from './worker.ts'

const PATH = '/api/webhooks/payments'

let ground: PayingGround
before(async () => {
  ground = await startPaying({ STRIPE_WEBHOOK_SECRET: 'whsec_old,whsec_new' })
  ground.stripe.sendTo({ url: `${ground.mail.url}${PATH}`, secrets: ['whsec_new'] })
})
after(() => ground.close())

const payments = () => ground.mail.parts.payments ?? assert.fail('there is no provider')
const parts = () => ({ ...ground.mail.parts, payments: payments() })
const work = () => createBillingWorker(parts()).runDue()
const post = (body: string | Buffer, signature?: string) =>
  ground.mail.client().send('POST', PATH, {
    body,
    headers: { 'content-type': 'application/json', ...(signature !== undefined && { 'stripe-signature': signature }) },
  })
const dueOf = async ({ id }: Payer): Promise<Date | null | undefined> =>
  (
    await ground.mail.database.db
      .selectFrom('billing_customer')
      .select('sync_due_at')
      .where('account_id', '=', id)
      .executeTakeFirst()
  )?.sync_due_at
const stored = async (): Promise<string[]> =>
  (await ground.mail.database.db.selectFrom('payment_event').select('id').orderBy('id').execute()).map(({ id }) => id)
const cardOf = (payer: Payer): string => {
  const customer = ground.stripe.customers().find(({ id }) => id === ground.customerOf(payer))
  const method = customer?.invoice_settings.default_payment_method
  return typeof method === 'string' ? method : assert.fail('there is no default method')
}
/** With a new session: months pass. */
const signedIn = async (payer: Payer): Promise<Payer> => ({
  ...payer,
  client: ground.mail.client({ cookie: await ground.mail.openSession(payer.id) }),
})
const standing = async (payer: Payer) => standingOf(await signedIn(payer))
const transactionsOf = async (payer: Payer): Promise<string[]> => {
  const { client } = await signedIn(payer)
  return ok(await client.get('/api/billing/transactions')).data.map(
    ({ type, status, amount_cents }: Record<string, unknown>) => `${type} ${status} ${amount_cents}`,
  )
}
const alertsOf = async (payer: Payer): Promise<string[]> => {
  const { client } = await signedIn(payer)
  return ok(await client.get('/api/overview')).alerts.map(({ code }: { code: string }) => code)
}

describe('a callback of the provider', () => {
  test('that is not signed, or signed wrongly, or long ago, changes nothing', async () => {
    const payer = await ground.subscriber('starter')
    await work()
    ground.stripe.lose()
    const customer = ground.customerOf(payer)
    const event = ground.stripe.makeEvent('customer.updated', { id: customer, object: 'customer' })
    const body = ground.stripe.payload(event)
    const before = [await stored(), await dueOf(payer)]
    const ago = (seconds: number) => new Date(ground.mail.clock.now().getTime() - seconds * 1_000)
    refused(await post(body), 400, 'validation_error', /missing/)
    for (const signature of [
      '',
      't=1,v1=00',
      ground.stripe.sign(body, { secrets: ['whsec_foreign'] }),
      ground.stripe.sign(body, { at: ago(301) }),
      ground.stripe.sign(`${body} `),
      ground.stripe.sign(body).replace('v1=', 'v0='),
    ])
      refused(await post(body, signature), 400, 'validation_error')
    const signature = ground.stripe.sign(body)
    refused(await post(body.slice(0, -10), signature), 400, 'validation_error')
    refused(await post(JSON.stringify(JSON.parse(body)), signature), 400, 'validation_error')
    refused(await post('', ground.stripe.sign('')), 400, 'validation_error')
    refused(await post('nonsense', ground.stripe.sign('nonsense')), 400, 'validation_error')
    assert.deepEqual([await stored(), await dueOf(payer)], before)
    ground.stripe.lose()
  })

  test('is bounded: a body that is too long is refused and not stored', async () => {
    const before = await stored()
    const body = JSON.stringify({ id: 'evt_long', type: 'x', data: { object: { pad: 'x'.repeat(300_000) } } })
    refused(await post(body, ground.stripe.sign(body)), 413, 'quota_exceeded')
    assert.deepEqual(await stored(), before)
  })

  test('is taken once, with any of the secrets, and has its customer read', async () => {
    const payer = await ground.subscriber('starter')
    await work()
    ground.stripe.lose()
    const customer = { id: ground.customerOf(payer), object: 'customer' }
    for (const secret of ['whsec_old', 'whsec_new']) {
      const body = ground.stripe.payload(ground.stripe.makeEvent('customer.updated', customer))
      const signature = ground.stripe.sign(body, { secrets: [secret] })
      const answers = await Promise.all([post(body, signature), post(body, signature)])
      for (const { status, body: answer } of answers) assert.deepEqual([status, answer], [200, { received: true }])
      assert.ok(await dueOf(payer))
      await work()
      // A duplicate has nothing read again.
      assert.equal((await post(body, signature)).status, 200)
      assert.equal(await dueOf(payer), null)
    }
    ground.stripe.lose()
  })

  test('of unknown customers and types is answered with 200, and nothing follows', async () => {
    const payer = await ground.subscriber('starter')
    await work()
    ground.stripe.lose()
    const before = await standing(payer)
    ground.stripe.makeEvent('customer.updated', { id: 'cus_foreign', object: 'customer' })
    ground.stripe.makeEvent('invoice.paid', { id: 'in_foreign', object: 'invoice', customer: 'cus_foreign' })
    ground.stripe.makeEvent('something.new', { id: 'x_1', object: 'thing' })
    for (const { status } of await ground.stripe.deliver()) assert.equal(status, 200)
    const read = ground.stripe.requests.length
    await work()
    assert.deepEqual([await standing(payer), ground.stripe.requests.length], [before, read])
  })

  test('is not trusted: plan and amount are read from the provider', async () => {
    const payer = await ground.subscriber('starter')
    await work()
    ground.stripe.lose()
    const before = [await standing(payer), await transactionsOf(payer)]
    const [running] = ground.runningOf(payer)
    const lie = structuredClone({ ...running, status: 'canceled', ended_at: 1, cancel_at_period_end: true })
    ground.stripe.makeEvent('customer.subscription.deleted', lie)
    const paid = { id: 'in_lie', object: 'invoice', customer: ground.customerOf(payer), amount_paid: 1, status: 'paid' }
    ground.stripe.makeEvent('invoice.paid', paid)
    await ground.stripe.deliver()
    await work()
    assert.deepEqual([await standing(payer), await transactionsOf(payer)], before)
  })
})

test('a callback of one customer changes nothing of the account that it names besides', async () => {
  const [mine, other] = [await ground.subscriber('starter'), await ground.subscriber('pro')]
  await work()
  ground.stripe.lose()
  const [theirs] = ground.runningOf(other)
  const forged = structuredClone({ ...theirs, customer: ground.customerOf(mine), metadata: { account_id: other.id } })
  const before = [await standing(mine), await standing(other)]
  const read = ground.stripe.requests.length
  ground.stripe.makeEvent('customer.subscription.deleted', { ...forged, status: 'canceled' })
  await ground.stripe.deliver()
  await work()
  assert.deepEqual([await standing(mine), await standing(other)], before)
  const asked = ground.stripe.requests.slice(read)
  assert.ok(asked.length > 0)
  assert.ok(!asked.some(({ path, params }) => `${path} ${params.customer}`.includes(ground.customerOf(other))))
})

describe('what happens at the provider', () => {
  const ways: [string, () => Promise<unknown>][] = [
    ['in order', () => ground.stripe.deliver()],
    ['backwards and twice', () => ground.stripe.deliver({ order: 'backwards', times: 2 })],
    [
      'lost, so that the daily sweep finds it',
      async () => {
        ground.stripe.lose()
        await sweep(parts())
      },
    ],
  ]
  for (const [way, trigger] of ways)
    test(`is here when its callbacks come ${way}: renewal, failed payment, payment`, async () => {
      const receive = async () => {
        await trigger()
        await work()
      }
      const payer = await ground.subscriber('starter')
      ground.pass(32)
      await receive()
      assert.deepEqual(await transactionsOf(payer), ['charge paid 500', 'charge paid 500'])
      ground.stripe.setDecline(cardOf(payer), 'generic_decline')
      ground.pass(31)
      await receive()
      const late = await standing(payer)
      assert.deepEqual([late.plan, late.subscription.status], ['starter', 'past_due'])
      assert.notEqual(late.subscription.past_due_at, null)
      ground.stripe.setDecline(cardOf(payer), null)
      ground.pass(4)
      await receive()
      const paid = await standing(payer)
      assert.deepEqual(
        [paid.plan, paid.subscription.status, paid.subscription.past_due_at],
        ['starter', 'active', null],
      )
      assert.deepEqual(
        await transactionsOf(payer),
        Array.from({ length: 3 }, () => 'charge paid 500'),
      )
      const sum = ground.takenFrom(payer).reduce((total, amount) => total + amount, 0)
      assert.equal(sum, 1_500)
    })

  test('never paid, it is cancelled there and follows the clock here, until the old invoice is paid', async () => {
    const payer = await ground.subscriber('pro')
    ground.stripe.setDecline(cardOf(payer), 'generic_decline')
    ground.pass(32)
    await ground.stripe.deliver()
    await work()
    const { subscription } = await standing(payer)
    assert.equal(subscription.status, 'past_due')
    ground.pass(20)
    await ground.stripe.deliver()
    await work()
    await runDunning(parts())
    assert.deepEqual(ground.runningOf(payer), [])
    assert.equal((await standing(payer)).plan, 'pro')
    assert.ok((await alertsOf(payer)).includes('sending_stopped'))
    ground.pass(30)
    await runDunning(parts())
    assert.equal((await standing(payer)).plan, 'free')
    assert.ok((await alertsOf(payer)).includes('limits_lowered'))
  })
})

test('with BILLING switched off callbacks are refused and everybody is unlimited; on again, plans are as paid', async (context) => {
  const payer = await ground.subscriber('starter')
  const env = {
    STRIPE_SECRET_KEY: ground.stripe.secretKey,
    STRIPE_API_BASE: ground.stripe.url,
    MAIL_ROLES: 'http,worker',
  }
  const plan = async () => (await standing(payer)).plan
  const off = await startMail({ env, databaseUrl: ground.mail.databaseUrl })
  context.after(() => off.close())
  assert.equal(await plan(), 'unlimited')
  const body = ground.stripe.payload(ground.stripe.makeEvent('invoice.paid', { id: 'in_1', object: 'invoice' }))
  const headers = { 'stripe-signature': ground.stripe.sign(body) }
  refused(await off.client().send('POST', PATH, { body, headers }), 400, 'validation_error', /provider/)
  const on = await startMail({ env: { ...env, BILLING: 'on' }, databaseUrl: ground.mail.databaseUrl })
  context.after(() => on.close())
  assert.equal(await plan(), 'starter')
  ground.stripe.lose()
})

test('without the key of the provider, the log says that deleted accounts may still be charged', async (context) => {
  const leaver = await ground.subscriber('starter')
  const { status } = await leaver.client.send('DELETE', '/api/account', { body: { password: PASSWORD } })
  assert.equal(status, 200)
  const without = await startMail({ env: { MAIL_ROLES: 'worker' }, databaseUrl: ground.mail.databaseUrl })
  context.after(() => without.close())
  assert.ok(without.logs.some((line) => line.includes('may still be charged')))
})
