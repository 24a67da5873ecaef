import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ProblemError } from '@stoa/ui/request/problem.ts'
import { type BulkProgress, CHUNK, failuresOf, runBulk } from './bulk.ts'

const idsOf = (count: number) => Array.from({ length: count }, (_, index) => `id-${index}`)
const allOk = async (ids: string[]) => ({ results: ids.map((id) => ({ id, ok: true })) })
const never = () => false

describe('a change of many entries', () => {
  test('goes in chunks, each entry once, and reports its progress', async () => {
    const asked: string[][] = []
    const reported: BulkProgress[] = []
    const ids = idsOf(CHUNK * 2 + 3)
    const end = await runBulk({
      ids,
      change: (some) => {
        asked.push(some)
        return allOk(some)
      },
      isCancelled: never,
      onProgress: (progress) => reported.push(progress),
    })
    assert.deepEqual(asked.flat(), ids)
    assert.deepEqual(
      reported.map(({ state, outcomes }) => [state, outcomes.length]),
      [
        ['running', CHUNK],
        ['running', CHUNK * 2],
        ['done', CHUNK * 2 + 3],
      ],
    )
    assert.deepEqual(failuresOf(end), [])
  })

  test('a cancel takes effect between two requests; what is done stays done', async () => {
    let requests = 0
    const end = await runBulk({
      ids: idsOf(CHUNK * 3),
      change: (some) => {
        requests += 1
        return allOk(some)
      },
      isCancelled: () => requests === 1,
      onProgress: () => undefined,
    })
    assert.deepEqual([end.state, end.outcomes.length, requests], ['cancelled', CHUNK, 1])
  })

  test('one that is refused does not stop the others, and says why as a sentence', async () => {
    const end = await runBulk({
      ids: idsOf(CHUNK + 1),
      change: async (some) => ({
        results: some.map((id) =>
          id === 'id-1' ? { id, ok: false, code: 'X', error: 'not yours' } : { id, ok: true },
        ),
      }),
      isCancelled: never,
      onProgress: () => undefined,
    })
    assert.equal(end.outcomes.length, CHUNK + 1)
    assert.deepEqual(failuresOf(end), [{ id: 'id-1', ok: false, error: 'Not yours.' }])
  })

  test('without an answer it stops: the rest is not tried', async () => {
    const end = await runBulk({
      ids: idsOf(CHUNK * 3),
      change: async () => {
        throw new ProblemError('The service does not answer.')
      },
      isCancelled: never,
      onProgress: () => undefined,
    })
    assert.deepEqual([end.state, end.outcomes.length], ['failed', CHUNK])
    assert.equal(end.outcomes[0]?.error, 'The service does not answer.')
  })
})
