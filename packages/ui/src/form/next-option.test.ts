import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextOption } from './next-option.ts'

test('the arrows go around the options', () => {
  assert.deepEqual(
    [undefined, 0, 2].map((active) => nextOption('ArrowDown', active, 3)),
    [0, 1, 0],
  )
  assert.deepEqual(
    [undefined, 0, 2, 9].map((active) => nextOption('ArrowUp', active, 3)),
    [2, 2, 1, 2],
  )
  assert.equal(nextOption('ArrowDown', undefined, 0), undefined)
  assert.equal(nextOption('a', 1, 3), undefined)
})
