import { invalid } from './fault.ts'
import type { StripeObject } from './objects.ts'
import { all, anyObject, get, pageOf, type Store } from './store.ts'

type Json = { [key: string]: unknown }

/** Lists that are left out unless they are asked for. */
const INCLUDES: Readonly<Record<string, (store: Store, object: Json) => unknown>> = {
  'charge.refunds': (store, { id }) =>
    listOf(store, 'refund', ({ charge }) => charge === id, `/v1/charges/${String(id)}/refunds`),
  'customer.subscriptions': (store, { id }) =>
    listOf(
      store,
      'subscription',
      ({ customer, status }) => customer === id && status !== 'canceled' && status !== 'incomplete_expired',
      `/v1/customers/${String(id)}/subscriptions`,
    ),
  'customer.tax_ids': (store, { id }) =>
    listOf(store, 'tax_id', ({ customer }) => customer === id, `/v1/customers/${String(id)}/tax_ids`),
  'invoice.payments': (store, { id }) =>
    listOf(store, 'invoice_payment', ({ invoice }) => invoice === id, `/v1/invoices/${String(id)}/payments`),
  'checkout.session.line_items': (store, { id }) => {
    const secrets = store.checkouts.get(String(id))
    const price = secrets?.price ? get(store, 'price', secrets.price) : null
    const data = price ? [{ id: `li_${String(id)}`, object: 'item', price, quantity: secrets?.quantity }] : []
    return { object: 'list', data, has_more: false, url: `/v1/checkout/sessions/${String(id)}/line_items` }
  },
}

const listOf = <N extends StripeObject['object']>(
  store: Store,
  name: N,
  isWanted: (object: Extract<StripeObject, { object: N }>) => boolean,
  url: string,
) => pageOf(all(store, name).filter(isWanted), {}, url)

const MAX_DEPTH = 4

/** A copy of an answer with the wished references replaced by what they stand for. */
export const expandAnswer = (store: Store, answer: object, paths: readonly string[]): Json => {
  const copy = structuredClone(answer) as Json
  for (const path of paths) {
    const parts = path.split('.')
    const depth = parts[0] === 'data' ? parts.length - 1 : parts.length
    if (depth > MAX_DEPTH) throw invalid('You cannot expand more than 4 levels of a property', { param: 'expand' })
    expandPath(store, copy, parts, path)
  }
  return copy
}

const expandPath = (store: Store, holder: unknown, [name, ...rest]: readonly string[], path: string): void => {
  if (name === undefined || holder === null || typeof holder !== 'object') return
  if (Array.isArray(holder)) {
    for (const member of holder) expandPath(store, member, [name, ...rest], path)
    return
  }
  const object = holder as Json
  const include = INCLUDES[`${String(object.object)}.${name}`]
  if (object[name] === undefined && include) object[name] = structuredClone(include(store, object))
  const value = object[name]
  if (value === undefined) {
    throw invalid(
      `This property cannot be expanded (${name}). You may want to try expanding a different property: ${path}`,
      { param: 'expand' },
    )
  }
  if (typeof value === 'string') {
    const target = anyObject(store, value) ?? store.deleted.get(value)
    if (!target) throw invalid(`This property cannot be expanded (${path}).`, { param: 'expand' })
    object[name] = structuredClone(target)
  }
  if (rest.length > 0) expandPath(store, object[name], rest, path)
}
