import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysLeft } from './trash-words.ts'

test('the days left are rounded up, never below none, and unknown where nothing is ever forgotten', () => {
  const now = new Date('2026-03-10T12:00:00Z')
  assert.equal(daysLeft('2026-03-10T11:00:00Z', 30, now), 30)
  assert.equal(daysLeft('2026-02-09T00:00:00Z', 30, now), 1)
  assert.equal(daysLeft('2026-01-01T00:00:00Z', 30, now), 0)
  assert.equal(daysLeft('2026-03-10T11:00:00Z', null, now), null)
  assert.equal(daysLeft(null, 30, now), null)
})
