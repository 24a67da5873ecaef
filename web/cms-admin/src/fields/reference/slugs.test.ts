import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Field, type FieldInput, fieldList } from '@stoa/cms-model/fields/field.ts'
import { holdSlugs, slugsIn } from './slugs.ts'

const made = (input: object): Field => {
  const [field] = fieldList.parse([{ key: 'picks', label: 'Picks', ...input } as FieldInput])
  assert.ok(field)
  return field
}
const text = made({ type: 'text' })
const rows = made({ type: 'list', maxItems: 3, fields: [{ key: 'slug', type: 'text', label: 'Slug' }] })
const json = made({ type: 'json' })

describe('a field that refers to entries by their slugs', () => {
  test('holds one in a text, and none in an empty one', () => {
    assert.deepEqual(slugsIn(text, ' fog '), { slugs: ['fog'], isList: false, max: 1 })
    for (const value of ['', ' ', null, undefined, 7]) assert.deepEqual(slugsIn(text, value)?.slugs, [])
    assert.equal(holdSlugs(text, ['fog']), 'fog')
    assert.equal(holdSlugs(text, []), '')
  })

  test('holds several, in their order, in a list of texts and in JSON', () => {
    assert.deepEqual(slugsIn(rows, [{ slug: 'b' }, { slug: 'a' }]), { slugs: ['b', 'a'], isList: true, max: 3 })
    assert.deepEqual(holdSlugs(rows, ['a', 'b']), [{ slug: 'a' }, { slug: 'b' }])
    assert.deepEqual(slugsIn(json, ['b', 'a'])?.slugs, ['b', 'a'])
    assert.deepEqual(slugsIn(json, null)?.slugs, [])
    assert.deepEqual(holdSlugs(json, ['a']), ['a'])
    assert.equal(holdSlugs(json, []), null)
  })

  test('keeps its own editor where it holds anything else', () => {
    assert.equal(slugsIn(json, { a: 1 }), null)
    assert.equal(slugsIn(json, ['a', 1]), null)
    assert.equal(slugsIn(made({ type: 'number' }), 1), null)
    const two = [
      { key: 'slug', type: 'text', label: 'Slug' },
      { key: 'note', type: 'text', label: 'Note' },
    ]
    assert.equal(slugsIn(made({ type: 'list', fields: two }), []), null)
  })
})
