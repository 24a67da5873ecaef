import assert from 'node:assert/strict'
import { after as afterAll, before, describe, test } from 'node:test'
import { PASSWORD } from '@stoa/tests/lib/mail.ts'
import { purgeAccounts } from '../../accounts/upkeep.ts'
import { ProviderError } from '../provider.ts'
import { creditReferrals } from './credits.ts'
import { expectChange, requestSync } from './sync.ts'
import { type BillingGround, type Customer, startBillingGround } from './testing/ground.ts'
import { after, chargeOf, subscriptionOf } from './testing/provider.ts'
import { createBillingWorker, sweep } from './worker.ts'

let ground: BillingGround
before(async () => {
  ground = await startBillingGround({ REFERRAL_CREDIT_CENTS: '700' })
})
afterAll(() => ground.mail.close())

const now = () => ground.mail.clock.now()
const wait = (days: number) => ground.mail.clock.set(after(now(), days))
const MINUTE = 1 / 1_440
const ask = ({ reference }: Customer) => ground.mail.database.tx((tx) => requestSync(tx, { reference }, now()))
/** What two processes would do with all that is due. */
const work = () => Promise.all([1, 2].map(() => createBillingWorker(ground.parts).runDue()))
const readingsOf = (): string[] => {
  const read: string[] = []
  ground.provider.onRead = (reference) => void read.push(reference)
  return read
}

describe('the queue of customers', () => {
  test('reads each that is due once, and leaves the others alone', async () => {
    const [one, two, idle] = [await ground.customer(), await ground.customer(), await ground.customer()]
    const read = readingsOf()
    for (const customer of [one, two, two]) await ask(customer)
    await work()
    assert.deepEqual(read.sort(), [one.reference, two.reference].sort())
    assert.deepEqual([(await ground.row(one))?.sync_due_at, (await ground.row(idle))?.sync_due_at], [null, null])
  })

  test('tries one that fails again later and later, and goes on with the others', async () => {
    const [bad, good] = [
      await ground.customer(),
      await ground.customer({ subscription: subscriptionOf(now(), { reference: 'sub_good' }) }),
    ]
    ground.provider.onRead = (reference) => {
      if (reference === bad.reference) throw new ProviderError('unavailable', 'it is down')
    }
    for (const customer of [bad, good]) await ask(customer)
    await work()
    assert.equal(await ground.planOf(good), 'starter')
    const waits: number[] = []
    for (let tried = 0; tried < 7; tried += 1) {
      const row = await ground.row(bad)
      assert.deepEqual([row?.sync_attempts, row?.sync_error], [tried + 1, 'it is down'])
      waits.push((row?.sync_due_at?.getTime() ?? 0) - now().getTime())
      ground.mail.clock.set(row?.sync_due_at ?? now())
      await work()
    }
    assert.deepEqual(
      waits,
      waits.toSorted((a, b) => a - b),
    )
    assert.equal(waits.at(-1), 3_600_000)
    ground.provider.onRead = () => undefined
    ground.mail.clock.set((await ground.row(bad))?.sync_due_at ?? now())
    await work()
    assert.deepEqual(await ground.row(bad), { sync_due_at: null, sync_attempts: 0, sync_error: null })
  })

  test('reads a customer soon whose change was begun by a process that is gone', async () => {
    const customer = await ground.customer()
    await expectChange(ground.parts, customer.id)
    const read = readingsOf()
    await work()
    assert.deepEqual(read, [])
    wait(2 * MINUTE)
    await work()
    assert.deepEqual(read, [customer.reference])
  })

  test('stops at once while the provider is slow, and leaves the customer to another process', async () => {
    const customer = await ground.customer()
    await ask(customer)
    const begun = Promise.withResolvers<void>()
    const slow = Promise.withResolvers<void>()
    ground.provider.onRead = () => {
      begun.resolve()
      return slow.promise
    }
    const worker = createBillingWorker(ground.parts)
    worker.start()
    await begun.promise
    await worker.stop(10)
    assert.deepEqual((await ground.row(customer))?.sync_due_at, now())
    const read = readingsOf()
    await work()
    assert.equal(read.filter((each) => each === customer.reference).length, 1)
    slow.resolve()
  })

  test('holds every customer once a day, and forgets events after a month', async () => {
    const customers = [await ground.customer(), await ground.customer()]
    for (const customer of customers) await ground.sync(customer)
    const event = { type: 'invoice.paid', customer: null }
    await ground.mail.database.tx((tx) =>
      tx
        .insertInto('payment_event')
        .values([
          { ...event, id: 'evt_old', received_at: after(now(), -31) },
          { ...event, id: 'evt_new', received_at: after(now(), -20) },
        ])
        .execute(),
    )
    await sweep(ground.parts)
    await work()
    const read = readingsOf()
    await sweep(ground.parts)
    await work()
    assert.deepEqual(read, [])
    wait(1.01)
    await sweep(ground.parts)
    await work()
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
    const customer = await ground.customer({ subscription: subscriptionOf(now(), { reference: 'sub_leaving' }) })
    await ground.sync(customer)
    await ground.mail.database.tx((tx) =>
      tx
        .insertInto('checkout')
        .values({
          account_id: customer.id,
          id: crypto.randomUUID(),
          mode: 'setup',
          reference: 'cs_open',
          success_url: 'http://mail.test/billing',
          cancel_url: 'http://mail.test/billing',
          status: 'open',
          created_at: now(),
          expires_at: after(now(), 1),
        })
        .execute(),
    )
    ground.provider.onRead = () => {
      throw new ProviderError('unavailable', 'it is down')
    }
    await remove(customer)
    await work()
    wait(3)
    await work()
    assert.deepEqual([ground.provider.calls.includes('cancelNow sub_leaving'), await exists(customer)], [false, true])
    ground.provider.onRead = () => undefined
    wait(1)
    await work()
    assert.ok(ground.provider.calls.includes('cancelNow sub_leaving'))
    assert.ok(ground.provider.calls.includes('expireCheckout cs_open'))
    assert.deepEqual([await ground.row(customer), await exists(customer)], [undefined, false])
  })

  test('is looked at again an hour later: a request of it may have been under way', async () => {
    const customer = await ground.customer()
    await remove(customer)
    await work()
    assert.ok(await ground.row(customer))
    ground.says(customer, { subscription: subscriptionOf(now(), { reference: 'sub_late' }) })
    wait(61 * MINUTE)
    await work()
    assert.ok(ground.provider.calls.includes('cancelNow sub_late'))
    assert.equal(await exists(customer), false)
  })
})

describe('credit for a referral', () => {
  const referrals = async ({ client }: Pick<Customer, 'client'>) => (await client.get('/api/account/referrals')).body
  const invite = async (truth: object) => {
    const referrer = await ground.mail.signUp()
    const code = (await referrals(referrer)).code
    const customer = await ground.customer(truth)
    await ground.mail.database.tx((tx) =>
      tx.updateTable('account').set({ referred_by: referrer.id }).where('id', '=', customer.id).execute(),
    )
    assert.ok(code)
    return { referrer, customer }
  }
  const paid = (reference: string, change = {}) => ({ transactions: [chargeOf(now(), { reference, ...change })] })
  const creditsOf = (id: string) => ground.provider.calls.filter((call) => call === `credit cus_${id} 700`).length

  test('is given once the invited account has paid something, and once only', async () => {
    const { referrer, customer } = await invite(paid('in_ref_1'))
    await ground.sync(customer)
    assert.equal((await referrals(referrer)).credit_cents, 0)
    await creditReferrals(ground.parts)
    await ground.sync(customer)
    await creditReferrals(ground.parts)
    const { credit_cents, data } = await referrals(referrer)
    assert.deepEqual([credit_cents, data[0].status, creditsOf(referrer.id)], [700, 'credited', 1])
    ground.says(customer, paid('in_ref_1', { status: 'refunded' }))
    await ground.sync(customer)
    await creditReferrals(ground.parts)
    assert.equal((await referrals(referrer)).credit_cents, 700)
  })

  test('waits for a charge that is more than nothing and was paid', async () => {
    const { referrer, customer } = await invite(paid('in_ref_2', { status: 'failed' }))
    await ground.sync(customer)
    ground.says(customer, paid('in_ref_3', { amount_cents: 0 }))
    await ground.sync(customer)
    await creditReferrals(ground.parts)
    assert.deepEqual([(await referrals(referrer)).credit_cents, creditsOf(referrer.id)], [0, 0])
  })

  test('whose answer was lost is asked for again with the same key', async () => {
    const { referrer, customer } = await invite(paid('in_ref_4'))
    await ground.sync(customer)
    const { credit } = ground.provider
    const keys: string[] = []
    ground.provider.credit = async (request) => {
      keys.push(request.key)
      await credit(request)
      throw new ProviderError('unavailable', 'the answer was lost')
    }
    await creditReferrals(ground.parts)
    assert.equal((await referrals(referrer)).credit_cents, 0)
    ground.provider.credit = (request) => {
      keys.push(request.key)
      return credit(request)
    }
    await creditReferrals(ground.parts)
    assert.deepEqual([(await referrals(referrer)).credit_cents, new Set(keys).size, keys.length], [700, 1, 2])
    ground.provider.credit = credit
  })
})
