import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { addChunk } from './chunks.ts'

describe('what waits to be read', () => {
  test('is few pieces, however small they came', () => {
    const chunks: Buffer[] = []
    for (let at = 0; at < 100_000; at += 1) addChunk(chunks, Buffer.of(at % 256))
    assert.ok(chunks.length < 200, String(chunks.length))
    assert.equal(Buffer.concat(chunks).length, 100_000)
  })

  test('is what came, in its order', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ minLength: 1, maxLength: 2_000 })), (pieces) => {
        const chunks: Buffer[] = []
        for (const piece of pieces) addChunk(chunks, Buffer.from(piece))
        assert.deepEqual(Buffer.concat(chunks), Buffer.concat(pieces))
      }),
      { seed: 7 },
    )
  })
})
