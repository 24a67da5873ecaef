import { randomBytes } from 'node:crypto'
import type { CardBehaviour } from './cards.ts'
import { invalid, missing } from './fault.ts'
import type { Range } from './form.ts'
import type {
  DeletedCustomer,
  InvoiceLine,
  List,
  MissingMethod,
  StripeEvent,
  StripeObject,
  SubscriptionStatus,
  TaxIdStatus,
} from './objects.ts'

/** The settings of the Stripe account. */
export type StripeSettings = {
  /** Days after a failed payment on which it is tried again. */
  retryDays: readonly number[]
  /** The state of a subscription after all retries failed. */
  afterRetries: Extract<SubscriptionStatus, 'canceled' | 'unpaid' | 'past_due'>
  /** How long the invoice of a renewal stays a draft. */
  draftMs: number
  /** Added to prices where automatic tax is on and the place of the customer is known. */
  taxPercent: number
  /** How long a debit of a bank account takes. */
  debitMs: number
  /** The result of checking a new tax id, once `advance` or `verifyTaxId` reaches it. */
  taxIdStatus: (taxId: { type: string; value: string }) => TaxIdStatus
  /** After what time an object is found by search. */
  searchLagMs: number
}

type Name = StripeObject['object']
export type ObjectOf<N extends Name> = Extract<StripeObject, { object: N }>

export type Store = {
  readonly origin: string
  readonly settings: StripeSettings
  readonly apiVersion: string
  /** Milliseconds: the test's time and what was advanced. */
  clock: { now: () => number; ahead: number }
  kinds: Map<string, Map<string, StripeObject>>
  deleted: Map<string, DeletedCustomer>
  cards: Map<string, CardBehaviour>
  /** Prorations that wait for the next invoice, by subscription. */
  prorations: Map<string, InvoiceLine[]>
  checkouts: Map<string, CheckoutSecrets>
  events: StripeEvent[]
  onEvent: (event: StripeEvent) => void
  /** The request that is being processed. */
  request: { id: string | null; idempotency_key: string | null }
}
/** The parts of a checkout session that the API never returns. */
export type CheckoutSecrets = {
  price: string | null
  quantity: number
  trialEnd: number | null
  subscriptionMetadata: Record<string, string>
  /** The method that waits for the bank's page. */
  challenged: string | null
  missingMethod: MissingMethod
}

export const nowOf = (store: Store): number => Math.floor((store.clock.now() + store.clock.ahead) / 1000)
export const DAY = 86_400

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
export const newId = (prefix: string, length = 14): string =>
  `${prefix}_${[...randomBytes(length)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('')}`

export const base = <N extends Name>(store: Store, object: N, prefix: string, length?: number) => ({
  id: newId(prefix, length),
  object,
  created: nowOf(store),
  livemode: false as const,
})

const KINDS: Readonly<Record<Name, string>> = {
  charge: 'charge',
  'checkout.session': 'checkout.session',
  credit_note: 'credit note',
  customer: 'customer',
  customer_balance_transaction: 'customer balance transaction',
  dispute: 'dispute',
  invoice: 'invoice',
  invoice_payment: 'invoice payment',
  payment_intent: 'payment_intent',
  payment_method: 'PaymentMethod',
  price: 'price',
  product: 'product',
  refund: 'refund',
  setup_intent: 'setupintent',
  subscription: 'subscription',
  subscription_schedule: 'subscription schedule',
  tax_id: 'tax_id',
}

export const add = <T extends StripeObject>(store: Store, object: T): T => {
  const kind = store.kinds.get(object.object) ?? new Map<string, StripeObject>()
  store.kinds.set(object.object, kind.set(object.id, object))
  return object
}

export const remove = (store: Store, object: StripeObject): void => {
  store.kinds.get(object.object)?.delete(object.id)
}

/** Oldest first. */
export const all = <N extends Name>(store: Store, name: N): ObjectOf<N>[] =>
  [...(store.kinds.get(name)?.values() ?? [])] as ObjectOf<N>[]

export const find = <N extends Name>(store: Store, name: N, id: string): ObjectOf<N> | undefined =>
  store.kinds.get(name)?.get(id) as ObjectOf<N> | undefined

/** `param` is where the id came from; without it from the path. */
export const get = <N extends Name>(store: Store, name: N, id: string, param?: string): ObjectOf<N> => {
  const object = find(store, name, id)
  if (!object) throw missing(KINDS[name], id, param)
  return object
}

/** Oldest first; with a customer, who must be there or have been there, only theirs. */
export const allOf = <N extends Exclude<Name, 'customer' | 'dispute' | 'invoice_payment' | 'price' | 'product'>>(
  store: Store,
  name: N,
  customer: string | undefined,
): ObjectOf<N>[] => {
  if (customer === undefined) return all(store, name)
  if (!store.deleted.has(customer)) get(store, 'customer', customer, 'customer')
  return all(store, name).filter((object) => (object as { customer: string | null }).customer === customer)
}

export const anyObject = (store: Store, id: string): StripeObject | undefined => {
  for (const kind of store.kinds.values()) {
    const object = kind.get(id)
    if (object) return object
  }
  return undefined
}

export type Page = {
  limit?: number | undefined
  starting_after?: string | undefined
  ending_before?: string | undefined
  created?: Range | undefined
}

const MAX_PAGE = 100
const PAGE = 10

/** A page of what is given oldest first, newest first. */
export const pageOf = <T extends { id: string; object: string; created: number }>(
  objects: readonly T[],
  page: Page,
  url: string,
): List<T> => {
  const { limit = PAGE, starting_after, ending_before, created } = page
  if (limit < 1 || limit > MAX_PAGE) {
    throw invalid(`This value must be between 1 and ${MAX_PAGE}.`, {
      code: 'parameter_invalid_integer',
      param: 'limit',
    })
  }
  const newest = objects.filter((object) => isWithin(object.created, created)).toReversed()
  const index = (id: string, param: string): number => {
    const at = newest.findIndex((object) => object.id === id)
    if (at < 0) throw missing(KINDS[objects[0]?.object as Name] ?? 'object', id, param)
    return at
  }
  if (ending_before !== undefined) {
    const end = index(ending_before, 'ending_before')
    const start = Math.max(0, end - limit)
    return { object: 'list', data: newest.slice(start, end), has_more: start > 0, url }
  }
  const start = starting_after === undefined ? 0 : index(starting_after, 'starting_after') + 1
  return { object: 'list', data: newest.slice(start, start + limit), has_more: newest.length > start + limit, url }
}

const isWithin = (created: number, range: Range | undefined): boolean => {
  if (range === undefined) return true
  if (typeof range === 'number') return created === range
  const { gt, gte, lt, lte } = range
  return (
    (gt === undefined || created > gt) &&
    (gte === undefined || created >= gte) &&
    (lt === undefined || created < lt) &&
    (lte === undefined || created <= lte)
  )
}
