import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { DAY, MONTH, type StripeGround, startStripe } from './testing/ground.ts'

let ground: StripeGround
before(async () => {
  ground = await startStripe()
})
after(() => ground.close())

describe('a plan that is not paid any more', () => {
  /** The card fails at the renewal. */
  const fail = async () => {
    const made = await ground.subscriber('pro')
    const { periodEnd } = await ground.readSubscription(made.customer)
    ground.fake.setDecline(made.method, 'insufficient_funds')
    ground.fake.advance(MONTH)
    return { ...made, failedAt: new Date(periodEnd.getTime() + ground.fake.settings.draftMs) }
  }

  test('is past due since its first failed payment', async () => {
    const { customer, failedAt } = await fail()
    const { status, pastDueAt } = await ground.readSubscription(customer)
    assert.deepEqual([status, pastDueAt], ['past_due', failedAt])
    const [charge] = (await ground.read(customer)).transactions
    assert.deepEqual(
      [charge?.type, charge?.status, charge?.amount_cents, charge?.settled_at],
      ['charge', 'failed', 1_500, null],
    )
  })

  test('and is cancelled gives no credit for what nobody paid', async () => {
    const { customer, subscription } = await fail()
    await ground.payments.cancelNow({ subscription, credit: true, key: newId() })
    const { balanceCents, subscription: ended } = await ground.read(customer)
    assert.deepEqual([balanceCents, ended?.status], [0, 'cancelled'])
  })

  test('owes nothing once it was paid', async () => {
    const { customer, method } = await fail()
    ground.fake.setDecline(method, null)
    const open = ground.fake.invoices().find((invoice) => invoice.customer === customer && invoice.status === 'open')
    await ground.host.invoices.pay(open?.id ?? '')
    const { status, pastDueAt } = await ground.readSubscription(customer)
    assert.deepEqual([status, pastDueAt, ground.taken(customer)], ['active', null, [1_500, 1_500]])
  })

  for (const [after, status] of [
    ['unpaid', 'unpaid'],
    ['canceled', 'cancelled'],
    ['past_due', 'past_due'],
  ] as const)
    test(`and that Stripe makes ${after} when it gives up is owed since the same moment`, async (t) => {
      const { afterRetries } = ground.fake.settings
      Object.assign(ground.fake.settings, { afterRetries: after })
      t.after(() => Object.assign(ground.fake.settings, { afterRetries }))
      const { customer, failedAt } = await fail()
      ground.fake.advance(20 * DAY)
      const found = await ground.readSubscription(customer)
      assert.deepEqual([found.status, found.pastDueAt], [status, failedAt])
    })

  test('and ended is owed until somebody pays or writes it off', async () => {
    for (const settle of ['pay', 'voidInvoice'] as const) {
      const { customer, method } = await fail()
      ground.fake.advance(20 * DAY)
      assert.notEqual((await ground.readSubscription(customer)).pastDueAt, null)
      ground.fake.setDecline(method, null)
      const open = ground.fake.invoices().find((invoice) => invoice.customer === customer && invoice.status === 'open')
      await ground.host.invoices[settle](open?.id ?? '')
      const found = await ground.readSubscription(customer)
      assert.deepEqual([found.status, found.pastDueAt], ['cancelled', null])
    }
  })
})

describe('money that goes back', () => {
  test('is shown as a refund beside its charge', async () => {
    const { customer } = await ground.subscriber('pro')
    const charge = ground.fake.charges().find((each) => each.customer === customer)
    await ground.host.refunds.create({ charge: charge?.id ?? '', amount: 500 })
    const part = (await ground.read(customer)).transactions
    assert.deepEqual(part.map(({ type, status, amount_cents }) => [type, status, amount_cents]).sort(), [
      ['charge', 'paid', 1_500],
      ['refund', 'refunded', 500],
    ])
    await ground.host.refunds.create({ charge: charge?.id ?? '' })
    const { transactions } = await ground.read(customer)
    const ofCharge = transactions.find(({ type }) => type === 'charge')
    assert.equal(ofCharge?.status, 'refunded')
    const refunds = transactions.filter(({ type }) => type === 'refund')
    assert.deepEqual(refunds.map(({ amount_cents }) => amount_cents).sort(), [1_000, 500])
    assert.deepEqual(new Set(refunds.map(({ number }) => number)), new Set([ofCharge?.number]))
  })

  test('as a credit note is shown once', async () => {
    const { customer } = await ground.subscriber('pro')
    const invoice = ground.fake.invoices().find((each) => each.customer === customer)?.id ?? ''
    await ground.host.creditNotes.create({ invoice, amount: 400, credit_amount: 400 })
    const found = await ground.read(customer)
    const credits = found.transactions.filter(({ type }) => type === 'credit')
    assert.deepEqual([credits.map(({ amount_cents }) => amount_cents), found.balanceCents], [[400], 400])
  })

  test('as credit lowers what is paid next, and is given once for a key', async () => {
    const { customer } = await ground.subscriber('pro')
    const key = newId()
    const request = { customer, amountCents: 700, currency: 'eur', description: 'For inviting someone', key }
    const reference = await ground.payments.credit(request)
    // Longer than Stripe remembers keys.
    ground.fake.advance(2 * DAY)
    assert.equal(await ground.payments.credit(request), reference)
    const { balanceCents, transactions } = await ground.read(customer)
    const [credit] = transactions.filter(({ type }) => type === 'credit')
    assert.deepEqual([balanceCents, credit?.amount_cents, credit?.description], [700, 700, 'For inviting someone'])
    ground.fake.advance(MONTH)
    assert.deepEqual(ground.taken(customer), [1_500, 800])
    const [charge] = (await ground.read(customer)).transactions
    assert.deepEqual([charge?.type, charge?.amount_cents], ['charge', 800])
  })
})
