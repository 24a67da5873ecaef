import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ONBOARDING_STEPS } from '@stoa/mail-model/overview.ts'
import { stepsOf } from './steps.ts'

const onboarding = ONBOARDING_STEPS.map((step, at) => ({ step, done: at === 0 }))

describe('the first steps', () => {
  test('are those of the service, in its order, and lead to screens even when there is no domain yet', () => {
    const steps = stepsOf({ onboarding, domains: [] })
    assert.deepEqual(
      steps.map(({ id, done }) => ({ id, done })),
      onboarding.map(({ step, done }) => ({ id: step, done })),
    )
    for (const { to } of steps) assert.match(to, /^\/(account|domains|addresses)/)
  })
})
