import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasRoomFor } from './full-mailbox.ts'

test('a message is taken while the mailbox is not full and the announced size fits, to the last byte', () => {
  const fits = (quotaBytes: number | null, usedBytes: number, size: number) =>
    hasRoomFor({ quotaBytes, usedBytes }, size)
  assert.deepEqual([fits(null, 9, 9), fits(10, 9, 0), fits(10, 4, 6)], [true, true, true])
  assert.deepEqual([fits(10, 10, 0), fits(10, 4, 7), fits(10, 11, 0)], [false, false, false])
})
