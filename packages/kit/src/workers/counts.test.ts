import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { leastWorkMs } from '@stoa/tests/lib/work.ts'
import { createSharedCounts } from './counts.ts'

const MAX = 3

describe('slots that workers share', () => {
  test('are given back by the worker that holds them, and by no other', () => {
    const counts = createSharedCounts(2)
    const hold = (worker: number) => counts.hold(worker, { key: 'a', max: MAX })
    assert.deepEqual([hold(1), hold(1), hold(2), hold(2)], [true, true, true, false])
    counts.release(2, { key: 'b' })
    counts.release(3, { key: 'a' })
    assert.equal(hold(1), false)
    counts.release(2, { key: 'a' })
    counts.release(2, { key: 'a' })
    assert.deepEqual([hold(1), hold(1)], [true, false])
  })

  test('of a worker that ended are free, all of them and those of no other', () => {
    const counts = createSharedCounts(2)
    const hold = (worker: number, key: string) => counts.hold(worker, { key, max: MAX })
    for (const key of ['a', 'a', 'b']) hold(1, key)
    for (const key of ['a', 'b', 'b']) hold(2, key)
    counts.forget(1)
    counts.release(1, { key: 'a' })
    assert.deepEqual([hold(2, 'a'), hold(2, 'a'), hold(2, 'a')], [true, true, false])
    assert.deepEqual([hold(2, 'b'), hold(2, 'b')], [true, false])
  })

  test('are given back without a look at all others that a worker holds', () => {
    const keys = Array.from({ length: 30_000 }, (_, at) => `other ${at}`)
    const giveBack = (): void => {
      const counts = createSharedCounts(2)
      for (const key of keys) counts.hold(1, { key, max: 1 })
      for (const key of keys) counts.release(1, { key })
    }
    // With a look at all of them for each it is seconds.
    assert.ok(leastWorkMs(giveBack, { enough: 500 }) < 500)
  })
})
