import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Subscription } from '@stoa/mail-model/plans.ts'
import { changeTo, dunningOf, subscribedPlan } from './standing.ts'
import { entitlementLike, planLike, subscriptionLike } from './testing/plans.ts'

const free = planLike({ slug: 'free', price_cents: 0 })
const starter = planLike({ slug: 'starter', price_cents: 500 })
const pro = planLike({ slug: 'pro', price_cents: 1_500 })
const business = planLike({ slug: 'business', price_cents: 4_900 })
const plans = [free, starter, pro, business]

const changes = (subscription: Subscription | null, current = subscription ? pro : free) =>
  plans.map((plan) => changeTo(plan, entitlementLike(current, subscription), plans))

describe('what choosing a plan does', () => {
  test('without a subscription every plan with a price starts one', () => {
    assert.deepEqual(changes(null), ['none', 'start', 'start', 'start'])
    const free = subscriptionLike({ plan_id: 'free' })
    assert.deepEqual(changes(free, planLike({ slug: 'free', price_cents: 0 })), ['none', 'start', 'start', 'start'])
  })

  test('on a paid plan a dearer one is at once, a cheaper one later, the free one the end', () => {
    assert.deepEqual(changes(subscriptionLike({})), ['cancel', 'downgrade', 'none', 'upgrade'])
  })

  test('what is to end or to change can be kept', () => {
    assert.deepEqual(changes(subscriptionLike({ cancel_at_period_end: true })), [
      'scheduled',
      'downgrade',
      'keep',
      'upgrade',
    ])
    assert.deepEqual(changes(subscriptionLike({ pending_plan_id: 'starter' })), [
      'cancel',
      'scheduled',
      'keep',
      'upgrade',
    ])
  })

  test('plans of a month and of a year are compared by what a month costs', () => {
    const yearly = planLike({ slug: 'starter', price_cents: 5_000, interval: 'year' })
    const offers = [free, yearly, pro]
    const onStarter = entitlementLike(yearly, subscriptionLike({ plan_id: 'starter' }))
    assert.equal(changeTo(pro, onStarter, offers), 'upgrade')
    assert.equal(changeTo(yearly, entitlementLike(pro, subscriptionLike({})), offers), 'downgrade')
  })

  test('a subscription that has ended, never began or is paused is none', () => {
    for (const status of ['cancelled', 'incomplete', 'paused'] as const)
      assert.deepEqual(changes(subscriptionLike({ status }), free), ['none', 'start', 'start', 'start'])
  })

  test('one that ended because it was not paid can be begun again, also while its limits still hold', () => {
    assert.deepEqual(changes(subscriptionLike({ status: 'cancelled', past_due_at: '2026-03-05T00:00:00.000Z' })), [
      'scheduled',
      'start',
      'start',
      'start',
    ])
  })

  test('the plan that was not paid for stays the subscribed one when the limits of the free one hold', () => {
    const entitlement = entitlementLike(free, subscriptionLike({ status: 'unpaid' }))
    assert.equal(subscribedPlan(entitlement, plans).slug, 'pro')
    assert.equal(changeTo(free, entitlement, plans), 'cancel')
  })
})

test('an unpaid invoice counts from the day it was due, whatever the state of the subscription is', () => {
  const now = new Date('2026-03-20T00:00:00Z')
  const past_due_at = '2026-03-05T00:00:00.000Z'
  assert.equal(dunningOf(entitlementLike(free, null), now), null)
  assert.equal(dunningOf(entitlementLike(pro, subscriptionLike({})), now), null)
  for (const status of ['past_due', 'unpaid', 'cancelled'] as const)
    assert.equal(
      dunningOf(entitlementLike(pro, subscriptionLike({ status, past_due_at })), now)?.stage,
      'sending_stopped',
    )
  const owner = entitlementLike(planLike({ slug: 'unlimited' }), subscriptionLike({ past_due_at }))
  assert.equal(dunningOf(owner, now), null)
})
