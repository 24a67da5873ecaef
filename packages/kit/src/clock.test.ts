import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestClock, systemClock } from './clock.ts'

test('the system clock gives the present', () => {
  const before = Date.now()
  const now = systemClock.now().getTime()
  assert.ok(now >= before && now <= Date.now())
})

test('a test clock stands still until it is moved, also backwards', () => {
  const clock = createTestClock(new Date('2026-01-01T00:00:00Z'))
  assert.equal(clock.now().toISOString(), '2026-01-01T00:00:00.000Z')
  clock.advance(90_000)
  assert.equal(clock.now().toISOString(), '2026-01-01T00:01:30.000Z')
  clock.advance(-60_000)
  assert.equal(clock.now().toISOString(), '2026-01-01T00:00:30.000Z')
  clock.set(new Date('2020-02-29T12:00:00Z'))
  assert.equal(clock.now().toISOString(), '2020-02-29T12:00:00.000Z')
})

test('changing a date that the clock gave does not move the clock', () => {
  const clock = createTestClock(new Date(1000))
  clock.now().setTime(0)
  assert.equal(clock.now().getTime(), 1000)
})
