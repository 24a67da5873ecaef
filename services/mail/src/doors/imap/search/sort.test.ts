import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { FirstAddress, SortRow } from '../../../store/search/uid-search.ts'
import { readArguments } from '../parse/arguments.ts'
import { BadCommand } from '../parse/bad-command.ts'
import { membersOf, readSortKeys, sortUids } from './sort.ts'

const keysOf = (text: string) => readSortKeys(readArguments([`(${text})`], { isUtf8: false }))
const sorted = (text: string, rows: readonly Omit<SortRow, 'uid'>[]): number[] =>
  sortUids(
    rows.map((row, index) => ({ uid: index + 1, ...row })),
    keysOf(text),
  )
const address = (email: string | null, name: string | null = null, group: string | null = null): FirstAddress => ({
  email,
  name,
  group,
})

describe('sorting', () => {
  test('subjects without what replies add, letter case and signs as i;unicode-casemap has them', () => {
    const subjects = [
      'a',
      'C',
      'b',
      '_',
      '[foo] Fwd: [bar] Re: fw: b (fWd)  (fwd)',
      'b (a)',
      'Re: [FWD: c]',
      '[xyz]',
      null,
    ]
    const rows = subjects.map((subject) => ({ subject }))
    assert.deepEqual(sorted('subject', rows), [9, 1, 3, 5, 6, 2, 7, 8, 4])
    assert.deepEqual(sorted('reverse subject', rows), [4, 8, 2, 7, 6, 3, 5, 1, 9])
  })

  test('addresses by their local part, groups by their name', () => {
    const rows = [
      { from: address('bob@a.example', 'Zoe') },
      { from: address('Ann@z.example') },
      { from: address(null) },
      { from: address('x@a.example', null, 'Club') },
    ]
    assert.deepEqual(sorted('from', rows), [3, 2, 1, 4])
    assert.deepEqual(sorted('displayfrom', rows), [3, 2, 4, 1])
  })

  test('equal ones stay in the order of the folder, also in reverse', () => {
    const rows = [{ size: 5 }, { size: 5 }, { size: 1 }]
    assert.deepEqual(sorted('size', rows), [3, 1, 2])
    assert.deepEqual(sorted('reverse size', rows), [1, 2, 3])
  })

  test('a later key decides among equals', () => {
    const at = (minutes: number) => new Date(minutes * 60_000)
    const rows = [
      { size: 5, receivedAt: at(1) },
      { size: 5, receivedAt: at(2) },
      { size: 1, receivedAt: at(0) },
    ]
    assert.deepEqual(sorted('size reverse arrival', rows), [3, 2, 1])
  })

  test('only what is sorted by is read', () => {
    assert.deepEqual(membersOf(keysOf('reverse from displayfrom size')), ['from', 'size'])
  })

  for (const text of ['', 'nonsense', 'reverse', 'size,from', 'size '.repeat(30).trim()])
    test(`(${text.slice(0, 20)}) is refused`, () => assert.throws(() => keysOf(text), BadCommand))
})
