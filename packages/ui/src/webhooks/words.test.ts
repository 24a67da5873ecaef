import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { areAll, describeEndpoint, describeEvents, describeOutcome } from './words.ts'

describe('webhooks in words', () => {
  test('a cell names two events at most', () => {
    assert.equal(describeEvents(['*'], ['*']), 'All events')
    assert.equal(describeEvents(['c', 'b', 'a'], ['a', 'b', 'c']), 'All events')
    assert.equal(describeEvents(['a', 'b'], ['*']), 'a, b')
    assert.equal(describeEvents(['a', 'b', 'c'], ['a', 'b', 'c', 'd']), '3 events')
    assert.equal(areAll(['a', 'b'], ['*']), false)
  })

  test('an outcome distinguishes a first wait from a retry', () => {
    const standing = { status: 'pending', answer: null, attempts: 0 } as const
    assert.equal(describeOutcome(standing).label, 'Waiting')
    assert.equal(describeOutcome({ ...standing, attempts: 2, answer: 500 }).label, 'Retrying · 500')
    assert.equal(describeOutcome({ ...standing, status: 'success', answer: 204 }).label, 'Delivered · 204')
    assert.deepEqual(describeOutcome({ ...standing, status: 'failed' }), { tone: 'failed', label: 'Failed' })
  })

  test('an endpoint is not on while it fails, and not just off after failures', () => {
    assert.equal(describeEndpoint({ isOn: true, offReason: null }).label, 'On')
    assert.equal(describeEndpoint({ isOn: true, offReason: null, isFailing: true }).label, 'Failing')
    assert.equal(describeEndpoint({ isOn: false, offReason: 'gone' }).label, 'Off after failures')
    assert.equal(describeEndpoint({ isOn: false, offReason: 'owner' }).label, 'Off')
  })
})
