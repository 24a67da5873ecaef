import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { diffContent, isSameJson } from './entry-diff.ts'
import { fieldList } from './fields/field.ts'

const fields = fieldList.parse([
  { key: 'body', type: 'richtext' },
  { key: 'price', type: 'number' },
  { key: 'isNew', type: 'boolean' },
  { key: 'rows', type: 'list', fields: [{ key: 'name', type: 'text' }] },
])
const content = (data: Record<string, unknown>, title = 'T') => ({ title, slug: 's', data })
const told = (before: Record<string, unknown>, after: Record<string, unknown>) =>
  diffContent(fields, content(before), content(after)).map(({ path, op }) => `${path} ${op}`)

describe('the difference between two states of an entry', () => {
  test('names what was added, removed and changed, in the order of the form', () => {
    assert.deepEqual(told({ price: 1, body: '<p>a</p>' }, { price: null, body: '<p>b</p>', rows: [{ name: 'x' }] }), [
      'data.body change',
      'data.price remove',
      'data.rows add',
    ])
    assert.deepEqual(
      diffContent(fields, content({}, ''), content({}, 'New')).map(({ label, op, after }) => [label, op, after]),
      [['Title', 'add', 'New']],
    )
  })

  test('is nothing where only the order of members, or a value that the field does not read, differs', () => {
    assert.deepEqual(told({ price: 1, body: '' }, { body: '', price: 1, gone: 'x' }), [])
    assert.deepEqual(told({ price: 'much' }, {}), [])
  })

  test('knows the layout', () => {
    assert.deepEqual(told({}, { __layout: { order: ['a'], hidden: [] } }), ['data.__layout add'])
  })
})

test('JSON is the same as its copy, and not as one with a change', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      assert.ok(isSameJson(value, JSON.parse(JSON.stringify(value))))
      assert.ok(!isSameJson([value], [value, value]))
      assert.ok(!isSameJson({ a: value }, { b: value }))
      assert.ok(!isSameJson([value], { 0: value }))
    }),
    { seed: 4, numRuns: 200 },
  )
})
