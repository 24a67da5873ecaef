import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FieldInput, fieldList } from '@stoa/cms-model/fields/field.ts'
import { helpOf } from './hints.ts'

const help = (field: FieldInput): string => {
  const [complete] = fieldList.parse([field])
  assert.ok(complete)
  return helpOf(complete)
}

test('what the options ask for is said after the help', () => {
  const key = 'a'
  assert.equal(help({ key, type: 'text', help: 'As printed.' }), 'As printed.')
  assert.equal(help({ key, type: 'text', pattern: '[A-Z]{3}' }), 'In the form [A-Z]{3}')
  assert.equal(help({ key, type: 'number', integer: true, min: 0, max: 9 }), 'A whole number, 0 to 9.')
  assert.equal(help({ key, type: 'number', min: 1, step: 0.5 }), '1 or more, in steps of 0.5.')
  assert.equal(help({ key, type: 'date', max: '2026-01-31', help: 'Birthday.' }), 'Birthday. 2026-01-31 or earlier.')
  assert.equal(help({ key, type: 'list', fields: [], minItems: 1, maxItems: 3 }), '1 to 3 items.')
  assert.equal(help({ key, type: 'list', fields: [], maxItems: 3 }), '')
  assert.equal(help({ key, type: 'gallery', maxItems: 1 }), '1 item at most.')
  assert.equal(help({ key, type: 'reference', to: 'page', minItems: 2 }), '2 items or more.')
  assert.equal(help({ key, type: 'reference', to: 'page', multiple: false }), '')
})
