import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createMenuInput, MAX_MENU_DEPTH, type MenuItem } from '@stoa/cms-model/menus.ts'
import fc from 'fast-check'
import {
  dropOver,
  insertBlock,
  itemsOf,
  type MenuRow,
  parentAt,
  pathsOf,
  projectDepth,
  removeAt,
  rowsOf,
  siblingsAt,
  sizeAt,
  stepOf,
} from './tree.ts'

const SEED = 20260301

/** `a`, `-b` (below a), `--c` (below b). */
const tree = (text: string): MenuRow[] =>
  text.split(' ').map((word) => {
    const id = word.replace(/^-+/, '')
    return { item: { id, label: id, url: '/' }, depth: word.length - id.length }
  })
const write = (rows: readonly MenuRow[] | null): string | null =>
  rows === null ? null : rows.map(({ item, depth }) => '-'.repeat(depth) + item.id).join(' ')
const at = (rows: readonly MenuRow[], id: string): number => rows.findIndex(({ item }) => item.id === id)

/** Rows of any tree that a menu can be. */
const anyRows = fc.array(fc.nat({ max: MAX_MENU_DEPTH - 1 }), { minLength: 1, maxLength: 30 }).map((depths) => {
  let before = -1
  return depths.map((depth, index): MenuRow => {
    before = Math.min(depth, before + 1)
    return { item: { id: `i${index}`, label: `Item ${index}`, url: `/${index}` }, depth: before }
  })
})

const assertTree = (rows: readonly MenuRow[], like: readonly MenuRow[]): void => {
  assert.deepEqual(rows.map(({ item }) => item.id).toSorted(), like.map(({ item }) => item.id).toSorted())
  assert.ok(createMenuInput.safeParse({ name: 'menu', items: itemsOf(rows) }).success)
  assert.deepEqual(rowsOf(itemsOf(rows)), rows)
}

describe('a menu as rows', () => {
  test('a tree and its rows say the same, with the paths of the service', () => {
    const items: MenuItem[] = [
      { id: 'a', label: 'A', url: '/', children: [{ id: 'b', label: 'B', url: '/b', target: '_blank', children: [] }] },
      { id: 'c', label: 'C', entryId: '01890a5d-ac96-774b-bcce-b302099a8057', children: [] },
    ]
    assert.equal(write(rowsOf(items)), 'a -b c')
    assert.deepEqual(itemsOf(rowsOf(items)), items)
    assert.deepEqual(pathsOf(tree('a -b --c -d e')), [
      'items.0',
      'items.0.children.0',
      'items.0.children.0.children.0',
      'items.0.children.1',
      'items.1',
    ])
  })

  test('size, parent and siblings are those of the tree', () => {
    const rows = tree('a -b --c -d e')
    assert.deepEqual(
      rows.map((_, index) => [sizeAt(rows, index), parentAt(rows, index), siblingsAt(rows, index)]),
      [
        [4, -1, [0, 4]],
        [2, 0, [1, 3]],
        [1, 1, [2]],
        [1, 0, [1, 3]],
        [1, -1, [0, 4]],
      ],
    )
  })

  test('an item moves among those beside it, with all that is below it', () => {
    const rows = tree('a -b --c -d e')
    assert.equal(write(stepOf(rows, at(rows, 'e'), 'up')), 'e a -b --c -d')
    assert.equal(write(stepOf(rows, at(rows, 'a'), 'down')), 'e a -b --c -d')
    assert.equal(write(stepOf(rows, at(rows, 'd'), 'up')), 'a -d -b --c e')
    assert.equal(stepOf(rows, at(rows, 'a'), 'up'), null)
    assert.equal(stepOf(rows, at(rows, 'c'), 'down'), null)
  })

  test('in goes below the one before, out behind the parent', () => {
    const rows = tree('a -b --c -d e')
    assert.equal(write(stepOf(rows, at(rows, 'e'), 'in')), 'a -b --c -d -e')
    assert.equal(write(stepOf(rows, at(rows, 'd'), 'in')), 'a -b --c --d e')
    assert.equal(write(stepOf(rows, at(rows, 'b'), 'out')), 'a -d b -c e')
    assert.equal(stepOf(rows, at(rows, 'a'), 'in'), null)
    assert.equal(stepOf(rows, at(rows, 'a'), 'out'), null)
  })

  test('nothing goes deeper than a menu can be, also what is below it', () => {
    const rows = tree('a b -c --d ---e')
    assert.equal(write(stepOf(rows, at(rows, 'b'), 'in')), 'a -b --c ---d ----e')
    const deep = tree('a -b c -d --e ---f')
    assert.equal(write(stepOf(deep, at(deep, 'c'), 'in')), 'a -b -c --d ---e ----f')
    const full = tree('a b -c --d ---e ----f')
    assert.equal(stepOf(full, at(full, 'b'), 'in'), null)
  })

  test('a drag lands where it is held, as deep as its place allows', () => {
    const rows = tree('a -b c d')
    assert.equal(projectDepth(rows, 'd', 'c', 5), 2)
    assert.equal(write(dropOver(rows, 'd', 'c', 1)), 'a -b -d c')
    assert.equal(write(dropOver(rows, 'd', 'c', -3)), 'a -b d c')
    assert.equal(write(dropOver(rows, 'd', 'b', 0)), 'a -d -b c')
    assert.equal(write(dropOver(rows, 'a', 'd', 1)), 'c d -a --b')
    assert.equal(write(dropOver(rows, 'c', 'c', 1)), 'a -b -c d')
  })

  test('what was removed comes back where it was', () => {
    const rows = tree('a -b --c -d e')
    const rest = removeAt(rows, 1)
    assert.equal(write(rest), 'a -d e')
    assert.equal(write(insertBlock(rest, rows.slice(1, 3), 1)), 'a -b --c -d e')
    assert.equal(write(insertBlock(tree('e'), rows.slice(1, 3), 9)), 'e -b --c')
    assert.equal(write(insertBlock([], rows.slice(1, 3), 1)), 'b -c')
  })
})

describe('whatever is done to a menu', () => {
  const steps = fc.array(fc.tuple(fc.nat(), fc.constantFrom('up', 'down', 'in', 'out')), { maxLength: 20 })

  test('steps keep every item and leave a menu that can be saved', () => {
    fc.assert(
      fc.property(anyRows, steps, (rows, taken) => {
        let now = rows
        for (const [index, step] of taken) now = stepOf(now, index % now.length, step) ?? now
        assertTree(now, rows)
      }),
      { seed: SEED, numRuns: 300 },
    )
  })

  test('up undoes down', () => {
    fc.assert(
      fc.property(anyRows, fc.nat(), (rows, chosen) => {
        const id = rows[chosen % rows.length]?.item.id ?? ''
        const down = stepOf(rows, at(rows, id), 'down')
        if (down) assert.deepEqual(stepOf(down, at(down, id), 'up'), rows)
      }),
      { seed: SEED },
    )
  })

  test('a drop keeps every item, whatever it is held over, and lands at the depth that was shown', () => {
    fc.assert(
      fc.property(anyRows, fc.nat(), fc.nat(), fc.integer({ min: -6, max: 9 }), (rows, one, other, wanted) => {
        const id = rows[one % rows.length]?.item.id ?? ''
        const overId = rows[other % rows.length]?.item.id ?? ''
        const dropped = dropOver(rows, id, overId, wanted)
        const depth = projectDepth(rows, id, overId, wanted)
        if (!dropped) return assert.equal(depth, null)
        assertTree(dropped, rows)
        assert.equal(dropped[at(dropped, id)]?.depth, depth)
      }),
      { seed: SEED, numRuns: 500 },
    )
  })

  test('undo of a removal keeps every item, also after other changes', () => {
    fc.assert(
      fc.property(anyRows, fc.nat(), steps, (rows, chosen, taken) => {
        const index = chosen % rows.length
        const block = rows.slice(index, index + sizeAt(rows, index))
        const removed = removeAt(rows, index)
        assert.deepEqual(insertBlock(removed, block, index), rows)
        let now = removed
        for (const [row, step] of taken) now = now.length === 0 ? now : (stepOf(now, row % now.length, step) ?? now)
        assertTree(insertBlock(now, block, index), rows)
      }),
      { seed: SEED, numRuns: 300 },
    )
  })
})
