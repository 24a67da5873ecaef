import assert from 'node:assert/strict'
import { test } from 'node:test'
import { laterTimes } from './later.ts'

test('Next Monday is never today, and tomorrow may be in another month', () => {
  const days = (now: Date) => laterTimes(now).map(({ at }) => [at.getMonth() + 1, at.getDate(), at.getHours()])
  const sunday = new Date(2026, 0, 31 + 1, 12)
  assert.deepEqual(days(sunday), [
    [2, 1, 13],
    [2, 2, 9],
    [2, 2, 9],
  ])
  const monday = new Date(2026, 1, 2, 8)
  assert.deepEqual(days(monday).slice(1), [
    [2, 3, 9],
    [2, 9, 9],
  ])
  assert.deepEqual(days(new Date(2026, 0, 31, 12))[1], [2, 1, 9])
})
