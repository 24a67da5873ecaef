import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fieldList } from '@stoa/cms-model/fields/field.ts'
import { pictureField } from '@stoa/cms-model/fields/picture-field.ts'
import { columnOptions, defaultColumns, fieldOfColumn, readColumns } from './column-choice.ts'
import { excerptOf, idsIn, shortUrl, titleOf } from './values.ts'

const type = {
  fields: fieldList.parse([
    { key: 'body', type: 'richtext' },
    { key: 'photos', type: 'gallery' },
    { key: 'hero', type: 'media' },
    { key: 'price', type: 'number' },
    { key: 'day', type: 'date' },
    { key: 'isNew', type: 'boolean' },
  ]),
  taxonomies: ['topics'],
}

describe('the columns of a list', () => {
  test('are those of the type: terms and languages only where there are some', () => {
    const ids = columnOptions(type, 2).map(({ id }) => id)
    assert.ok(ids.includes('data.price') && ids.includes('terms') && ids.includes('locale'))
    const bare = columnOptions({ fields: [], taxonomies: [] }, 1).map(({ id }) => id)
    assert.deepEqual(bare, ['status', 'slug', 'author', 'publishedAt', 'createdAt', 'updatedAt'])
  })

  test('start with two short fields, and the picture that stands before the title is a single one if there is one', () => {
    assert.deepEqual(defaultColumns(type, 1), ['status', 'data.price', 'data.day', 'author', 'updatedAt'])
    assert.equal(pictureField(type.fields)?.key, 'hero')
    assert.equal(pictureField(type.fields.slice(0, 2))?.key, 'photos')
    assert.equal(pictureField([]), undefined)
  })

  test('a choice keeps the order of the options; a field that is gone is left out', () => {
    const read = readColumns(columnOptions(type, 1), ['status'])
    assert.deepEqual(read(['updatedAt', 'data.gone', 'data.day', 7]), ['data.day', 'updatedAt'])
    assert.deepEqual(read([]), [])
    assert.deepEqual(read('status'), ['status'])
    assert.equal(fieldOfColumn(type.fields, 'data.day')?.key, 'day')
    assert.equal(fieldOfColumn(type.fields, 'day'), undefined)
  })
})

describe('values in a row', () => {
  test('markup becomes one line of text, long text ends with dots', () => {
    assert.equal(excerptOf('<h2>A &amp; b</h2>\n<p>c<br>d</p><img src="x', true), 'A & b c d')
    assert.equal(excerptOf('a <b> c'), 'a <b> c')
    assert.equal(excerptOf('x'.repeat(500)).length, 121)
    assert.equal(excerptOf({}), '')
  })

  test('ids are read from one, several and none', () => {
    assert.deepEqual([idsIn('a'), idsIn(['a', 3, 'b']), idsIn(null), idsIn('')], [['a'], ['a', 'b'], [], []])
    assert.equal(shortUrl('https://www.example.com/'), 'example.com')
    assert.equal(titleOf({ title: '' }), 'Untitled')
  })
})
