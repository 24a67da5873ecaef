import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type FieldInput, fieldList } from '@stoa/cms-model/fields/field.ts'
import fc from 'fast-check'
import { isFlat, readTable, rowsOfTable } from './table-text.ts'

const inputs: FieldInput[] = [
  { key: 'name', type: 'text', label: 'Full name' },
  { key: 'age', type: 'number' },
  { key: 'member', type: 'boolean' },
  { key: 'size', type: 'select', options: [{ value: 's', label: 'Small' }, { value: 'l' }] },
]
const fields = fieldList.parse(inputs)

describe('a table', () => {
  test('is read as spreadsheets copy it, and as CSV with commas or semicolons', () => {
    assert.deepEqual(readTable('a\tb, c\r\n\r\nd\t\n'), [
      ['a', 'b, c'],
      ['d', ''],
    ])
    assert.deepEqual(readTable('a, "b, ""c""\nd"\ne,f'), [
      ['a', 'b, "c"\nd'],
      ['e', 'f'],
    ])
    assert.deepEqual(readTable('a;1,5;b\n'), [['a', '1,5', 'b']])
    assert.deepEqual(readTable(' \n\n'), [])
  })

  test('never throws, and never has more rows than a list takes', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('"', ',', '\t', '\n', '\r', 'a', ';') }), (text) => {
        for (const row of readTable(text)) assert.ok(row.some((cell) => cell !== ''))
      }),
      { seed: 11, numRuns: 300 },
    )
    assert.equal(readTable('a\n'.repeat(3000)).length, 1000)
  })
})

describe('rows of a table', () => {
  test('are read by the order of the fields', () => {
    assert.deepEqual(rowsOfTable(fields, [['Ada', '36', 'yes', 'small', 'too much'], ['Bo']]), [
      { name: 'Ada', age: 36, member: true, size: 's' },
      { name: 'Bo', age: null, member: false, size: null },
    ])
  })

  test('are read by the names in the first line, if there are some', () => {
    assert.deepEqual(
      rowsOfTable(fields, [
        ['AGE', 'full name'],
        ['36', 'Ada'],
      ]),
      [{ name: 'Ada', age: 36, member: false, size: null }],
    )
  })

  test('keep numbers that cannot be read, for the person to fix', () => {
    assert.deepEqual(rowsOfTable(fields, [['Ada', 'old']])[0]?.age, 'old')
  })

  test('are for lists of simple values only', () => {
    assert.equal(isFlat(fields), true)
    const nested: FieldInput[] = [...inputs, { key: 'more', type: 'list', fields: inputs }]
    assert.equal(isFlat(fieldList.parse(nested)), false)
    assert.equal(isFlat([]), false)
  })
})
