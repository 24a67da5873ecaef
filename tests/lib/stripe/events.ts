import { createHmac } from 'node:crypto'
import { missing } from './fault.ts'
import { listParams, params, text } from './form.ts'
import type { StripeEvent, StripeObject } from './objects.ts'
import { route } from './route.ts'
import { newId, nowOf, pageOf, type Store } from './store.ts'

/** Records an event with an object as it is now. */
export const emit = (store: Store, type: string, object: object, previous?: Record<string, unknown>): StripeEvent => {
  const event: StripeEvent = {
    id: newId('evt', 24),
    object: 'event',
    api_version: store.apiVersion,
    created: nowOf(store),
    data: {
      object: structuredClone(object) as Record<string, unknown>,
      ...(previous && { previous_attributes: previous }),
    },
    livemode: false,
    pending_webhooks: 1,
    request: { ...store.request },
    type,
  }
  store.events.push(event)
  store.onEvent(event)
  return event
}

/** Changes an object and records its previous values; nothing when it stays the same. */
export const change = <T extends StripeObject>(store: Store, type: string, object: T, values: Partial<T>): T => {
  const changed = Object.entries(values).filter(
    ([key, value]) => JSON.stringify(object[key as keyof T]) !== JSON.stringify(value),
  )
  if (changed.length === 0) return object
  const previous = structuredClone(Object.fromEntries(changed.map(([key]) => [key, object[key as keyof T]])))
  Object.assign(object, values)
  emit(store, type, object, previous)
  return object
}

export type Signing = { secrets: readonly string[]; at: Date }

/** `Stripe-Signature` over the bytes: the whole secret is the key, one `v1` for each. */
export const signatureOf = (payload: string | Buffer, { secrets, at }: Signing): string => {
  const time = Math.floor(at.getTime() / 1000)
  const signatures = secrets.map((secret) =>
    createHmac('sha256', secret).update(`${time}.`).update(payload).digest('hex'),
  )
  return [`t=${time}`, ...signatures.map((signature) => `v1=${signature}`)].join(',')
}

export const eventRoutes = [
  route('GET', '/v1/events', listParams({ type: text.optional() }), (store, page) =>
    pageOf(
      store.events.filter(({ type }) => page.type === undefined || type === page.type),
      page,
      '/v1/events',
    ),
  ),
  route('GET', '/v1/events/:', params({}), (store, _, id) => {
    const event = store.events.find((known) => known.id === id)
    if (!event) throw missing('event', id)
    return event
  }),
]
