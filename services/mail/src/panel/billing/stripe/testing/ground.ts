import { newId } from '@stoa/kit/ids.ts'
import { Secret } from '@stoa/kit/secret.ts'
import { type FakeStripe, startFakeStripe } from '@stoa/tests/lib/stripe/stripe.ts'
import Stripe from 'stripe'
import {
  type PaymentProvider,
  type ProviderCustomer,
  ProviderError,
  type ProviderPrice,
  type ProviderSubscription,
} from '../../provider.ts'
import type { StripeConfig } from '../client.ts'
import { createStripe } from '../stripe.ts'

export const DAY = 86_400_000
/** More than the longest month, and the hour in which the invoice of a renewal is a draft. */
export const MONTH = 31 * DAY + 7_200_000

export const OFFERS = [
  { plan: 'starter', name: 'Starter', amountCents: 500, currency: 'eur' },
  { plan: 'pro', name: 'Pro', amountCents: 1_500, currency: 'eur' },
  { plan: 'business', name: 'Business', amountCents: 4_900, currency: 'eur' },
]

export type StripeGround = {
  fake: FakeStripe
  payments: PaymentProvider
  /** What the host does on Stripe's own screens. */
  host: Stripe
  price: (plan: string) => string
  read: (customer: string) => Promise<ProviderCustomer>
  readSubscription: (customer: string) => Promise<ProviderSubscription>
  /** The plan, that which is to follow, and whether it is to end. */
  planOf: (customer: string) => Promise<[string | null, string | null, boolean]>
  /** What was really taken from them. */
  taken: (customer: string) => number[]
  /** A customer with a saved card. */
  customer: () => Promise<{ customer: string; accountId: string; method: string }>
  /** One who is on a plan. */
  subscriber: (plan?: string, trialDays?: number) => Promise<Subscriber>
  close: () => Promise<void>
}
export type Subscriber = { customer: string; accountId: string; method: string; subscription: string }

export const configFor = (fake: FakeStripe, more: Partial<StripeConfig> = {}): StripeConfig => ({
  secretKey: new Secret(fake.secretKey),
  publishableKey: 'pk_test_1',
  webhookSecrets: [new Secret('whsec_1')],
  apiBase: fake.url,
  collectsTax: false,
  referralCreditCents: 0,
  ...more,
})

/** Stripe with the prices of our plans, with a clock that the test moves. */
export const startStripe = async (more: Partial<StripeConfig> = {}): Promise<StripeGround> => {
  const fake = await startFakeStripe({ now: () => new Date('2026-03-01T12:00:00.000Z') })
  // The SDK retries a broken connection once, whatever its settings.
  const payments = await createStripe(configFor(fake, more), { timeoutMs: 60_000, retries: 0 })
  const { prices } = await payments.prices(OFFERS)
  const price: StripeGround['price'] = (plan) => referenceOf(prices, plan)
  const customer: StripeGround['customer'] = async () => {
    const accountId = newId()
    const made = await payments.createCustomer({ accountId, email: 'ada@x.test', name: null, key: newId() })
    const { id: method } = fake.addMethod(made)
    await payments.setDefaultMethod({ customer: made, reference: method })
    return { customer: made, accountId, method }
  }
  const host = hostOf(fake)
  const read: StripeGround['read'] = async (id) =>
    (await payments.readCustomer(id)) ?? fail('there is no such customer')
  const readSubscription: StripeGround['readSubscription'] = async (id) =>
    (await read(id)).subscription ?? fail('nobody is subscribed')
  return {
    fake,
    payments,
    host,
    price,
    customer,
    read,
    readSubscription,
    planOf: async (id) => {
      const { plan, pendingPlan, cancelAtPeriodEnd } = await readSubscription(id)
      return [plan, pendingPlan, cancelAtPeriodEnd]
    },
    taken: (id) =>
      fake
        .charges()
        .filter((charge) => charge.customer === id)
        .map(({ amount }) => amount),
    subscriber: async (plan = 'pro', trialDays = 0) => {
      const made = await customer()
      await payments.subscribe({ ...made, price: price(plan), trialDays, key: newId() })
      return { ...made, subscription: (await readSubscription(made.customer)).reference }
    },
    close: fake.close,
  }
}

const referenceOf = (prices: readonly ProviderPrice[], plan: string): string =>
  prices.find((each) => each.plan === plan)?.reference ?? fail(`there is no price of ${plan}`)

const fail = (message: string): never => {
  throw new Error(message)
}

export const hostOf = (fake: FakeStripe): Stripe =>
  new Stripe(fake.secretKey, { host: '127.0.0.1', port: fake.port, protocol: 'http' })

export const URLS = { successUrl: 'https://mail.test/a', cancelUrl: 'https://mail.test/b', currency: 'eur' }

/** For assert.rejects. */
export const problem =
  (expected: ProviderError['problem'], message = /./) =>
  (error: unknown) =>
    error instanceof ProviderError && error.problem === expected && message.test(error.message)
