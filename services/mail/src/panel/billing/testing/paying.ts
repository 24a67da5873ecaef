import assert from 'node:assert/strict'
import { Secret } from '@stoa/kit/secret.ts'
import { type MailAnswer, type MailClient, type MailService, startMail } from '@stoa/tests/lib/mail.ts'
import { type FakeStripe, startFakeStripe, type TestCardName } from '@stoa/tests/lib/stripe/stripe.ts'
import { planIdOf } from '../../../hosting/plans/offers.ts'
import { createStripe } from '../stripe/stripe.ts'

export type Payer = { client: MailClient; id: string; email: string }

export type PayingGround = {
  mail: MailService
  stripe: FakeStripe
  owner: Payer
  payer(): Promise<Payer>
  /** One with a method that is the default. */
  withCard(card?: TestCardName): Promise<Payer>
  /** One who pays for a plan. */
  subscriber(plan: string, card?: TestCardName): Promise<Payer>
  /** The reference of the account at the provider. */
  customerOf(payer: Payer): string
  /** What was taken from the account so far, in cents. */
  takenFrom(payer: Payer): number[]
  /** Subscriptions at the provider that have not ended. */
  runningOf(payer: Payer): ReturnType<FakeStripe['subscriptions']>
  /** Lets days pass for both, and whatever they bring at the provider. */
  pass(days: number): void
  /** Another process on the same database; one that waits for the provider only so long. */
  another(timeoutMs?: number): Promise<MailService>
  close(): Promise<void>
}

export const PRO = planIdOf('pro')
export const STARTER = planIdOf('starter')
export const BUSINESS = planIdOf('business')
export const FREE = planIdOf('free')
export const UNLIMITED = planIdOf('unlimited')

export const DAY_MS = 86_400_000
/** Short enough that what happens there happens on its day. */
const STEP_DAYS = 0.5

/** The service with plans, and a strict Stripe that has the same clock. */
export const startPaying = async (env: Record<string, string> = {}): Promise<PayingGround> => {
  let clock: MailService['clock'] | undefined
  const stripe = await startFakeStripe({ now: () => clock?.now() ?? new Date('2026-03-01T12:00:00.000Z') })
  const variables = {
    BILLING: 'on',
    STRIPE_SECRET_KEY: stripe.secretKey,
    STRIPE_PUBLISHABLE_KEY: 'pk_test_fake',
    STRIPE_WEBHOOK_SECRET: 'whsec_test',
    STRIPE_API_BASE: stripe.url,
    ...env,
  }
  const mail = await startMail({ env: variables })
  clock = mail.clock
  const customerOf = ({ id }: Payer): string =>
    stripe.customers().find(({ metadata }) => metadata.account_id === id)?.id ?? ''
  const ground: PayingGround = {
    mail,
    stripe,
    owner: await mail.signUp(),
    payer: () => mail.signUp(),
    async withCard(card = 'visa') {
      const payer = await mail.signUp()
      const { id } = ok(await payer.client.post('/api/billing/checkout/setup', {}), 201)
      stripe.completeCheckout(sessionOf(stripe, id).id, card)
      ok(await payer.client.post('/api/billing/payment-methods', { checkout_session_id: id }), 201)
      return payer
    },
    async subscriber(plan, card = 'visa') {
      const payer = await ground.withCard(card)
      ok(await payer.client.post('/api/subscription', { plan_id: planIdOf(plan) }), 201)
      return payer
    },
    customerOf,
    takenFrom: (payer) =>
      stripe
        .charges()
        .filter(({ customer }) => customer === customerOf(payer))
        .map(({ amount }) => amount),
    runningOf: (payer) =>
      stripe.subscriptions().filter(({ customer, ended_at }) => customer === customerOf(payer) && ended_at === null),
    pass(days) {
      for (let passed = 0; passed < days; passed += STEP_DAYS) {
        mail.clock.advance(STEP_DAYS * DAY_MS)
        stripe.advance(0)
      }
    },
    another: (timeoutMs) =>
      startMail({
        env: variables,
        databaseUrl: mail.databaseUrl,
        ...(timeoutMs !== undefined && {
          payments: ({ payment }) =>
            createStripe({ ...payment, secretKey: new Secret(stripe.secretKey) }, { timeoutMs, retries: 1 }),
        }),
      }),
    async close() {
      await mail.close()
      await stripe.close()
    },
  }
  return ground
}

/** The provider's session of one of our checkouts. */
export const sessionOf = (stripe: FakeStripe, checkoutId: string) =>
  stripe.sessions().find(({ metadata }) => metadata?.checkout_id === checkoutId) ?? assert.fail('no such session')

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
export const ok = (answer: MailAnswer, status = 200): any => {
  assert.equal(answer.status, status, answer.text)
  return answer.body
}

export const refused = (answer: MailAnswer, status: number, name: string, message?: RegExp): void => {
  assert.deepEqual([answer.status, answer.body?.name], [status, name], answer.text)
  if (message) assert.match(answer.body.message, message)
}

/** What the account has, as the API returns it. */
export const standing = async ({ client }: Payer) => {
  const { plan, subscription } = ok(await client.get('/api/entitlement'))
  return { plan: plan.slug, subscription }
}
