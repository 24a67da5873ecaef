import assert from 'node:assert/strict'
import { test } from 'node:test'
import { snoozeTimes } from './snooze-times.ts'

const offers = (now: Date) =>
  Object.fromEntries(snoozeTimes(now).map(({ id, at }) => [id, [at.getMonth() + 1, at.getDate(), at.getHours()]]))

test('every moment that is offered is still to come, and none is offered twice', () => {
  for (let hour = 0; hour < 24 * 60; hour += 1) {
    const now = new Date(2026, 0, 1, hour, 59)
    const moments = snoozeTimes(now).map(({ at }) => at.getTime())
    assert.ok(
      moments.every((at) => at > now.getTime()),
      String(now),
    )
    assert.equal(new Set(moments).size, moments.length, String(now))
  }
})

test('on a Wednesday morning', () => {
  assert.deepEqual(offers(new Date(2026, 10, 11, 9, 30)), {
    later: [11, 11, 12],
    evening: [11, 11, 18],
    tomorrow: [11, 12, 8],
    weekend: [11, 14, 8],
    week: [11, 16, 8],
    month: [12, 11, 8],
  })
})

test('late on a Friday tomorrow is the weekend; a month after the 31st is its last day', () => {
  assert.deepEqual(offers(new Date(2026, 6, 31, 23, 0)), {
    tomorrow: [8, 1, 8],
    week: [8, 3, 8],
    month: [8, 31, 8],
  })
  assert.deepEqual(offers(new Date(2026, 7, 31, 12, 0)).month, [9, 30, 8])
})
