import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestClock } from '@stoa/kit/clock.ts'
import { createAnswerCache } from './cache.ts'

test('what the resolver remembers stays within its bound while names rotate', () => {
  const cache = createAnswerCache<number>(createTestClock(new Date('2026-03-01T12:00:00.000Z')))
  for (let n = 0; n < 11_000; n += 1) cache.keep(`TXT n${n}.rotate.test`, n, 60)
  const kept = Array.from({ length: 11_000 }, (_, n) => cache.get(`TXT n${n}.rotate.test`)).filter(
    (value) => value !== undefined,
  )
  assert.deepEqual([kept.length, kept.at(-1)], [6_000, 10_999])
  assert.equal(cache.get('TXT n0.rotate.test'), undefined)
})
