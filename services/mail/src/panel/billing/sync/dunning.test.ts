import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { daysAfter } from '../../../hosting/plans/past-due.ts'
import { subjectsTo } from '../../../hosting/system-mail/testing/sent.ts'
import { runDunning } from './entitlement.ts'
import { type BillingGround, type Customer, startBillingGround } from './testing/ground.ts'

let ground: BillingGround
before(async () => {
  ground = await startBillingGround()
})
after(() => ground.close())

const now = () => ground.mail.clock.now()
/** An account whose invoice is unpaid since now. Stripe gives up after a week. */
const debtor = async ({ afterRetries = 'past_due', notifications = {} } = {}): Promise<Customer & { dueAt: Date }> => {
  Object.assign(ground.stripe.settings, { afterRetries })
  const customer = await ground.subscribed('starter')
  assert.equal((await setNotifications(customer.client, notifications)).status, 200)
  ground.fallDue(customer)
  await ground.sync(customer)
  const accounts = ground.mail.database.db.selectFrom('account').select('past_due_at')
  const { past_due_at: dueAt } = await accounts.where('id', '=', customer.id).executeTakeFirstOrThrow()
  assert.ok(dueAt)
  return { ...customer, dueAt }
}
/** Lets the hourly job run at some day after the invoice was due. */
const onDay = async (dueAt: Date, day: number): Promise<void> => {
  ground.mail.clock.set(daysAfter(dueAt, day))
  await runDunning(ground.parts)
}
const noticesOf = async ({ email }: Customer): Promise<string[]> =>
  (await subjectsTo(ground.mail, email)).filter((subject) => !/confirm/i.test(subject))
const alertsOf = async ({ id }: Customer): Promise<string[]> => {
  const client = ground.mail.client({ cookie: await ground.mail.openSession(id) })
  const { body } = await client.get('/api/overview')
  return body.alerts.map(({ code }: { code: string }) => code).filter((code: string) => code !== 'email_unverified')
}
const setNotifications = (client: Customer['client'], notifications: object) =>
  client.send('PATCH', '/api/account/notifications', { body: notifications })

describe('an invoice that is not paid', () => {
  test('gets each notice once, until sending stops and the limits are lowered', async () => {
    const customer = await debtor()
    const { dueAt } = customer
    assert.deepEqual(await noticesOf(customer), ['Your payment failed'])
    await ground.sync(customer)
    await onDay(dueAt, 6.9)
    assert.deepEqual(
      [await noticesOf(customer), await alertsOf(customer)],
      [['Your payment failed'], ['payment_failed']],
    )
    await onDay(dueAt, 7)
    await onDay(dueAt, 13)
    await onDay(dueAt, 13.5)
    await onDay(dueAt, 14)
    assert.deepEqual([await ground.planOf(customer), await alertsOf(customer)], ['starter', ['sending_stopped']])
    await onDay(dueAt, 37)
    await onDay(dueAt, 43.9)
    assert.equal(await ground.planOf(customer), 'starter')
    await onDay(dueAt, 44)
    assert.deepEqual([await ground.planOf(customer), await alertsOf(customer)], ['free', ['limits_lowered']])
    await onDay(dueAt, 60)
    assert.deepEqual(await noticesOf(customer), [
      'Your payment failed',
      'Sending stops in 7 days: your invoice is unpaid',
      'Sending stops tomorrow: your invoice is unpaid',
      'Sending has stopped: your invoice is unpaid',
      'Your account moves to free plan limits in a week',
      'Your account is now on free plan limits',
    ])
  })

  test('restores everything at once when it is paid, and sends one mail', async () => {
    const customer = await debtor()
    await onDay(customer.dueAt, 44)
    await ground.pay(customer)
    await ground.sync(customer)
    await ground.sync(customer)
    assert.deepEqual([await ground.planOf(customer), await alertsOf(customer)], ['starter', []])
    const thanks = (await noticesOf(customer)).filter((subject) => /payment received/i.test(subject))
    assert.equal(thanks.length, 1)
  })

  test('of a subscription that was cancelled for it follows the same clock, and ends when it is paid after all', async () => {
    const customer = await debtor({ afterRetries: 'canceled' })
    ground.pass(10)
    await ground.sync(customer)
    assert.deepEqual(ground.runningOf(customer), [])
    assert.deepEqual([await ground.planOf(customer), await alertsOf(customer)], ['starter', ['payment_failed']])
    await onDay(customer.dueAt, 14)
    assert.deepEqual(await alertsOf(customer), ['sending_stopped'])
    await onDay(customer.dueAt, 44)
    assert.equal(await ground.planOf(customer), 'free')
    await ground.pay(customer)
    await ground.sync(customer)
    assert.deepEqual([await ground.planOf(customer), await alertsOf(customer)], ['free', []])
  })

  test('keeps its clock while the provider goes on trying, gives up and writes it off', async () => {
    const customer = await debtor({ afterRetries: 'unpaid' })
    ground.pass(6)
    await ground.sync(customer)
    ground.pass(6)
    await ground.host.invoices.markUncollectible(ground.openInvoice(customer))
    await ground.sync(customer)
    assert.equal(ground.runningOf(customer)[0]?.status, 'unpaid')
    await onDay(customer.dueAt, 13.9)
    assert.deepEqual(await alertsOf(customer), ['payment_failed'])
    await onDay(customer.dueAt, 14)
    assert.deepEqual(await alertsOf(customer), ['sending_stopped'])
  })

  test('that was not processed for long gets its last notice only', async () => {
    const customer = await debtor()
    await onDay(customer.dueAt, 45)
    assert.deepEqual(await noticesOf(customer), ['Your payment failed', 'Your account is now on free plan limits'])
  })

  test('with billing mails off gets only the notices about changes of the service', async () => {
    const customer = await debtor({ notifications: { billing: false } })
    for (const day of [7, 13, 14, 37, 44]) await onDay(customer.dueAt, day)
    assert.deepEqual(await noticesOf(customer), [
      'Sending has stopped: your invoice is unpaid',
      'Your account is now on free plan limits',
    ])
  })
})

describe('a trial', () => {
  test('gets a notice three days before its end, once, unless it was canceled', async () => {
    const trialEnd = daysAfter(now(), 14)
    const customer = await ground.subscribed('starter', { trial_period_days: 14 })
    const leaver = await ground.subscribed('starter', { trial_period_days: 14, cancel_at_period_end: true })
    for (const each of [customer, leaver]) await ground.sync(each)
    ground.mail.clock.set(daysAfter(trialEnd, -3.1))
    await runDunning(ground.parts)
    assert.deepEqual(await noticesOf(customer), [])
    ground.mail.clock.set(daysAfter(trialEnd, -3))
    for (let runs = 0; runs < 2; runs += 1) await runDunning(ground.parts)
    assert.equal((await noticesOf(customer)).length, 1)
    assert.match((await noticesOf(customer))[0] ?? '', /^Your trial ends on /)
    assert.deepEqual(await noticesOf(leaver), [])
  })
})
