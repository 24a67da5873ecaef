import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { chooseSeed, shuffleGroups } from './test-order.ts'

describe('the order of test files that share a process', () => {
  const letters = [...'abcdefghijkl']
  const groups = [letters, ['one'], ['two', 'three']]

  test('keeps the groups, and every file of each', () => {
    const shuffled = shuffleGroups(groups, 7)
    assert.deepEqual(
      shuffled.map((group) => group.toSorted()),
      groups.map((group) => group.toSorted()),
    )
  })

  test('is the same for a seed, and another for another', () => {
    assert.deepEqual(shuffleGroups(groups, 7), shuffleGroups(groups, 7))
    const orders = new Set([1, 2, 3, 4, 5, 6].map((seed) => shuffleGroups([letters], seed).join()))
    assert.equal(orders.size, 6)
  })

  test('is the same for a group that is run again by itself', () => {
    assert.deepEqual(shuffleGroups([letters.toReversed()], 7)[0], shuffleGroups(groups, 7)[0])
  })

  test('a seed is a whole number, and a new one for every run unless it is given', () => {
    assert.equal(chooseSeed('42'), 42)
    const chosen = Array.from({ length: 20 }, () => chooseSeed(undefined))
    assert.ok(new Set(chosen).size > 1)
    assert.ok(chosen.every((seed) => chooseSeed(String(seed)) === seed))
    for (const wrong of ['', 'x', '-1', '1.5', '1e3', '9'.repeat(16)]) assert.throws(() => chooseSeed(wrong), /--seed/)
  })
})
