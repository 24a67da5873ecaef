import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { arranged, layoutOf, movedBy, movedTo, type PageSection, storedLayout, withHidden } from './layout.ts'

const EMPTY = { order: [], hidden: [] }
const section = (id: string, { group = 0, movable = true } = {}): PageSection => ({ id, group, movable, within: null })
const ids = (groups: readonly (readonly PageSection[])[]): string =>
  groups.map((one) => one.map(({ id }) => id).join('')).join(' ')

describe('the layout of a page', () => {
  const page = [
    section('a'),
    section('f', { movable: false }),
    section('b'),
    section('c'),
    section('x', { group: 1 }),
    section('y', { group: 1 }),
  ]

  test('is nothing where an entry has none or one that cannot be read', () => {
    for (const stored of [undefined, null, 'a', 7, [], { order: 'a' }, { hidden: [7, null] }])
      assert.deepEqual(layoutOf({ __layout: stored }), EMPTY)
    assert.deepEqual(layoutOf({ __layout: { order: ['a', 'a', 7, 'b'] } }), { order: ['a', 'b'], hidden: [] })
  })

  test('is not stored when the page is as it was built', () => {
    assert.equal(storedLayout(EMPTY), null)
    assert.deepEqual(storedLayout({ order: [], hidden: ['a'] }), { order: [], hidden: ['a'] })
  })

  test('moves a section over one that keeps its place', () => {
    const down = movedBy(page, EMPTY, 'a', 1)
    assert.equal(ids(arranged(page, down)), 'bfac xy')
    assert.equal(ids(arranged(page, movedBy(page, down, 'a', -1))), 'afbc xy')
  })

  test('stays the same where a section cannot go further, is fixed, or is not there', () => {
    assert.equal(movedBy(page, EMPTY, 'a', -1), EMPTY)
    assert.equal(movedBy(page, EMPTY, 'c', 1), EMPTY)
    assert.equal(movedBy(page, EMPTY, 'f', 1), EMPTY)
    assert.equal(movedBy(page, EMPTY, 'z', 1), EMPTY)
    assert.equal(movedTo(page, EMPTY, 'c', 1), EMPTY)
    assert.equal(movedTo(page, EMPTY, 'c', 9), EMPTY)
  })

  test('moves a section to any place of its group, and leaves the other groups as they are', () => {
    const first = movedTo(page, EMPTY, 'c', 0)
    assert.equal(ids(arranged(page, first)), 'cfab xy')
    const both = movedTo(page, first, 'y', 0)
    assert.equal(ids(arranged(page, both)), 'cfab yx')
  })

  test('keeps the order of sections that this page does not have', () => {
    assert.deepEqual(movedBy(page, { order: ['gone', 'b'], hidden: [] }, 'b', 1).order.slice(-1), ['gone'])
  })

  test('hides a section once, and shows it again', () => {
    const hidden = withHidden(withHidden(EMPTY, 'a', true), 'a', true)
    assert.deepEqual(hidden.hidden, ['a'])
    assert.deepEqual(withHidden(hidden, 'a', false), EMPTY)
  })
})
