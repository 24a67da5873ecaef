import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type Stripe from 'stripe'
import { chooseSubscription } from './read-subscription.ts'

type Facts = { id: string; created: number; status?: Stripe.Subscription.Status; lookupKey?: string | null }

/** As much of one as a choice looks at. */
const subscription = ({ id, created, status = 'active', lookupKey = 'stoa_pro_month' }: Facts): Stripe.Subscription => {
  const items = { data: [{ price: { metadata: {}, lookup_key: lookupKey } }] }
  return { id, created, status, items } as unknown as Stripe.Subscription
}
const choose = (...all: Facts[]) => {
  const { subscription: chosen, others } = chooseSubscription(all.map(subscription))
  return [chosen?.id, others.map(({ id }) => id)]
}

describe('of several subscriptions', () => {
  test('the newest that goes on counts, and one that waits for a payment or a card last', () => {
    assert.deepEqual(choose({ id: 'old', created: 1 }, { id: 'new', created: 2 }), ['new', ['old']])
    for (const status of ['incomplete', 'paused'] as const)
      assert.deepEqual(choose({ id: 'paid', created: 1 }, { id: 'waits', created: 2, status }), ['paid', ['waits']])
    assert.deepEqual(choose({ id: 'ended', created: 2, status: 'canceled' }, { id: 'on', created: 1 }), ['on', []])
    assert.deepEqual(choose({ id: 'ended', created: 2, status: 'canceled' }), ['ended', []])
    assert.deepEqual(choose(), [undefined, []])
  })

  test('what was sold to the customer besides is neither taken for a plan nor ended', () => {
    const besides = { id: 'support', created: 9, lookupKey: null }
    assert.deepEqual(choose(besides, { id: 'plan', created: 1 }), ['plan', []])
    assert.deepEqual(choose({ ...besides, status: 'canceled' }, { id: 'plan', created: 1, status: 'canceled' }), [
      'plan',
      [],
    ])
  })
})
