import type Stripe from 'stripe'
import type { TaxIdTable } from '../../../tables/billing.ts'
import type { ProviderCustomer, ProviderMethod } from '../provider.ts'
import { ask, askAll, idOrNull, toDate } from './client.ts'
import { isProblem } from './errors.ts'
import { chooseSubscription, toSubscription } from './read-subscription.ts'
import { toTransactions } from './transactions.ts'

/**
 * Everything of one customer. The invoices are read after the subscriptions, so that one which is said to be unpaid has
 * its invoice among them.
 */
export const readCustomer = async (stripe: Stripe, id: string): Promise<ProviderCustomer | undefined> => {
  const customer = await findCustomerById(stripe, id)
  if (!customer) return undefined
  const [subscriptions, methods, taxIds] = await Promise.all([
    askAll((page) => stripe.subscriptions.list({ ...page, customer: id, status: 'all', expand: ['data.schedule'] })),
    askAll((page) => stripe.customers.listPaymentMethods(id, page)),
    askAll((page) => stripe.customers.listTaxIds(id, page)),
  ])
  const [invoices, charges, creditNotes, balance] = await Promise.all([
    askAll((page) => stripe.invoices.list({ ...page, customer: id, expand: ['data.payments'] })),
    askAll((page) => stripe.charges.list({ ...page, customer: id, expand: ['data.refunds'] })),
    askAll((page) => stripe.creditNotes.list({ ...page, customer: id })),
    askAll((page) => stripe.customers.listBalanceTransactions(id, page)),
  ])
  const { subscription, others } = chooseSubscription(subscriptions)
  const own = subscription && !subscription.ended_at ? idOrNull(subscription.default_payment_method) : null
  const defaultMethod = own ?? idOrNull(customer.invoice_settings.default_payment_method)
  return {
    balanceCents: 0 - customer.balance,
    subscription: subscription ? await toSubscription(stripe, subscription, invoices) : null,
    otherSubscriptions: others.map((each) => each.id),
    methods: methods.flatMap((method) => toMethod(method, defaultMethod)),
    transactions: toTransactions({ invoices, charges, creditNotes, balance }),
    taxId: toTaxId(taxIds),
  }
}

const findCustomerById = async (stripe: Stripe, id: string): Promise<Stripe.Customer | undefined> => {
  try {
    const customer = await ask(() => stripe.customers.retrieve(id))
    return customer.deleted ? undefined : customer
  } catch (error) {
    if (isProblem(error, 'not_found')) return undefined
    throw error
  }
}

/** Kinds that nobody here knows how to show are left out. */
const toMethod = (method: Stripe.PaymentMethod, defaultMethod: string | null): ProviderMethod[] => {
  const base = { reference: method.id, is_default: method.id === defaultMethod, created_at: toDate(method.created) }
  const bare = { brand: null, last4: null, exp_month: null, exp_year: null }
  switch (method.type) {
    case 'card':
      return [
        {
          ...base,
          type: 'card',
          brand: method.card?.display_brand ?? method.card?.brand ?? null,
          last4: method.card?.last4 ?? null,
          exp_month: method.card?.exp_month ?? null,
          exp_year: method.card?.exp_year ?? null,
        },
      ]
    case 'sepa_debit':
      return [{ ...base, ...bare, type: 'sepa_debit', last4: method.sepa_debit?.last4 ?? null }]
    case 'paypal':
      return [{ ...base, ...bare, type: 'paypal' }]
    case 'link':
      return [{ ...base, ...bare, type: 'link' }]
    default:
      return []
  }
}

/** The newest: a customer has one here. */
const toTaxId = (taxIds: readonly Stripe.TaxId[]): ProviderCustomer['taxId'] => {
  const newest = taxIds.toSorted((one, other) => other.created - one.created)[0]
  if (!newest) return null
  const { id: reference, type, value, country, verification } = newest
  return { reference, type, value, country, status: STATUSES.get(verification?.status ?? '') ?? 'unavailable' }
}

const STATUSES: ReadonlyMap<string, TaxIdTable['status']> = new Map([
  ['pending', 'pending'],
  ['verified', 'verified'],
  ['unverified', 'unverified'],
])
