import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { orderSections } from './order-sections.ts'

/** `A` in capitals keeps its place. */
const ordered = (siblings: string, order: string): string =>
  orderSections(
    [...siblings].map((id) => ({ id, movable: id === id.toLowerCase() })),
    [...order],
  )
    .map(({ id }) => id)
    .join('')

describe('the order of sections', () => {
  test('listed ones come in the order of the list', () => {
    assert.equal(ordered('abc', 'cab'), 'cab')
    assert.equal(ordered('abcd', 'dcba'), 'dcba')
  })

  test('one that is not listed follows the movable section that it followed, or is the first', () => {
    assert.equal(ordered('abxc', 'cba'), 'cbxa')
    assert.equal(ordered('axyb', 'ba'), 'baxy')
    assert.equal(ordered('xab', 'ba'), 'xba')
    assert.equal(ordered('aXyb', 'ba'), 'bXay')
  })

  test('nothing listed leaves all as they are, and so does one', () => {
    assert.equal(ordered('abc', ''), 'abc')
    assert.equal(ordered('abc', 'xyz'), 'abc')
    assert.equal(ordered('abc', 'c'), 'abc')
  })

  test('those that are not movable keep their places, listed or not', () => {
    assert.equal(ordered('aBcD', 'Dca'), 'cBaD')
    assert.equal(ordered('Abc', 'cbA'), 'Acb')
  })

  test('unknown and repeated ids count for nothing', () => {
    assert.equal(ordered('abc', 'zcacbb'), 'cab')
  })

  test('the order of an order is that order', () => {
    for (const order of ['cba', 'ca', 'b', 'zca', '']) {
      const once = ordered('aBcd', order)
      assert.equal(ordered(once, order), once)
    }
  })
})
