import type { PaymentProvider } from '../provider.ts'
import { createCheckouts } from './checkouts.ts'
import { openClient, type StripeConfig, type StripeTuning } from './client.ts'
import { createCustomers } from './customers.ts'
import { readEvent } from './events.ts'
import { preview } from './preview.ts'
import { readPrices } from './prices.ts'
import { readCustomer } from './read-customer.ts'
import { createSubscriptions } from './subscriptions.ts'

/** Payments through Stripe, by its public SDK and the API version that this is made for. */
export const createStripe = async (config: StripeConfig, tuning?: StripeTuning): Promise<PaymentProvider> => {
  const stripe = await openClient(config, tuning)
  return {
    name: 'stripe',
    publishableKey: config.publishableKey,
    signatureHeader: 'stripe-signature',
    prices: (offers) => readPrices(stripe, offers),
    readCustomer: (customer) => readCustomer(stripe, customer),
    preview: (request) => preview(stripe, request, config),
    readEvent: (raw, signature, now) => readEvent(config.webhookSecrets, { raw, signature, now }),
    ...createCustomers(stripe),
    ...createCheckouts(stripe, config),
    ...createSubscriptions(stripe, config),
  }
}
