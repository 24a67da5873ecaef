import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Fault, fault } from '../errors.ts'
import type { BlobInfo } from './blobs.ts'
import { sweepBlobs } from './sweep.ts'

const OLD = new Date(0)
const options = { keep: async () => new Set<string>(), olderThan: new Date(1_000) }

async function* blobs(count: number): AsyncGenerator<BlobInfo> {
  for (let n = 1; n <= count; n += 1) yield { key: `blob-${n}`, size: 1, modifiedAt: OLD }
}

test('a blob that cannot be removed is reported at the end, and the others are removed', async () => {
  const removed: string[] = []
  const sweeping = sweepBlobs(blobs(4), options, async (key) => {
    if (key === 'blob-2') throw new Error('it is stuck')
    removed.push(key)
    return true
  })
  await assert.rejects(sweeping, /blob-2/)
  assert.deepEqual(removed, ['blob-1', 'blob-3', 'blob-4'])
})

test('a store that removes nothing is not asked for each of its blobs', async () => {
  let tries = 0
  const sweeping = sweepBlobs(blobs(100), options, async () => {
    tries += 1
    throw new Error('away')
  })
  await assert.rejects(sweeping, AggregateError)
  assert.equal(tries, 10)
})

test('a store that was unavailable is reported as such', async () => {
  const sweeping = sweepBlobs(blobs(3), options, async () => {
    throw fault('unavailable', { retryAfterSeconds: 1 })
  })
  await assert.rejects(sweeping, (error) => error instanceof Fault && error.kind === 'unavailable')
})
