import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ProblemError } from '@stoa/ui/request/problem.ts'
import { runBulk } from './bulk.ts'

describe('one action for many', () => {
  test('goes on after a failure and reports what failed', async () => {
    const steps: number[] = []
    const result = await runBulk(['a', 'b', 'c'], {
      action: async (item) => {
        if (item === 'b') throw new ProblemError('Not yours.')
      },
      onProgress: (ended) => steps.push(ended),
      signal: new AbortController().signal,
    })
    assert.deepEqual(result, { done: 2, failed: [{ item: 'b', problem: 'Not yours.' }], cancelled: 0 })
    assert.deepEqual(steps, [1, 2, 3])
  })

  test('never does more at once than allowed', async () => {
    let running = 0
    let most = 0
    await runBulk(
      Array.from({ length: 20 }, (_, index) => index),
      {
        action: async () => {
          running += 1
          most = Math.max(most, running)
          await new Promise((resolve) => setImmediate(resolve))
          running -= 1
        },
        onProgress: () => undefined,
        signal: new AbortController().signal,
        parallel: 3,
      },
    )
    assert.equal(most, 3)
  })

  test('stops between items when it is cancelled', async () => {
    const stop = new AbortController()
    const seen: number[] = []
    const result = await runBulk([1, 2, 3, 4], {
      action: async (item) => {
        seen.push(item)
        if (item === 2) stop.abort()
      },
      onProgress: () => undefined,
      signal: stop.signal,
      parallel: 1,
    })
    assert.deepEqual(seen, [1, 2])
    assert.deepEqual(result, { done: 2, failed: [], cancelled: 2 })
  })
})
