import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { RequestError } from './request.ts'
import { runEach } from './run-each.ts'

const refusal = (status: number) => new RequestError({ message: `No (${status}).`, fields: [] }, status, 'no')

describe('the same action for many things', () => {
  test('goes on after a refusal, and says whose it was', async () => {
    const seen: number[] = []
    const result = await runEach([1, 2, 3], async (item) => {
      if (item === 2) throw refusal(404)
      seen.push(item)
    })
    assert.deepEqual(seen, [1, 3])
    assert.deepEqual(result, { done: 2, failed: [{ item: 2, message: 'No (404).' }], cancelled: false })
  })

  test('waits for a busy service, but not forever', async () => {
    let tries = 0
    const busyOnce = await runEach(
      ['a'],
      async () => {
        tries += 1
        if (tries === 1) throwBusy()
      },
      { pauseMs: 1 },
    )
    assert.deepEqual([tries, busyOnce.done, busyOnce.failed.length], [2, 1, 0])
    const busy = await runEach(['a'], async () => throwBusy(), { pauseMs: 1 })
    assert.deepEqual([busy.done, busy.failed.length], [0, 1])
  })

  test('ends between two things when it is cancelled', async () => {
    const stop = new AbortController()
    const steps: number[] = []
    const result = await runEach([1, 2, 3], async (item) => void (item === 2 && stop.abort()), {
      signal: stop.signal,
      onProgress: (settled) => steps.push(settled),
    })
    assert.deepEqual(steps, [1, 2])
    assert.deepEqual([result.done, result.cancelled], [2, true])
  })
})

const throwBusy = (): never => {
  throw refusal(429)
}
