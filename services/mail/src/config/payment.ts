import { integer, oneOf, secret, text, url } from '@stoa/kit/config/kinds.ts'
import { ConfigError, type ConfigOf, type Environment } from '@stoa/kit/config.ts'
import { Secret } from '@stoa/kit/secret.ts'

/** Plans, and whom they are paid through. */
export const paymentVariables = {
  BILLING: oneOf('off', 'on')({ default: 'off', doc: 'Whether customers have plans. When off, nobody has limits.' }),
  STRIPE_SECRET_KEY: secret({ doc: "Secret key of your Stripe account, sk_…. Without it, customers can't pay." }),
  STRIPE_PUBLISHABLE_KEY: text({ doc: 'Publishable key of the same Stripe account, pk_…. API clients can read it.' }),
  STRIPE_WEBHOOK_SECRET: secret({
    doc: 'Signing secret of your Stripe webhook endpoint, whsec_…. Enter several, separated by commas, while you rotate it. Required with STRIPE_SECRET_KEY.',
  }),
  PAYMENT_WEBHOOK_SECRET: secret({ doc: 'Another name for STRIPE_WEBHOOK_SECRET.' }),
  STRIPE_API_BASE: url(
    'https',
    'http',
  )({ default: 'https://api.stripe.com', doc: "URL of Stripe's API, if you use a proxy." }),
  STRIPE_TAX: oneOf('off', 'on')({ default: 'off', doc: 'Whether Stripe Tax adds taxes to payments.' }),
  REFERRAL_CREDIT_CENTS: integer({ min: 0, max: 1_000_000 })({
    default: '0',
    doc: 'Credit in cents for an account when someone it referred pays for the first time. 0 turns referral credit off.',
  }),
}

/** What the payment provider needs, as far as it is known. */
export type Payment = Readonly<{
  secretKey: Secret | null
  publishableKey: string | null
  /** Any of them may have signed a callback. */
  webhookSecrets: readonly Secret[]
  apiBase: string
  collectsTax: boolean
  referralCreditCents: number
}>

/** Throws ConfigError when payments are switched on by half. */
export const readPayment = (values: ConfigOf<typeof paymentVariables> & { NODE_ENV: Environment }): Payment => {
  const secretKey = values.STRIPE_SECRET_KEY ?? null
  const publishableKey = values.STRIPE_PUBLISHABLE_KEY ?? null
  const webhookSecrets = splitSecrets(values.STRIPE_WEBHOOK_SECRET ?? values.PAYMENT_WEBHOOK_SECRET)
  if (values.BILLING === 'on' && secretKey !== null) {
    if (webhookSecrets.length === 0 && values.NODE_ENV === 'production')
      throw new ConfigError([
        { name: 'STRIPE_WEBHOOK_SECRET', problem: `is missing. Set it: ${paymentVariables.STRIPE_WEBHOOK_SECRET.doc}` },
      ])
    if (publishableKey !== null && isLive(publishableKey) !== isLive(secretKey.reveal()))
      throw new ConfigError([
        {
          name: 'STRIPE_PUBLISHABLE_KEY',
          problem: "doesn't match the mode of STRIPE_SECRET_KEY. Use both keys from test mode, or both from live mode.",
        },
      ])
  }
  return {
    secretKey,
    publishableKey,
    webhookSecrets,
    apiBase: values.STRIPE_API_BASE,
    collectsTax: values.STRIPE_TAX === 'on',
    referralCreditCents: values.REFERRAL_CREDIT_CENTS,
  }
}

const isLive = (key: string): boolean => /^[a-z]+_live_/.test(key)

const splitSecrets = (given: Secret | undefined): Secret[] =>
  (given?.reveal() ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => new Secret(part))
