import { z } from 'zod'
import { moveBalance } from './balance.ts'
import { ownMethod } from './cards.ts'
import { change, emit } from './events.ts'
import { invalid, missing } from './fault.ts'
import { address, integer, listParams, mergeMetadata, metadata, oneOf, params, text, unsettable } from './form.ts'
import { endSubscription } from './lifecycle.ts'
import type { Address, Customer } from './objects.ts'
import { route } from './route.ts'
import { add, all, base, get, newId, nowOf, pageOf, remove, type Store } from './store.ts'
import { createTaxId, taxIdTypes } from './tax-ids.ts'

const common = {
  address: z.union([z.literal(''), address]).optional(),
  balance: integer.optional(),
  description: unsettable.optional(),
  email: unsettable.optional(),
  invoice_settings: z.strictObject({ default_payment_method: unsettable.optional() }).optional(),
  metadata: metadata.optional(),
  name: unsettable.optional(),
  phone: unsettable.optional(),
  preferred_locales: z.array(text).optional(),
  tax_exempt: oneOf('none', 'exempt', 'reverse').optional(),
}
const createShape = params({
  ...common,
  tax_id_data: z.array(z.strictObject({ type: oneOf(...taxIdTypes), value: text })).optional(),
})
const updateShape = params(common)

const create = (store: Store, given: z.output<typeof createShape>): Customer => {
  checkEmail(given.email)
  const customer: Customer = {
    ...base(store, 'customer', 'cus'),
    address: null,
    balance: given.balance ?? 0,
    currency: null,
    default_source: null,
    delinquent: false,
    description: given.description ?? null,
    discount: null,
    email: given.email ?? null,
    invoice_prefix: newId('x', 8).slice(2).toUpperCase(),
    invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
    metadata: mergeMetadata({}, given.metadata),
    name: given.name ?? null,
    next_invoice_sequence: 1,
    phone: given.phone ?? null,
    preferred_locales: given.preferred_locales ?? [],
    shipping: null,
    tax_exempt: given.tax_exempt ?? 'none',
    test_clock: null,
  }
  if (given.address) customer.address = wholeAddress(given.address)
  if (given.invoice_settings?.default_payment_method) {
    throw invalid('The payment method must be attached to the customer first.', {
      param: 'invoice_settings[default_payment_method]',
    })
  }
  add(store, customer)
  emit(store, 'customer.created', customer)
  for (const taxId of given.tax_id_data ?? []) createTaxId(store, customer, taxId)
  return customer
}

const update = (store: Store, given: z.output<typeof updateShape>, id: string): Customer => {
  const customer = get(store, 'customer', id)
  checkEmail(given.email)
  const { address: place, invoice_settings: settings, balance, metadata: _, ...plain } = given
  const values: Partial<Customer> = {
    ...(plain.description !== undefined && { description: plain.description }),
    ...(plain.email !== undefined && { email: plain.email }),
    ...(plain.name !== undefined && { name: plain.name }),
    ...(plain.phone !== undefined && { phone: plain.phone }),
    ...(plain.preferred_locales && { preferred_locales: plain.preferred_locales }),
    ...(plain.tax_exempt && { tax_exempt: plain.tax_exempt }),
    ...(place !== undefined && { address: place === '' ? null : wholeAddress(place) }),
    metadata: mergeMetadata(customer.metadata, given.metadata),
  }
  const method = settings?.default_payment_method
  if (method !== undefined) {
    if (method !== null) ownMethod(store, customer, method, 'invoice_settings[default_payment_method]')
    values.invoice_settings = { ...customer.invoice_settings, default_payment_method: method }
  }
  change(store, 'customer.updated', customer, values)
  if (balance !== undefined && balance !== customer.balance) {
    moveBalance(store, customer, { amount: balance - customer.balance, type: 'adjustment' })
  }
  return customer
}

const checkEmail = (email: string | null | undefined): void => {
  if (email && !/^[^\s@]+@[^\s@]+$/.test(email)) {
    throw invalid(`Invalid email address: ${email}`, { code: 'email_invalid', param: 'email' })
  }
}

export const wholeAddress = (given: { [K in keyof Address]?: string | undefined }): Address => ({
  city: given.city || null,
  country: given.country || null,
  line1: given.line1 || null,
  line2: given.line2 || null,
  postal_code: given.postal_code || null,
  state: given.state || null,
})

const del = (store: Store, id: string): object => {
  const customer = get(store, 'customer', id)
  for (const subscription of all(store, 'subscription')) {
    if (subscription.customer === id) endSubscription(store, subscription, 'cancellation_requested')
  }
  for (const method of all(store, 'payment_method')) if (method.customer === id) remove(store, method)
  remove(store, customer)
  const deleted = { id, object: 'customer' as const, deleted: true as const }
  store.deleted.set(id, deleted)
  emit(store, 'customer.deleted', customer)
  return deleted
}

const SEARCH = /^(?:metadata\[(['"])([^'"]+)\1\]|(email)):(['"])([^'"]*)\4$/

/** Finds what has been there for a while: Stripe's index lags behind. */
const search = (store: Store, query: string, limit = 10): object => {
  const terms = query.split(/ AND /i).map((term) => SEARCH.exec(term.trim()))
  if (terms.some((term) => term === null))
    throw invalid('We were unable to parse your search query.', { param: 'query' })
  const indexed = nowOf(store) - store.settings.searchLagMs / 1000
  const found = all(store, 'customer').filter(
    (customer) =>
      customer.created <= indexed &&
      terms.every((term) => (term?.[2] ? customer.metadata[term[2]] : customer.email) === term?.[5]),
  )
  const data = found.toReversed().slice(0, limit)
  const has_more = found.length > limit
  return { object: 'search_result', data, has_more, next_page: null, url: '/v1/customers/search' }
}

const balanceShape = params({
  amount: integer,
  currency: text,
  description: text.optional(),
  metadata: metadata.optional(),
})

export const customerRoutes = [
  route('POST', '/v1/customers', createShape, create),
  route('GET', '/v1/customers', listParams({ email: text.optional() }), (store, page) =>
    pageOf(
      all(store, 'customer').filter(({ email }) => page.email === undefined || email === page.email),
      page,
      '/v1/customers',
    ),
  ),
  route(
    'GET',
    '/v1/customers/search',
    params({ query: text, limit: integer.optional(), page: text.optional() }),
    (store, given) => search(store, given.query, given.limit),
  ),
  route('GET', '/v1/customers/:', params({}), (store, _, id) => store.deleted.get(id) ?? get(store, 'customer', id)),
  route('POST', '/v1/customers/:', updateShape, update),
  route('DELETE', '/v1/customers/:', params({}), (store, _, id) => del(store, id)),
  route('POST', '/v1/customers/:/balance_transactions', balanceShape, (store, given, id) =>
    moveBalance(store, get(store, 'customer', id), {
      amount: given.amount,
      type: 'adjustment',
      currency: given.currency.toLowerCase(),
      description: given.description ?? null,
      metadata: mergeMetadata({}, given.metadata),
    }),
  ),
  route('GET', '/v1/customers/:/balance_transactions', listParams({ invoice: text.optional() }), (store, page, id) => {
    get(store, 'customer', id)
    const own = all(store, 'customer_balance_transaction').filter(
      ({ customer, invoice }) => customer === id && (page.invoice === undefined || invoice === page.invoice),
    )
    return pageOf(own, page, `/v1/customers/${id}/balance_transactions`)
  }),
  route('GET', '/v1/customers/:/balance_transactions/:', params({}), (store, _, id, second) => {
    const transaction = get(store, 'customer_balance_transaction', second)
    if (transaction.customer !== id) throw missing('customer balance transaction', second)
    return transaction
  }),
]
