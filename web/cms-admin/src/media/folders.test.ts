import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { folderRows, isInside, movedPath, parentsOf } from './folders.ts'

describe('folders of files', () => {
  test('become a tree with the folders that only hold folders', () => {
    const rows = folderRows([
      { folder: '', count: 4 },
      { folder: 'press/2026/spring', count: 2 },
      { folder: 'press', count: 1 },
      { folder: 'Press kit', count: 3 },
      { folder: 'a', count: 5 },
    ])
    assert.deepEqual(
      rows.map(({ path, name, depth, count, total, hasFolders }) => [path, name, depth, count, total, hasFolders]),
      [
        ['a', 'a', 0, 5, 5, false],
        ['press', 'press', 0, 1, 3, true],
        ['press/2026', '2026', 1, 0, 2, true],
        ['press/2026/spring', 'spring', 2, 2, 2, false],
        ['Press kit', 'Press kit', 0, 3, 3, false],
      ],
    )
  })

  test('numbers are in their order, and an empty folder can be added', () => {
    const rows = folderRows(
      [
        { folder: 'y/10', count: 1 },
        { folder: 'y/9', count: 1 },
      ],
      ['y/11'],
    )
    assert.deepEqual(
      rows.map(({ path }) => path),
      ['y', 'y/9', 'y/10', 'y/11'],
    )
  })

  test('know what is inside them', () => {
    assert.equal(isInside('press/2026', 'press'), true)
    assert.equal(isInside('press', 'press'), false)
    assert.equal(isInside('presse', 'press'), false)
    assert.deepEqual(parentsOf('a/b/c'), ['a', 'a/b'])
    assert.deepEqual(parentsOf('a'), [])
  })

  test('take what is below along when they move', () => {
    assert.equal(movedPath('press', 'press', 'archive/press'), 'archive/press')
    assert.equal(movedPath('press/2026', 'press', 'archive'), 'archive/2026')
    assert.equal(movedPath('presse/2026', 'press', 'archive'), 'presse/2026')
    assert.equal(movedPath('press/2026', 'press', ''), '2026')
    assert.equal(movedPath('press', 'press', ''), '')
  })
})
