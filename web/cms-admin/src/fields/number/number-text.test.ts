import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readNumber } from '@stoa/cms-model/fields/number-text.ts'
import fc from 'fast-check'
import { shownNumber, stepNumber } from './number-text.ts'

describe('a typed number', () => {
  test('is read in the ways people write it', () => {
    for (const [typed, number] of [
      ['12', 12],
      [' -0.5 ', -0.5],
      ['−3', -3],
      ['1,5', 1.5],
      [',5', 0.5],
      ['0,125', 0.125],
      ['.5', 0.5],
      ['1e3', 1000],
      ['', null],
      ['  ', null],
    ] as const)
      assert.equal(readNumber(typed), number, typed)
  })

  test('that cannot be read, or in two ways, stays the text that it is', () => {
    for (const typed of ['12a', '-', '1,000', '1,000.5', '1e999', 'Infinity', 'NaN', '0x10', '1 000', '9'.repeat(500)])
      assert.equal(readNumber(typed), typed)
  })

  test('stays as it was typed while it means the same', () => {
    assert.equal(shownNumber('1.50', 1.5), '1.50')
    assert.equal(shownNumber('1,', '1,'), '1,')
    assert.equal(shownNumber('1.50', 2), '2')
    assert.equal(shownNumber('', null), '')
    assert.equal(shownNumber('7', null), '')
  })

  test('is never lost: whatever is typed is shown again', () => {
    fc.assert(
      fc.property(fc.string(), (typed) => assert.equal(shownNumber(typed, readNumber(typed)), typed)),
      { seed: 3, numRuns: 300 },
    )
  })
})

describe('the arrow keys', () => {
  test('go to the next step within the bounds, without the noise of binary fractions', () => {
    assert.equal(stepNumber(0.2, 1, { step: 0.1 }), 0.3)
    assert.equal(stepNumber(5, 1, {}), 6)
    assert.equal(stepNumber(7, 1, { min: 2, step: 3 }), 8)
    assert.equal(stepNumber(8, 1, { min: 2, step: 3 }), 11)
    assert.equal(stepNumber(7, -1, { min: 2, step: 3 }), 5)
    assert.equal(stepNumber(10, 1, { max: 10 }), 10)
    assert.equal(stepNumber(null, 1, { min: 3 }), 3)
    assert.equal(stepNumber(null, -1, { min: 3, max: 9 }), 9)
    assert.equal(stepNumber(null, 1, {}), 0)
  })
})
