import type Stripe from 'stripe'
import type { PaymentProvider } from '../provider.ts'
import { ask, askAll, withKey, withNewKey } from './client.ts'
import { isProblem } from './errors.ts'

type Customers = Pick<
  PaymentProvider,
  'createCustomer' | 'findCustomer' | 'attachMethod' | 'setDefaultMethod' | 'detachMethod' | 'setTaxId' | 'credit'
>

export const createCustomers = (stripe: Stripe): Customers => ({
  createCustomer: async ({ accountId, email, name, key }) => {
    const customer = { email, ...(name !== null && { name }), metadata: { account_id: accountId } }
    return (await ask(() => stripe.customers.create(customer, withKey(key)))).id
  },

  findCustomer: async (accountId) => {
    const query = `metadata['account_id']:'${accountId.replace(/[^0-9a-zA-Z-]/g, '')}'`
    return (await ask(() => stripe.customers.search({ query, limit: 1 }))).data[0]?.id
  },

  attachMethod: async ({ customer, reference }) =>
    (await ask(() => stripe.paymentMethods.attach(reference, { customer }, withNewKey()))).id,

  setDefaultMethod: ({ customer, reference }) => setDefaultMethod(stripe, customer, reference),

  detachMethod: async (reference) => {
    try {
      await ask(() => stripe.paymentMethods.detach(reference, {}, withNewKey()))
    } catch (error) {
      if (!isProblem(error, 'not_found', 'invalid')) throw error
      if (await isAttached(stripe, reference)) throw error
    }
  },

  setTaxId: (request) => setTaxId(stripe, request),
  credit: (request) => credit(stripe, request),
})

const isAttached = async (stripe: Stripe, reference: string): Promise<boolean> => {
  try {
    return (await ask(() => stripe.paymentMethods.retrieve(reference))).customer !== null
  } catch (error) {
    if (isProblem(error, 'not_found')) return false
    throw error
  }
}

/**
 * The customer's default counts for a subscription without one of its own. The checkout gives it one, and a schedule
 * would bring it back.
 */
const setDefaultMethod = async (stripe: Stripe, customer: string, reference: string): Promise<void> => {
  const settings = { invoice_settings: { default_payment_method: reference } }
  await ask(() => stripe.customers.update(customer, settings, withNewKey()))
  const going = await askAll((page) => stripe.subscriptions.list({ ...page, customer, expand: ['data.schedule'] }))
  for (const { id, default_payment_method, schedule } of going) {
    if (default_payment_method !== null)
      await ask(() => stripe.subscriptions.update(id, { default_payment_method: '' }, withNewKey()))
    if (
      schedule !== null &&
      typeof schedule !== 'string' &&
      schedule.default_settings.default_payment_method !== null
    ) {
      const change = { default_settings: { default_payment_method: reference } }
      await ask(() => stripe.subscriptionSchedules.update(schedule.id, change, withNewKey()))
    }
  }
}

type TaxIdRequest = Parameters<PaymentProvider['setTaxId']>[0]

/** There is no way to change one: the new one is created before the old ones go. */
const setTaxId = async (stripe: Stripe, request: TaxIdRequest): Promise<void> => {
  const { customer } = request
  const before = await askAll((page) => stripe.customers.listTaxIds(customer, page))
  const same = before.find(
    ({ type, value }) => request.type !== null && type === request.type && value === request.value,
  )
  if (request.type !== null && !same) {
    const { type, value, key } = request
    await ask(() => stripe.customers.createTaxId(customer, { type, value }, withKey(key)))
  }
  for (const { id } of before)
    if (id !== same?.id)
      await ask(() => stripe.customers.deleteTaxId(customer, id)).catch((error: unknown) => {
        if (!isProblem(error, 'not_found')) throw error
      })
}

/** Found by its key again, for Stripe forgets keys. */
const credit: (stripe: Stripe, ...request: Parameters<PaymentProvider['credit']>) => Promise<string> = async (
  stripe,
  { customer, amountCents, currency, description, key },
) => {
  const entries = await askAll((page) => stripe.customers.listBalanceTransactions(customer, page))
  const before = entries.find(({ metadata }) => metadata?.[CREDIT_KEY] === key)
  if (before) return before.id
  const entry = { amount: -amountCents, currency, description, metadata: { [CREDIT_KEY]: key } }
  return (await ask(() => stripe.customers.createBalanceTransaction(customer, entry, withKey(key)))).id
}

const CREDIT_KEY = 'stoa_key'
