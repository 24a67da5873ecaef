import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Subscription } from '@stoa/mail-model/plans.ts'
import { nextPaymentWords, unsubscribedWords } from './standing-words.ts'
import { entitlementLike, planLike, subscriptionLike } from './testing/plans.ts'

const now = new Date('2026-03-01T12:00:00Z')
const visa = { type: 'card', brand: 'visa', last4: '4242' } as const
const end = '2026-03-15T12:00:00.000Z'

describe('the next payment', () => {
  const words = (change: Partial<Subscription>, method?: typeof visa) =>
    nextPaymentWords(subscriptionLike({ current_period_end: end, ...change }), method, now)

  test('is the renewal, with the card that pays it', () => {
    assert.match(words({}, visa), /^Renews on .*15.*, paid with Visa ending in 4242\.$/)
    assert.match(words({}), /^Renews on [^,]*15[^,]*\.$/)
  })

  test('of a trial is due when it ends, and never when it was cancelled', () => {
    const trial = { status: 'trialing', trial_end: end } as const
    assert.match(
      words(trial, visa),
      /^Your trial ends on .*15.*\. The first payment is due then, paid with Visa ending in 4242\.$/,
    )
    assert.match(
      words({ ...trial, cancel_at_period_end: true }, visa),
      /^You won't be charged\. Your trial runs until .*15.*\.$/,
    )
  })

  test('is none once the plan was cancelled, and one that is late says since when', () => {
    assert.match(words({ cancel_at_period_end: true }, visa), /^No further payments\. Your plan runs until .*15.*\.$/)
    assert.match(
      words({ status: 'past_due', past_due_at: '2026-02-20T12:00:00.000Z' }),
      /^Payment has been due since .*20/,
    )
  })
})

describe('an account that pays nothing', () => {
  const free = planLike({ slug: 'free', name: 'Free', price_cents: 0 })
  const starter = planLike({ slug: 'starter', name: 'Starter', price_cents: 500 })
  const words = (subscription: Subscription | null, plan = free) =>
    unsubscribedWords({ entitlement: entitlementLike(plan, subscription), plans: [free, starter], provider: undefined })

  test('learns why, and what to do', () => {
    assert.match(words(null), /^Upgrade when you need more than Free includes\./)
    const stopped = (status: Subscription['status']) => words(subscriptionLike({ status, plan_id: starter.id }))
    assert.equal(
      stopped('paused'),
      'Your trial of Starter ended without a payment method, so Starter is paused. Choose it again to continue.',
    )
    assert.match(stopped('incomplete'), /wasn't completed/)
    assert.match(stopped('cancelled'), /invoice is unpaid/)
    assert.match(words(null, planLike({ slug: 'unlimited', price_cents: 0 })), /^You run this instance/)
  })
})
