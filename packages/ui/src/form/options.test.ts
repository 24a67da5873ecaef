import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findOptions, needsSearch } from './options.ts'

const optionsOf = (...labels: string[]) => labels.map((label) => ({ value: label, label }))
const labelsFor = (words: string, ...labels: string[]) =>
  findOptions(optionsOf(...labels), words).map(({ label }) => label)

describe('options', () => {
  test('are searched from eight on', () => {
    assert.equal(needsSearch(optionsOf(...'1234567')), false)
    assert.equal(needsSearch(optionsOf(...'12345678')), true)
  })

  test('are found by all words, in any order and case; those that begin with them come first', () => {
    assert.deepEqual(labelsFor('en', 'German', 'Slovenian', 'English'), ['English', 'Slovenian'])
    assert.deepEqual(labelsFor('(uk) ENG', 'English (US)', 'English (UK)'), ['English (UK)'])
    assert.deepEqual(labelsFor('xyz', 'German'), [])
  })

  test('are all there, in their order, while nothing is typed', () => {
    assert.deepEqual(labelsFor('  ', 'B', 'A'), ['B', 'A'])
  })

  test('that cannot be chosen are not found', () => {
    assert.deepEqual(findOptions([{ value: 'a', label: 'A', disabled: true }], 'a'), [])
  })
})
