import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { nextStep, type PaidSubscription, type SubscriptionStep } from './next-step.ts'

const free = { plan: 'free', priceCents: 0 }
const starter = { plan: 'starter', priceCents: 500 }
const pro = { plan: 'pro', priceCents: 1_500 }
const business = { plan: 'business', priceCents: 4_900 }

const onPro: PaidSubscription = { ...pro, status: 'active', cancelAtPeriodEnd: false, pendingPlan: null }
const cancelled = { ...onPro, cancelAtPeriodEnd: true }
const downgraded = { ...onPro, pendingPlan: 'starter' }
const incomplete = { ...onPro, status: 'incomplete' } as const
const paused = { ...onPro, status: 'paused' } as const

const cases: [string, PaidSubscription | null, typeof free, SubscriptionStep | null][] = [
  ['nothing to a paid plan subscribes', null, pro, 'subscribe'],
  ['nothing to the free plan is nothing to do', null, free, null],
  ['the same plan is nothing to do', onPro, pro, null],
  ['a dearer plan is changed to at once', onPro, business, 'upgrade'],
  ['another plan of the same price is changed to at once', onPro, { plan: 'other', priceCents: 1_500 }, 'upgrade'],
  ['a cheaper plan waits for the end of the period', onPro, starter, 'downgrade'],
  ['the free plan cancels', onPro, free, 'cancel'],
  ['the free plan after a cancellation is nothing to do', cancelled, free, null],
  ['the same plan takes a cancellation back', cancelled, pro, 'resume'],
  ['a dearer plan after a cancellation is changed to at once', cancelled, business, 'upgrade'],
  ['a cheaper plan after a cancellation is waited for', cancelled, starter, 'downgrade'],
  ['the same plan takes a cheaper one back', downgraded, pro, 'keep'],
  ['the cheaper plan that is waited for is nothing to do', downgraded, starter, null],
  [
    'the cheaper plan that is waited for, after a cancellation',
    { ...downgraded, cancelAtPeriodEnd: true },
    starter,
    'downgrade',
  ],
  ['another cheaper plan than the one that is waited for', downgraded, { plan: 'mini', priceCents: 100 }, 'downgrade'],
  ['a dearer plan while a cheaper one is waited for', downgraded, business, 'upgrade'],
  ['the free plan while a cheaper one is waited for', downgraded, free, 'cancel'],
  ['one that was never paid is discarded for the same plan', incomplete, pro, 'discard'],
  ['one that was never paid is discarded for the free plan', incomplete, free, 'discard'],
  ['one whose trial ended without a card is discarded for the same plan', paused, pro, 'discard'],
  ['one whose trial ended without a card is discarded for a dearer plan', paused, business, 'discard'],
]

describe('the next step', () => {
  for (const [what, current, wanted, step] of cases)
    test(`for ${what}`, () => assert.equal(nextStep(current, wanted), step))

  test('of a trial, and of one that is past due, is that of an active one', () => {
    for (const status of ['trialing', 'past_due', 'unpaid'] as const) {
      assert.equal(nextStep({ ...onPro, status }, business), 'upgrade')
      assert.equal(nextStep({ ...onPro, status }, starter), 'downgrade')
      assert.equal(nextStep({ ...onPro, status }, pro), null)
    }
  })
})
