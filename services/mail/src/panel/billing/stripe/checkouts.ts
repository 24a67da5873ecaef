import type Stripe from 'stripe'
import type { CheckoutRequest, PaymentProvider, ProviderCheckout } from '../provider.ts'
import { ask, idOrNull, toDate, withKey, withNewKey } from './client.ts'
import { isProblem } from './errors.ts'

type Checkouts = Pick<PaymentProvider, 'openCheckout' | 'readCheckout' | 'expireCheckout'>

export const createCheckouts = (stripe: Stripe, { collectsTax }: { collectsTax: boolean }): Checkouts => {
  const readCheckout: Checkouts['readCheckout'] = async (reference) => {
    try {
      return toCheckout(await ask(() => stripe.checkout.sessions.retrieve(reference, { expand: ['setup_intent'] })))
    } catch (error) {
      if (isProblem(error, 'not_found')) return undefined
      throw error
    }
  }
  return {
    openCheckout: async (request) => {
      const params = request.mode === 'setup' ? setupParams(request) : subscriptionParams(request, collectsTax)
      const { id, url, expires_at } = await ask(() => stripe.checkout.sessions.create(params, withKey(request.key)))
      if (url === null) throw new Error(`the checkout ${id} has no page`)
      return { reference: id, url, expiresAt: toDate(expires_at) }
    },
    readCheckout,
    expireCheckout: async (reference) => {
      try {
        await ask(() => stripe.checkout.sessions.expire(reference, {}, withNewKey()))
      } catch (error) {
        if (!isProblem(error, 'invalid', 'not_found')) throw error
        if ((await readCheckout(reference))?.status === 'open') throw error
      }
    },
  }
}

const commonParams = ({ customer, accountId, checkoutId, successUrl, cancelUrl }: CheckoutRequest) => ({
  customer,
  client_reference_id: accountId,
  metadata: { account_id: accountId, checkout_id: checkoutId },
  success_url: successUrl,
  cancel_url: cancelUrl,
})

const setupParams = (request: CheckoutRequest): Stripe.Checkout.SessionCreateParams => ({
  ...commonParams(request),
  mode: 'setup',
  currency: request.currency,
})

/** Tax needs the address that the page asks for, and applies to the owner of the tax id that it asks for. */
const subscriptionParams = (
  request: CheckoutRequest & { mode: 'subscription' },
  collectsTax: boolean,
): Stripe.Checkout.SessionCreateParams => ({
  ...commonParams(request),
  mode: 'subscription',
  line_items: [{ price: request.price, quantity: 1 }],
  payment_method_collection: 'always',
  subscription_data: {
    metadata: { account_id: request.accountId },
    ...(request.trialDays > 0 && { trial_period_days: request.trialDays }),
  },
  ...(collectsTax && {
    automatic_tax: { enabled: true },
    tax_id_collection: { enabled: true },
    customer_update: { address: 'auto', name: 'auto' },
  }),
})

const STATUSES = ['open', 'complete', 'expired'] as const

const toCheckout = ({ status, customer, setup_intent }: Stripe.Checkout.Session): ProviderCheckout => {
  const intent = typeof setup_intent === 'string' ? null : setup_intent
  return {
    status: STATUSES.find((each) => each === status) ?? 'open',
    customer: idOrNull(customer),
    method: status === 'complete' ? idOrNull(intent?.payment_method) : null,
  }
}
