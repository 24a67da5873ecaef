import { signatureOf } from './events.ts'
import type { StripeEvent } from './objects.ts'

/** The endpoint that receives the account's events. */
export type WebhookEndpoint = {
  url: string
  /** One signature is made with each. */
  secrets: readonly string[]
}

export type DeliverOptions = {
  /** Which of the waiting ones; default all. */
  only?: (event: StripeEvent) => boolean
  /** The order of delivery: as the events happened, newest first, or shuffled by a seed. */
  order?: 'happened' | 'backwards' | { shuffled: number }
  /** How often each is sent. */
  times?: number
  /** The time in the signature; default now. */
  at?: Date
}
export type Delivery = { event: StripeEvent; status: number | 'failed' }

export const inOrder = (events: readonly StripeEvent[], order: DeliverOptions['order'] = 'happened'): StripeEvent[] => {
  if (order === 'happened') return [...events]
  if (order === 'backwards') return events.toReversed()
  const random = seeded(order.shuffled)
  return events
    .map((event) => ({ event, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ event }) => event)
}

const seeded = (seed: number) => {
  let state = (seed * 2_654_435_761 + 1) >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

export const payloadOf = (event: StripeEvent): string => JSON.stringify(event, null, 2)

export const sendEvent = async (event: StripeEvent, endpoint: WebhookEndpoint, at: Date): Promise<Delivery> => {
  const body = payloadOf(event)
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'stripe-signature': signatureOf(body, { secrets: endpoint.secrets, at }),
    'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
  }
  try {
    const response = await fetch(endpoint.url, { method: 'POST', headers, body, redirect: 'manual' })
    await response.arrayBuffer()
    return { event, status: response.status }
  } catch {
    return { event, status: 'failed' }
  }
}
