import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import { plantAddress } from '@stoa/mail/hosting/addresses/testing/hosting.ts'
import { until } from '@stoa/tests/lib/waiting.ts'
import type { Page } from 'playwright-core'
import Stripe from 'stripe'
import { browserTest, type Visit } from '../lib/browser.ts'
import { type MailService, startMail } from '../lib/mail.ts'
import { type FakeStripe, startFakeStripe } from '../lib/stripe/stripe.ts'
import { type Customer, enterPanel } from './mail-page.ts'
import { chooseFor, confirm, dialogOf, fits, look } from './page.ts'
import { onPhoneInTheDark } from './small-screen.ts'

const WEBHOOK_SECRET = 'whsec_of_the_browser_tests'
const DAY_MS = 86_400_000
const EMAIL = 'ada@harbour.test'

let service: MailService
let stripe: FakeStripe
let owner: Customer
/** What the host does on Stripe's own screens. */
let host: Stripe
before(async () => {
  stripe = await startFakeStripe({
    now: () => service?.clock.now() ?? new Date(),
    settings: { afterRetries: 'unpaid' },
  })
  host = new Stripe(stripe.secretKey, { host: '127.0.0.1', port: stripe.port, protocol: 'http' })
  await sellTrials()
  service = await startMail({
    isLive: true,
    isPublic: true,
    env: {
      BILLING: 'on',
      MAIL_ROLES: 'http,worker',
      STRIPE_SECRET_KEY: stripe.secretKey,
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      STRIPE_API_BASE: stripe.url,
      LIMIT_EXEMPT: '127.0.0.0/8',
    },
  })
  notifyAtOnce(true)
  // The first account owns the instance and pays nothing
  owner = await service.signUp('owner@harbour.test')
})
after(async () => {
  await service.close()
  await stripe.close()
})

/** Prices that the host makes before the first start are the ones that are sold. */
const sellTrials = async () => {
  const { id: product } = await host.products.create({ name: 'Business' })
  const [recurring, metadata] = [{ interval: 'month' } as const, { trial_days: '14' }]
  const price = { product, currency: 'eur', unit_amount: 4_900, recurring, metadata }
  await host.prices.create({ ...price, lookup_key: 'stoa_business_month' })
}

/** Whether the service is notified of what happens at the provider at once, or only later. */
const notifyAtOnce = (auto: boolean) =>
  stripe.sendTo({ url: `${service.url}/api/webhooks/payments`, secrets: [WEBHOOK_SECRET] }, { auto })

const addDomain = async (page: Page, name: string) => {
  await page.getByRole('link', { name: 'Domains', exact: true }).click()
  await page.getByRole('button', { name: 'Add domain' }).first().click()
  await dialogOf(page).getByLabel('Domain').fill(name)
  await dialogOf(page).getByRole('button', { name: 'Add domain' }).click()
}

const payOnHostedPage = async (page: Page, card: string, button: string) => {
  await page.getByLabel(card, { exact: true }).check()
  await page.getByRole('button', { name: button }).click()
}

const goToPlan = (page: Page) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Plan and usage' }).click()

/** Time passes for the service and the provider. */
const passDays = async (days: number) => {
  service.clock.advance(days * DAY_MS)
  stripe.advance(0)
  await stripe.settled()
}

/** A session does not live as long as a plan: a page that stays open would be signed out. */
const leave = (page: Page) => page.goto('about:blank')

const signedIn = async (accountId: string): Promise<Pick<Customer, 'client'>> => ({
  client: service.client({ cookie: await service.openSession(accountId) }),
})

/** Comes back to the panel today, once the subscription is in this state. */
const comeBack = async (visit: Visit, accountId: string, state: string) => {
  const customer = await signedIn(accountId)
  await until(async () => {
    const { subscription } = (await customer.client.get('/api/entitlement')).body
    return (subscription?.status ?? 'none') === state
  }, `the subscription is ${state}`)
  await visit.page.clock.setFixedTime(service.clock.now())
  await enterPanel(visit, service, customer, '/billing')
}

describe('billing in the panel', () => {
  browserTest('from a limit to a paid plan, an unpaid invoice and the end', { alone: true }, async (visit) => {
    const { page } = visit
    const customer = await service.signUp(EMAIL)
    const accountId = customer.id
    await enterPanel(visit, service, customer, '/')

    // A limit is reached, and says what to do
    await plantAddress(service.database, 'ada@harbour.test', { accountId, now: service.clock.now() })
    await addDomain(page, 'island.test')
    await dialogOf(page).getByText('Your plan allows 1 domain.').waitFor()
    await visit.shot('mail-billing-limit')
    await dialogOf(page).getByRole('link', { name: 'Compare plans' }).click()
    await dialogOf(page).getByRole('button', { name: 'Leave' }).click()
    await page.getByRole('button', { name: 'Choose Starter' }).waitFor()

    // A plan is bought on the provider's page, after its amount was shown
    await page.getByRole('button', { name: 'Choose Starter' }).click()
    await dialogOf(page).getByText('€5.00', { exact: true }).waitFor()
    await dialogOf(page).getByRole('button', { name: 'Continue to checkout' }).click()
    await payOnHostedPage(page, 'Visa that works', 'Subscribe')
    await page.getByRole('heading', { name: "You're on Starter" }).waitFor()
    await addDomain(page, 'island.test')
    await page.getByRole('heading', { name: 'island.test' }).waitFor()

    // A dearer one at once for the difference, a cheaper one later, with a way back
    await goToPlan(page)
    await page.getByRole('link', { name: 'Change plan' }).click()
    await page.getByRole('button', { name: 'Upgrade to Pro' }).click()
    await dialogOf(page).getByText('Visa ending in 4242').waitFor()
    await visit.shot('mail-billing-upgrade')
    await dialogOf(page)
      .getByRole('button', { name: /^Pay €/ })
      .click()
    await page.getByText("You're on Pro").waitFor()
    await page.getByRole('button', { name: 'Downgrade to Starter' }).click()
    await dialogOf(page).getByText('€0.00').waitFor()
    await confirm(page, 'Downgrade to Starter')
    await goToPlan(page)
    await page.getByText(/Changes to Starter on/).waitFor()
    await look(visit, 'mail-billing')
    await page.getByRole('button', { name: 'Keep Pro' }).click()
    await page.getByText(/Changes to Starter on/).waitFor({ state: 'detached' })
    assert.equal(stripe.charges().length, 2)

    // The card fails at the renewal: every screen says what stops when
    const [method] = await service.database.db.selectFrom('payment_method').select('reference').execute()
    stripe.setDecline(method?.reference ?? '', 'insufficient_funds')
    await leave(page)
    await passDays(32)
    await passDays(14)
    await comeBack(visit, accountId, 'unpaid')
    await page.getByText('Sending has stopped because an invoice is unpaid').waitFor()
    await page.getByText('Unpaid', { exact: true }).waitFor()
    await onPhoneInTheDark(visit, async () => {
      await fits(visit, 'mail-billing-unpaid-dark-390')
      await page.getByRole('link', { name: 'Change plan' }).click()
      await page.getByRole('button', { name: 'Downgrade to Free' }).waitFor()
      await look(visit, 'mail-plans-dark-390')
    })

    // It is paid on the page of the invoice, with another card
    const [invoice] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('link', { name: /^Pay €15\.00 now/ }).click(),
    ])
    await payOnHostedPage(invoice, 'Mastercard that works', 'Pay')
    await invoice.getByText(', paid').waitFor()
    await invoice.close()
    await stripe.settled()
    await comeBack(visit, accountId, 'active')
    await page.getByText('Active', { exact: true }).waitFor()

    // The card of the plan stays until there is another one, which is added on the provider's page
    await chooseFor(page, 'Visa ending in 4242', 'Remove')
    await dialogOf(page).getByText('Visa ending in 4242 pays for your plan').waitFor()
    await visit.shot('mail-billing-card-needed')
    await dialogOf(page).getByRole('button', { name: 'Add payment method' }).click()
    await payOnHostedPage(page, 'Mastercard that works', 'Save')
    await page.getByRole('heading', { name: 'Mastercard ending in 4444 added' }).waitFor()
    await page.getByRole('button', { name: 'Make default' }).click()
    await page.getByText('It will be used for your invoices from now on.').waitFor()

    // It is cancelled, and kept after all
    await page.getByRole('link', { name: 'View plan and usage' }).click()
    await page.getByRole('button', { name: 'Cancel plan' }).click()
    await dialogOf(page).getByText('Domains: 2 of 1').waitFor()
    await visit.shot('mail-billing-cancel')
    await confirm(page, 'Cancel plan')
    await page.getByText(/^Ends on/).waitFor()
    assert.deepEqual(endings(), [true])
    await page.getByRole('button', { name: 'Keep Pro' }).click()
    await page.getByText(/^Ends on/).waitFor({ state: 'detached' })
    assert.deepEqual(endings(), [false])
    assert.equal(stripe.charges().length, 3)

    // The operator sees who pays what
    await enterPanel(visit, service, await signedIn(owner.id), '/instance/subscriptions')
    await page.getByText(EMAIL).waitFor()
    await page.getByText('€15.00').waitFor()
    await look(visit, 'mail-subscriptions')
    await onPhoneInTheDark(visit, () => fits(visit, 'mail-subscriptions-dark-390'))

    // Cancelled and over, nothing is gone, and the panel says what is too much
    await (await signedIn(accountId)).client.post('/api/subscription/cancel')
    await leave(page)
    await passDays(32)
    await comeBack(visit, accountId, 'none')
    await page.getByText('You use more than Free includes').waitFor()
    await page.getByRole('link', { name: 'Review domains' }).waitFor()
    await page.getByRole('link', { name: 'Overview', exact: true }).click()
    await page.getByText(/2 domains \(limit 1\)/).waitFor()
    await visit.shot('mail-billing-over')
    visit.expectProblem(/413/)
  })

  browserTest(
    'a trial, a payment that is confirmed late, and a checkout that was left',
    { alone: true },
    async (visit) => {
      await tryFirst(visit)
      await seePause(visit)
      await payLate(visit)
      await leaveCheckout(visit)
    },
  )
})

/** A trial says what it costs when. */
const tryFirst = async (visit: Visit) => {
  const { page } = visit
  notifyAtOnce(true)
  await enterPanel(visit, service, await service.signUp(), '/billing/plans')
  await page.getByText('14-day free trial for new customers').waitFor()
  await page.getByRole('button', { name: 'Choose Business' }).click()
  await dialogOf(page).getByText('Business is free for 14 days.').waitFor()
  await dialogOf(page).getByText('€0.00').waitFor()
  await dialogOf(page).getByRole('button', { name: 'Continue to checkout' }).click()
  await payOnHostedPage(page, 'Visa that works', 'Start trial')
  await page.getByRole('heading', { name: 'Your Business trial has started' }).waitFor()
  await page.getByText('Nothing was charged.').waitFor()
  await page.getByRole('link', { name: 'View plan and usage' }).click()
  await page
    .getByText(/^Your trial ends on .* The first payment is due then, paid with Visa ending in 4242\.$/)
    .waitFor()
  await page.getByText('Trial', { exact: true }).waitFor()
  await fits(visit, 'mail-billing-trial')
}

/** One that ended without a card says how to go on. */
const seePause = async (visit: Visit) => {
  const { page } = visit
  await enterPanel(visit, service, await pausedCustomer(), '/billing')
  await page.getByText('so Business is paused. Choose it again to continue.').waitFor()
  await fits(visit, 'mail-billing-paused')
  await page.getByRole('link', { name: 'Compare plans' }).click()
  await page.getByRole('button', { name: 'Choose Business' }).click()
  await dialogOf(page).getByText('€49.00', { exact: true }).waitFor()
}

/** What is confirmed late is waited for, and the page moves on by itself. */
const payLate = async (visit: Visit) => {
  const { page } = visit
  await page.clock.install({ time: service.clock.now() })
  await startLate(visit, '/billing/plans')
  await page.getByRole('button', { name: 'Choose Starter' }).click()
  await dialogOf(page).getByRole('button', { name: 'Continue to checkout' }).click()
  await payOnHostedPage(page, 'Visa that works', 'Subscribe')
  await page.getByRole('heading', { name: 'Confirming your payment' }).waitFor()
  await look(visit, 'mail-return-waiting')
  await page.clock.fastForward(PATIENCE_MS)
  await page.getByRole('heading', { name: 'Your payment is still being confirmed' }).waitFor()
  await page.getByText("You don't need to pay again.").waitFor()
  await onPhoneInTheDark(visit, async () => {
    await fits(visit, 'mail-return-late-dark-390')
    await stripe.deliver()
    await page.getByRole('heading', { name: "You're on Starter" }).waitFor()
    await fits(visit, 'mail-return-dark-390')
  })
}

/** A checkout that was left is gone on with, and a lost confirmation is asked for. */
const leaveCheckout = async (visit: Visit) => {
  const { page } = visit
  const plans: { id: string; slug: string }[] = (await (await signedIn(owner.id)).client.get('/api/plans')).body.data
  await startLate(visit, `/billing/return?plan=${plans.find(({ slug }) => slug === 'pro')?.id}`)
  await comeLate(page)
  await page.getByRole('button', { name: 'Check again' }).click()
  await page.getByRole('heading', { name: "Your checkout isn't finished" }).waitFor()
  await onPhoneInTheDark(visit, () => fits(visit, 'mail-return-unfinished-dark-390'))
  await page.getByRole('button', { name: 'Continue to checkout' }).click()
  await payOnHostedPage(page, 'Visa that works', 'Subscribe')
  stripe.lose()
  await comeLate(page)
  await page.getByRole('button', { name: 'Check again' }).click()
  await page.getByRole('heading', { name: "You're on Pro" }).waitFor()
  visit.expectProblem(/409/)
}

/** Longer than the return page waits before it says that it takes long. */
const PATIENCE_MS = 21_000

/** Somebody new, on a screen of the panel, while the service receives nothing from the provider. */
const startLate = async (visit: Visit, path: string): Promise<void> => {
  notifyAtOnce(false)
  await enterPanel(visit, service, await service.signUp(), path)
}

const comeLate = async (page: Page) => {
  await page.getByRole('heading', { name: 'Confirming your payment' }).waitFor()
  await page.clock.fastForward(PATIENCE_MS)
}

const customerOf = ({ id }: Customer): string =>
  stripe.customers().find(({ metadata }) => metadata.account_id === id)?.id ?? assert.fail('no customer')

/** One to whom the host gave a trial without a card, which has ended. */
const pausedCustomer = async (): Promise<Customer> => {
  const customer = await service.signUp()
  await customer.client.post('/api/billing/checkout/setup', {})
  const { data: prices } = await host.prices.list({ lookup_keys: ['stoa_business_month'] })
  await host.subscriptions.create({
    customer: customerOf(customer),
    items: [{ price: prices[0]?.id ?? '' }],
    trial_period_days: 1,
    trial_settings: { end_behavior: { missing_payment_method: 'pause' } },
  })
  await passDays(2)
  const isPaused = async () => (await customer.client.get('/api/entitlement')).body.subscription?.status === 'paused'
  await until(isPaused, 'the pause is known')
  return customer
}

const endings = (): boolean[] => stripe.subscriptions().map(({ cancel_at_period_end: ends }) => ends)
