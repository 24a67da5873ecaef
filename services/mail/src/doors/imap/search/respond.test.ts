import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readArguments } from '../parse/arguments.ts'
import { BadCommand } from '../parse/bad-command.ts'
import { type ReturnOptions, readReturn } from './options.ts'
import { formatEsearch, formatSearch } from './respond.ts'
import { savedOf } from './run.ts'

const options = (text: string): ReturnOptions => {
  const found = readReturn(readArguments([`return (${text}) `], { isUtf8: false }))
  assert.ok(found)
  return found
}

const esearch = (text: string, numbers: readonly number[], modseqs: readonly number[] | null = null): string =>
  formatEsearch({ tag: 'a1', isUid: false, options: options(text) }, { numbers, modseqs })

describe('what is returned of results', () => {
  for (const [text, numbers, expected] of [
    ['', [1, 2, 3, 5], 'ALL 1:3,5'],
    ['min', [2, 5], 'MIN 2'],
    ['max', [2, 5], 'MAX 5'],
    ['count', [], 'COUNT 0'],
    ['min max count all', [2, 5], 'MIN 2 MAX 5 COUNT 2 ALL 2,5'],
    ['partial 2:4', [1, 2, 3, 4, 5], 'PARTIAL (2:4 2:4)'],
    ['partial 4:2', [1, 2, 3, 4, 5], 'PARTIAL (2:4 2:4)'],
    ['partial 1:6', [4, 3, 9], 'PARTIAL (1:6 4,3,9)'],
    ['partial 10:20', [1, 2], 'PARTIAL (10:20 NIL)'],
    ['partial -1:-2', [1, 2, 3], 'PARTIAL (-1:-2 2:3)'],
    ['partial -10:-20', [1, 2, 3], 'PARTIAL (-10:-20 NIL)'],
  ] as const)
    test(`${text || 'nothing'} of ${numbers}`, () =>
      assert.equal(esearch(text, numbers), `ESEARCH (TAG "a1") ${expected}`))

  test('an empty result is returned without numbers', () => assert.equal(esearch('all min', []), 'ESEARCH (TAG "a1")'))

  test('the modseq is that of what is returned', () => {
    assert.match(esearch('min', [1, 2, 3], [5, 9, 7]), /MODSEQ 5$/)
    assert.match(esearch('max', [1, 2, 3], [5, 9, 7]), /MODSEQ 7$/)
    assert.match(esearch('min max', [1, 2, 3], [5, 9, 7]), /MODSEQ 7$/)
    assert.match(esearch('all', [1, 2, 3], [5, 9, 7]), /MODSEQ 9$/)
    assert.match(esearch('partial 2:2', [1, 2, 3], [5, 9, 7]), /MODSEQ 9$/)
    assert.equal(formatSearch('SEARCH', { numbers: [1, 2], modseqs: [5, 9] }), 'SEARCH 1 2 (MODSEQ 9)')
    assert.equal(formatSearch('SEARCH', { numbers: [], modseqs: [] }), 'SEARCH')
  })

  for (const text of [
    'partial 1',
    'partial 1:*',
    'partial *:1',
    'partial 0:1',
    'partial -1:1',
    'all partial 1:2',
    'partial 1:2 partial 1:2',
    'some',
  ])
    test(`${text} is refused`, () => assert.throws(() => options(text), BadCommand))

  test('what is saved is what is returned', () => {
    assert.deepEqual(savedOf(options('save'), [4, 2, 9]), [2, 4, 9])
    assert.deepEqual(savedOf(options('save min'), [2, 4, 9]), [2])
    assert.deepEqual(savedOf(options('save min max'), [2, 4, 9]), [2, 9])
    assert.deepEqual(savedOf(options('save min count'), [2, 4, 9]), [2, 4, 9])
    assert.deepEqual(savedOf(options('save partial 1:2'), [2, 4, 9]), [2, 4])
  })
})
