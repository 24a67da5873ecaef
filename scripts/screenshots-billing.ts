// The pictures of plans and payments: a customer of an instance that sells plans, with a provider that takes no money.
import { plantAddress } from '@stoa/mail/hosting/addresses/testing/hosting.ts'
import { enterPanel } from '@stoa/tests/e2e/mail-page.ts'
import { startMail } from '@stoa/tests/lib/mail.ts'
import { startFakeStripe } from '@stoa/tests/lib/stripe/stripe.ts'
import type { Browser } from 'playwright-core'
import { LOOKS, openPage, PERSON, type Screen, shootScreens, text } from './pictures.ts'

const DOMAIN = 'harbourbooks.test'
const WEBHOOK_SECRET = 'whsec_of_the_pictures'

const SCREENS: readonly Screen[] = [
  { name: 'mail-billing', path: '/billing', ready: text('Download') },
  { name: 'mail-plans', path: '/billing/plans', ready: text('Upgrade to Business') },
]

/** Gives what could not be taken. */
export const shootBilling = async (browser: Browser): Promise<string[]> => {
  const stripe = await startFakeStripe()
  const service = await startMail({
    isLive: true,
    isPublic: true,
    env: {
      BILLING: 'on',
      MAIL_ROLES: 'http,worker',
      STRIPE_SECRET_KEY: stripe.secretKey,
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      STRIPE_API_BASE: stripe.url,
    },
  })
  stripe.sendTo({ url: `${service.url}/api/webhooks/payments`, secrets: [WEBHOOK_SECRET] }, { auto: true })
  await service.signUp('owner@example.com')
  const customer = await service.signUp(PERSON.email)
  for (const name of ['ada', 'hello', 'orders'])
    await plantAddress(service.database, `${name}@${DOMAIN}`, { accountId: customer.id, now: service.clock.now() })
  const { body: plans } = await customer.client.get('/api/plans')
  const plan_id = plans.data.find(({ slug }: { slug: string }) => slug === 'pro').id
  await customer.client.post('/api/billing/checkout/subscription', { plan_id })
  stripe.completeCheckout(stripe.sessions()[0]?.id ?? '')
  await stripe.settled()
  const missing: string[] = []
  for (const look of LOOKS.slice(0, 1)) {
    const page = await openPage(browser, 'about:blank', look)
    await enterPanel({ page, context: page.context() }, service, customer, '/billing')
    missing.push(...(await shootScreens(page, service.url, SCREENS, look.suffix)))
    await page.context().close()
  }
  await service.close()
  await stripe.close()
  return missing
}
