import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CLAIM_MS, isNoteOf, nextStep, noteFor } from './hand-over-steps.ts'
import { stageBeside, stages } from './plan.ts'

test('stages have neighbours, but for the first and the last', () => {
  assert.deepEqual(
    stages.map((stage) => stageBeside(stage, 1)),
    ['writing', 'review', 'approved', null],
  )
  assert.deepEqual(
    stages.map((stage) => stageBeside(stage, -1)),
    [null, 'idea', 'writing', 'review'],
  )
})

test('what handing over means follows from the post, the claim and the accounts', () => {
  const now = '2026-03-01T12:00:00.000Z'
  const before = (ms: number) => {
    const at = new Date(Date.parse(now) - ms).toISOString()
    return { at, since: at }
  }
  const step = (publishPostId: string | null, claim: { at: string; since: string } | null, accountIds = ['a']) =>
    nextStep({ publishPostId, claim, accountIds }, now)
  assert.equal(step(null, null), 'claim')
  assert.equal(step(null, null, []), 'choose-accounts')
  assert.equal(step('p', null), 'done')
  assert.equal(step('p', before(1), []), 'done')
  assert.equal(step(null, before(CLAIM_MS - 1)), 'wait')
  assert.equal(step(null, before(CLAIM_MS)), 'claim')
})

test('a note names one plan', () => {
  assert.ok(isNoteOf('abc', noteFor('abc', 'Title [plan x]')))
  assert.ok(!isNoteOf('ab', noteFor('abc', 'Title')))
  assert.ok(!isNoteOf('abc', null))
})
