import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageLayout } from './page-layout.ts'

const section = (id: string, movable = true) => ({ id, label: id.toUpperCase(), movable, fields: [`${id}Title`] })
const definition = { sections: [section('a'), section('b', false), section('c')] }

test('the layout of a page names its sections in their present order, with what is hidden and its version', () => {
  assert.deepEqual(pageLayout(definition, { order: ['c', 'a'], hidden: ['b'] }, 7), {
    sections: [
      { id: 'c', label: 'C', movable: true, hidden: false, fields: ['cTitle'] },
      { id: 'b', label: 'B', movable: false, hidden: true, fields: ['bTitle'] },
      { id: 'a', label: 'A', movable: true, hidden: false, fields: ['aTitle'] },
    ],
    order: ['c', 'b', 'a'],
    hidden: ['b'],
    version: 7,
  })
})

test('without a layout the sections stand as they were declared', () => {
  for (const layout of [null, undefined, {}, { order: [] }])
    assert.deepEqual(pageLayout(definition, layout, 1).order, ['a', 'b', 'c'])
  assert.deepEqual(pageLayout(definition, null, 1).hidden, [])
})

test('ids of sections that are declared no more are left out', () => {
  const { order, hidden } = pageLayout(definition, { order: ['gone', 'c', 'c', 'a'], hidden: ['gone', 'a', 'a'] }, 1)
  assert.deepEqual(order, ['c', 'b', 'a'])
  assert.deepEqual(hidden, ['a'])
})

test('records that a section shows are named with it', () => {
  const collection = { type: 'article', label: 'Articles' }
  const { sections } = pageLayout({ sections: [{ ...section('a'), collection }] }, null, 1)
  assert.deepEqual(sections[0]?.collection, collection)
})
