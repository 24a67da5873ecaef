import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FieldInput, type FieldOf, fieldList } from '@stoa/cms-model/fields/field.ts'
import type { FieldType } from '@stoa/cms-model/fields/types/index.ts'
import { countHint, listHint, numberHint, patternHint, rangeHint, referenceHint } from './hints.ts'

const fieldOf = <T extends FieldType>(type: T, options: object): FieldOf<T> => {
  const [field] = fieldList.parse([{ key: 'a', type, ...options } as FieldInput])
  return field as FieldOf<T>
}

test('what the options ask for is said in words', () => {
  assert.equal(patternHint(fieldOf('text', {})), '')
  assert.equal(patternHint(fieldOf('text', { pattern: '[A-Z]{3}' })), 'Format: [A-Z]{3}')
  assert.equal(patternHint(fieldOf('text', { pattern: '[A-Z]{3}', help: 'As printed.' })), '')
  assert.equal(numberHint(fieldOf('number', { integer: true, min: 0, max: 9 })), 'A whole number, 0 to 9.')
  assert.equal(numberHint(fieldOf('number', { min: 1, step: 0.5 })), '1 or more, in steps of 0.5.')
  assert.equal(rangeHint(fieldOf('date', { max: '2026-01-31' })), '2026-01-31 or earlier.')
  assert.equal(listHint(fieldOf('list', { fields: [], minItems: 1, maxItems: 3 })), '1 to 3 items.')
  assert.equal(listHint(fieldOf('list', { fields: [], maxItems: 3 })), '')
  assert.equal(countHint(fieldOf('gallery', { maxItems: 1 })), 'At most 1 item.')
  assert.equal(referenceHint(fieldOf('reference', { to: 'page', minItems: 2 })), '2 items or more.')
  assert.equal(referenceHint(fieldOf('reference', { to: 'page', multiple: false })), '')
})
