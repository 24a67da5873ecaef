import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type FieldInput, fieldList } from '@stoa/cms-model/fields/field.ts'
import { countProblems, isInline, newRow, pictureOf, rowsOf } from './rows.ts'
import { summaryOf } from './summary.ts'

const inputs: FieldInput[] = [
  { key: 'photo', type: 'media' },
  { key: 'amount', type: 'number', default: 3 },
  { key: 'name', type: 'text' },
  { key: 'story', type: 'richtext' },
  { key: 'links', type: 'list', fields: [{ key: 'url', type: 'url' }] },
]
const fields = fieldList.parse(inputs)
const ID = '0190f1f1-0000-7000-8000-000000000001'

describe('a row', () => {
  test('is summed up by its first text, else by anything else that it says', () => {
    assert.equal(
      summaryOf(fields, { amount: 7, name: ' ', story: '<p>Once\nupon <b>a</b> time</p>' }),
      'Once upon a time',
    )
    assert.equal(summaryOf(fields, { amount: 7, name: 'Ada', story: '<p>x</p>' }), 'Ada')
    assert.equal(summaryOf(fields, { amount: 7, name: '' }), '7')
    assert.equal(summaryOf(fields, { links: [{}, {}] }), 'Links: 2 items')
    assert.equal(summaryOf(fields, { name: 5, story: null }), '')
    assert.equal(summaryOf(fields, { name: 'x'.repeat(500) }).length, 121)
  })

  test('is pictured by its first file', () => {
    assert.equal(pictureOf(fields, { photo: ID }), ID)
    assert.equal(pictureOf(fields, { photo: null }), undefined)
    const withGallery: FieldInput[] = [{ key: 'shots', type: 'gallery' }]
    assert.equal(pictureOf(fieldList.parse(withGallery), { shots: [ID] }), ID)
  })

  test('starts with a value for each field', () => {
    assert.deepEqual(newRow(fields), { photo: null, amount: 3, name: '', story: '', links: [] })
  })

  test('counts its problems with those of its own lists, and not those of row twenty', () => {
    const problems = ['rows.2', 'rows.2.name', 'rows.2.links.0.url', 'rows.20.name'].map((key) => ({
      key,
      message: '',
    }))
    assert.equal(countProblems(problems, 'rows.2'), 3)
  })

  test('of one short input needs no opening', () => {
    const only = (input: FieldInput) => isInline(fieldList.parse([input]))
    assert.equal(only({ key: 'tag', type: 'text' }), true)
    assert.equal(only({ key: 'tag', type: 'richtext' }), false)
    assert.equal(isInline(fields), false)
  })

  test('is only what is an object', () => {
    assert.deepEqual(rowsOf([{ a: 1 }, null, 'x', [1]]), [{ a: 1 }])
    assert.deepEqual(rowsOf('rows'), [])
  })
})
