import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Term } from '@stoa/cms-model/taxonomies.ts'
import { familyOf, movesOf, rowsOf, slugOf, termOptions } from './tree.ts'

const term = (id: string, parentId: string | null, position: number): Term => ({
  id,
  slug: id,
  name: id,
  description: '',
  parentId,
  position,
  count: 0,
  version: 1,
})

// a (a1, a2 (a2x)), b
const tree = [term('b', null, 1), term('a2x', 'a2', 0), term('a', null, 0), term('a2', 'a', 1), term('a1', 'a', 0)]
const named = (id: string): Term => tree.find((one) => one.id === id) ?? term(id, null, 0)

describe('a tree of terms', () => {
  test('is shown parent before children, siblings by place', () => {
    assert.deepEqual(
      rowsOf(tree).map(({ term: { id }, depth }) => `${depth}${id}`),
      ['0a', '1a1', '1a2', '2a2x', '0b'],
    )
  })

  test('is chosen from by the way that leads to a term', () => {
    assert.deepEqual(
      termOptions(tree).map(({ label }) => label),
      ['a', 'a › a1', 'a › a2', 'a › a2 › a2x', 'b'],
    )
  })

  test('a term whose parent did not come along is not lost', () => {
    assert.deepEqual(
      rowsOf([term('x', 'gone', 0)]).map(({ depth }) => depth),
      [0],
    )
  })

  test('a term moves by one step, never out of the tree', () => {
    assert.deepEqual(movesOf(tree, named('a'), true), { down: { position: 1 } })
    assert.deepEqual(movesOf(tree, named('b'), true), { up: { position: 0 }, in: { parentId: 'a' } })
    assert.deepEqual(movesOf(tree, named('a2x'), true), { out: { parentId: 'a', position: 2 } })
    assert.deepEqual(movesOf(tree, named('a2'), true), {
      up: { position: 0 },
      in: { parentId: 'a1' },
      out: { parentId: null, position: 1 },
    })
  })

  test('in a flat set nothing moves below another', () => {
    assert.equal(movesOf(tree, named('b'), false).in, undefined)
  })

  test('the family holds all generations', () => {
    assert.deepEqual([...familyOf(tree, 'a')].toSorted(), ['a', 'a1', 'a2', 'a2x'])
    assert.deepEqual([...familyOf(tree, 'b')], ['b'])
  })

  test('a slug is made of a name', () => {
    assert.equal(slugOf('  Crème brûlée & Co. '), 'creme-brulee-co')
    assert.equal(slugOf('!'), '')
  })
})
