import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { PASSWORD } from '@stoa/tests/lib/mail.ts'
import { daysAfter } from '../../../hosting/plans/past-due.ts'
import { purgeAccounts } from '../../accounts/upkeep.ts'
import { ok, type Payer, PRO, sessionOf } from '../testing/paying.ts'
import { creditReferrals } from './credits.ts'
import { expectChange, requestSync } from './sync.ts'
import { type BillingGround, type Customer, startBillingGround } from './testing/ground.ts'
import { createBillingWorker, sweep } from './worker.ts'

let ground: BillingGround
before(async () => {
  ground = await startBillingGround({ REFERRAL_CREDIT_CENTS: '700' })
})
after(() => ground.close())

const now = () => ground.mail.clock.now()
const wait = (days: number) => ground.mail.clock.set(daysAfter(now(), days))
const MINUTE = 1 / 1_440
const ask = ({ reference }: Customer) => ground.mail.database.tx((tx) => requestSync(tx, { reference }, now()))
/** What two processes would do with all that is due. */
const work = () => Promise.all([1, 2].map(() => createBillingWorker(ground.parts).runDue()))
/** The provider refuses what matches, until it is mended. */
const breakDown = (match: (path: string) => boolean): { mend: () => void } => {
  let isDown = true
  ground.stripe.fail({ match: ({ path }) => isDown && match(path), status: 429, times: Number.POSITIVE_INFINITY })
  return {
    mend: () => {
      isDown = false
    },
  }
}

describe('the queue of customers', () => {
  test('reads each that is due once, and leaves the others alone', async () => {
    const [one, two, idle] = [await ground.customer(), await ground.customer(), await ground.customer()]
    for (const customer of [one, two, two]) await ask(customer)
    ground.takeReadings()
    await work()
    assert.deepEqual(ground.takeReadings().sort(), [one.reference, two.reference].sort())
    assert.deepEqual([(await ground.row(one))?.sync_due_at, (await ground.row(idle))?.sync_due_at], [null, null])
  })

  test('tries one that fails again later and later, and goes on with the others', async () => {
    const [bad, good] = [await ground.customer(), await ground.subscribed('starter')]
    const { mend } = breakDown((path) => path.includes(bad.reference))
    for (const customer of [bad, good]) await ask(customer)
    await work()
    assert.equal(await ground.planOf(good), 'starter')
    const waits: number[] = []
    for (let tried = 0; tried < 7; tried += 1) {
      const row = await ground.row(bad)
      assert.equal(row?.sync_attempts, tried + 1)
      assert.match(row?.sync_error ?? '', /429/)
      waits.push((row?.sync_due_at?.getTime() ?? 0) - now().getTime())
      ground.mail.clock.set(row?.sync_due_at ?? now())
      await work()
    }
    assert.deepEqual(
      waits,
      waits.toSorted((a, b) => a - b),
    )
    assert.equal(waits.at(-1), 3_600_000)
    mend()
    ground.mail.clock.set((await ground.row(bad))?.sync_due_at ?? now())
    await work()
    assert.deepEqual(await ground.row(bad), { sync_due_at: null, sync_attempts: 0, sync_error: null })
  })

  test('reads a customer soon whose change was begun by a process that is gone', async () => {
    const customer = await ground.customer()
    await expectChange(ground.parts, customer.id)
    ground.takeReadings()
    await work()
    assert.deepEqual(ground.takeReadings(), [])
    wait(2 * MINUTE)
    await work()
    assert.deepEqual(ground.takeReadings(), [customer.reference])
  })

  test('stops at once while the provider is slow, and leaves the customer to another process', async () => {
    const customer = await ground.customer()
    await ask(customer)
    const { begun, letGo } = ground.holdReading(customer)
    const worker = createBillingWorker(ground.parts)
    worker.start()
    await begun
    await worker.stop(10)
    assert.deepEqual((await ground.row(customer))?.sync_due_at, now())
    ground.takeReadings()
    await work()
    assert.equal(ground.takeReadings().filter((each) => each === customer.reference).length, 1)
    letGo()
  })

  test('holds every customer once a day, and forgets events after a month', async () => {
    const customers = [await ground.customer(), await ground.customer()]
    for (const customer of customers) await ground.sync(customer)
    const event = { type: 'invoice.paid', customer: null }
    await ground.mail.database.tx((tx) =>
      tx
        .insertInto('payment_event')
        .values([
          { ...event, id: 'evt_old', received_at: daysAfter(now(), -31) },
          { ...event, id: 'evt_new', received_at: daysAfter(now(), -20) },
        ])
        .execute(),
    )
    await sweep(ground.parts)
    await work()
    ground.takeReadings()
    await sweep(ground.parts)
    await work()
    assert.deepEqual(ground.takeReadings(), [])
    wait(1.01)
    await sweep(ground.parts)
    await work()
    const read = ground.takeReadings()
    for (const { reference } of customers) assert.equal(read.filter((each) => each === reference).length, 1)
    const events = await ground.mail.database.db.selectFrom('payment_event').select('id').execute()
    assert.deepEqual(events, [{ id: 'evt_new' }])
  })
})

describe('an account that is deleted', () => {
  const remove = async ({ client }: Customer) =>
    assert.equal((await client.send('DELETE', '/api/account', { body: { password: PASSWORD } })).status, 200)
  const exists = async ({ id }: Customer): Promise<boolean> => {
    await purgeAccounts(ground.mail.parts)
    return (await ground.mail.database.db.selectFrom('account').select('id').where('id', '=', id).execute()).length > 0
  }

  test('is cancelled at the provider, and kept until nothing can be charged any more', async () => {
    const customer = await ground.subscribed('starter')
    const { id: checkout } = ok(await customer.client.post('/api/billing/checkout/setup', {}), 201)
    await ground.sync(customer)
    const { mend } = breakDown(() => true)
    await remove(customer)
    await work()
    wait(3)
    await work()
    assert.deepEqual([ground.runningOf(customer).length, await exists(customer)], [1, true])
    mend()
    wait(1)
    await work()
    assert.deepEqual([ground.runningOf(customer), sessionOf(ground.stripe, checkout).status], [[], 'expired'])
    assert.deepEqual([await ground.row(customer), await exists(customer)], [undefined, false])
  })

  test('is looked at again an hour later: a request of it may have been under way', async () => {
    const customer = await ground.customer()
    await remove(customer)
    await work()
    assert.ok(await ground.row(customer))
    await ground.start(customer, 'starter')
    wait(61 * MINUTE)
    await work()
    assert.deepEqual(ground.runningOf(customer), [])
    assert.equal(await exists(customer), false)
  })
})

describe('credit for a referral', () => {
  const referrals = async ({ client }: Pick<Payer, 'client'>) => ok(await client.get('/api/account/referrals'))
  const invite = async (): Promise<{ referrer: Payer; customer: Customer }> => {
    const referrer = await ground.payer()
    const { code } = await referrals(referrer)
    const [client, email] = [ground.mail.client(), `invited-by-${code}@example.test`.toLowerCase()]
    const { id } = ok(await client.post('/api/auth/signup', { email, password: PASSWORD, referral_code: code }), 201)
    return { referrer, customer: await ground.adopt({ client, email, id }) }
  }
  /** What the provider has to the credit of an account, over all of its customers. */
  const creditsOf = ({ id }: Payer): number[] =>
    ground.stripe
      .customers()
      .filter(({ metadata }) => metadata.account_id === id)
      .map(({ balance }) => -balance)

  test('is given once the invited account has paid something, and once only', async () => {
    const { referrer, customer } = await invite()
    const { latest_invoice: invoice } = await ground.start(customer, 'starter')
    await ground.sync(customer)
    assert.equal((await referrals(referrer)).credit_cents, 0)
    await creditReferrals(ground.parts)
    await ground.sync(customer)
    await creditReferrals(ground.parts)
    const { credit_cents, data } = await referrals(referrer)
    assert.deepEqual([credit_cents, data[0].status, creditsOf(referrer)], [700, 'credited', [700]])
    const charge = ground.stripe.charges().find((each) => each.invoice === invoice)
    await ground.host.refunds.create({ charge: charge?.id ?? '' })
    await ground.sync(customer)
    await creditReferrals(ground.parts)
    assert.deepEqual([(await referrals(referrer)).credit_cents, creditsOf(referrer)], [700, [700]])
  })

  test('waits for a charge that is more than nothing and was paid', async () => {
    const { referrer, customer } = await invite()
    ground.stripe.setDecline(customer.method, 'generic_decline')
    const { id: refused } = await ground.start(customer, 'starter')
    await ground.sync(customer)
    await ground.host.subscriptions.cancel(refused)
    await ground.start(customer, 'starter', { trial_period_days: 14 })
    await ground.sync(customer)
    await creditReferrals(ground.parts)
    assert.deepEqual([(await referrals(referrer)).credit_cents, creditsOf(referrer)], [0, []])
  })

  test('whose answer was lost is given once', async () => {
    const { referrer, customer } = await invite()
    await ground.start(customer, 'starter')
    await ground.sync(customer)
    const match = ({ method, path }: { method: string; path: string }) =>
      method === 'POST' && path.endsWith('/balance_transactions')
    ground.stripe.fail({ match, cut: 'after', times: 2 })
    await creditReferrals(ground.parts)
    assert.deepEqual([(await referrals(referrer)).credit_cents, creditsOf(referrer)], [0, [700]])
    await creditReferrals(ground.parts)
    assert.deepEqual([(await referrals(referrer)).credit_cents, creditsOf(referrer)], [700, [700]])
  })

  test('goes to the one customer of its account, also when that is made at the same moment', async () => {
    const { referrer, customer } = await invite()
    await ground.start(customer, 'starter')
    await ground.sync(customer)
    const checkout = () => referrer.client.post('/api/billing/checkout/subscription', { plan_id: PRO })
    const [answer] = await Promise.all([checkout(), creditReferrals(ground.parts)])
    ok(answer, 201)
    assert.deepEqual(creditsOf(referrer), [700])
  })
})
