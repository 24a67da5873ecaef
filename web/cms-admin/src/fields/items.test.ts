import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { insertItem, mayMove, moveItem, removeItem, replaceItem } from './items.ts'

test('an item goes to another place and the rest keeps its order', () => {
  assert.deepEqual(moveItem(['a', 'b', 'c'], 0, 2), ['b', 'c', 'a'])
  assert.deepEqual(moveItem(['a', 'b', 'c'], 2, 0), ['c', 'a', 'b'])
  assert.deepEqual(moveItem(['a', 'b', 'c'], 1, -1), ['b', 'a', 'c'])
  assert.deepEqual(moveItem(['a', 'b', 'c'], 5, 0), ['a', 'b', 'c'])
})

test('moving forth and back changes nothing', () => {
  const places = fc.array(fc.integer(), { minLength: 1, maxLength: 20 }).chain((items) => {
    const place = fc.nat(items.length - 1)
    return fc.tuple(fc.constant(items), place, place)
  })
  fc.assert(
    fc.property(places, ([items, from, to]) => assert.deepEqual(moveItem(moveItem(items, from, to), to, from), items)),
    { seed: 5 },
  )
})

test('there is no place before the first and after the last', () => {
  assert.deepEqual(
    [mayMove(3, 0, -1), mayMove(3, 2, 3), mayMove(3, 1, 1), mayMove(3, 1, 2)],
    [false, false, false, true],
  )
})

test('items are added, replaced and removed where they are meant', () => {
  assert.deepEqual(insertItem(['a', 'b'], 1, 'x', 'y'), ['a', 'x', 'y', 'b'])
  assert.deepEqual(insertItem(['a'], 9, 'x'), ['a', 'x'])
  assert.deepEqual(replaceItem(['a', 'b'], 1, 'x'), ['a', 'x'])
  assert.deepEqual(removeItem(['a', 'b', 'c'], 1), ['a', 'c'])
})
