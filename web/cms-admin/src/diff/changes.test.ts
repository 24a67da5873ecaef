import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fieldList } from '@stoa/cms-model/fields/field.ts'
import { rowChanges, summaryOf } from './changes.ts'

const fields = fieldList.parse([
  { key: 'heroTitle', type: 'text' },
  { key: 'body', type: 'richtext' },
  { key: 'price', type: 'number' },
])

describe('a row of a list', () => {
  test('is compared field by field', () => {
    assert.deepEqual(
      rowChanges(fields, { heroTitle: 'a', price: 1 }, { heroTitle: 'b', body: '', price: 1 }).map(
        ({ path, label, fieldType, op }) => [path, label, fieldType, op],
      ),
      [['data.heroTitle', 'Hero title', 'text', 'change']],
    )
  })

  test('of an unknown list is compared by its members', () => {
    assert.deepEqual(
      rowChanges([], { a: 1, same: true }, { bigName: 'x', same: true }).map(({ label, op }) => [label, op]),
      [
        ['A', 'remove'],
        ['Big name', 'add'],
      ],
    )
    assert.deepEqual(rowChanges(fields, null, 'nothing'), [])
  })

  test('is called by its first words', () => {
    assert.equal(summaryOf(fields, { heroTitle: '', body: '<p>Some <em>text</em></p>' }), 'Some text')
    assert.equal(summaryOf([], { n: 1, name: 'x'.repeat(100) }).length, 81)
    assert.equal(summaryOf(fields, {}), '')
  })
})
