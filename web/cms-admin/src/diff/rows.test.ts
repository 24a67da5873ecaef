import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { workMs } from '@stoa/tests/lib/work.ts'
import fc from 'fast-check'
import { diffRows, type ItemRow } from './rows.ts'

const summaryOf = (rows: readonly ItemRow[]) =>
  rows.map((row) => {
    if (row.kind === 'added') return `+${row.to}`
    if (row.kind === 'removed') return `-${row.from}`
    return `${row.kind} ${row.from}>${row.to}${row.isMoved && row.kind !== 'moved' ? ' moved' : ''}`
  })

describe('items of a list', () => {
  test('that stayed, came and went', () => {
    assert.deepEqual(summaryOf(diffRows(['a', 'b', 'c'], ['a', 'c', 'd'])), ['same 0>0', '-1', 'same 2>1', '+2'])
    assert.deepEqual(summaryOf(diffRows([], ['a'])), ['+0'])
    assert.deepEqual(summaryOf(diffRows(['a'], [])), ['-0'])
    assert.deepEqual(summaryOf(diffRows(['a', 'a'], ['a', 'a', 'a'])), ['same 0>0', 'same 1>1', '+2'])
  })

  test('that were moved are listed once, not as removed and added', () => {
    assert.deepEqual(summaryOf(diffRows(['a', 'b', 'c', 'd'], ['d', 'a', 'b', 'c'])), [
      'moved 3>0',
      'same 0>1',
      'same 1>2',
      'same 2>3',
    ])
  })

  test('that changed are found by what they still share, also in another place', () => {
    const first = { name: 'Ana', text: 'writes about harbours', url: '' }
    const second = { name: 'Ben', text: 'draws maps', url: '/ben' }
    assert.deepEqual(summaryOf(diffRows([first, second], [first, { ...second, text: 'draws old maps' }])), [
      'same 0>0',
      'changed 1>1',
    ])
    assert.deepEqual(summaryOf(diffRows([first, second], [{ ...second, url: '/b' }, first])), [
      'changed 1>0 moved',
      'same 0>1',
    ])
    assert.deepEqual(summaryOf(diffRows([first], [second])), ['-0', '+0'])
    assert.deepEqual(summaryOf(diffRows([{ b: 1, a: 2 }], [{ a: 2, b: 1 }])), ['same 0>0'])
  })

  test('are each listed once, in the present order', () => {
    const items = fc.array(fc.oneof(fc.constantFrom('a', 'b', 'c'), fc.record({ k: fc.integer({ max: 3, min: 0 }) })), {
      maxLength: 12,
    })
    fc.assert(
      fc.property(items, items, (before, after) => {
        const rows = diffRows(before, after)
        const to = rows.flatMap((row) => (row.kind === 'removed' ? [] : [row.to]))
        assert.deepEqual(to, [...after.keys()])
        const from = rows.flatMap((row) => (row.kind === 'added' ? [] : [row.from]))
        assert.deepEqual(
          [...from].sort((a, b) => a - b),
          [...before.keys()],
        )
      }),
      { seed: 8, numRuns: 300 },
    )
  })

  test('of long lists are compared in bounded time', () => {
    const list = (word: string) => Array.from({ length: 2_000 }, (_, at) => ({ name: `${word} ${at}`, at }))
    const started = workMs()
    const rows = diffRows(list('a'), list('b'))
    assert.ok(workMs() - started < 5_000)
    assert.equal(rows.length, 2_000)
  })
})
