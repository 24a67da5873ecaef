import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Field, type FieldInput, fieldList } from '@stoa/cms-model/fields/field.ts'
import type { HeldSlugs } from './slug-references.ts'
import { loadScreens } from './testing/load-screens.ts'

type Screens = Awaited<ReturnType<typeof loadScreens>>
let viewOf: Screens['viewOf']
// Not while the file is loaded: the runner would no longer know which file its tests belong to.
before(async () => {
  ;({ viewOf } = await loadScreens())
})

const heldBy = (field: Field, value: unknown): HeldSlugs | null => viewOf(field).slugs?.(field, value) ?? null

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
    for (const field of [text, made({ type: 'textarea' })]) {
      const held = heldBy(field, ' fog ')
      assert.deepEqual([held?.slugs, held?.isList, held?.max], [['fog'], false, 1])
      for (const value of ['', ' ', null, undefined, 7]) assert.deepEqual(heldBy(field, value)?.slugs, [])
      assert.equal(held?.toValue(['mist']), 'mist')
      assert.equal(held?.toValue([]), '')
    }
  })

  test('holds several, in their order, in a list of texts and in JSON', () => {
    const held = heldBy(rows, [{ slug: 'b' }, { slug: 'a' }])
    assert.deepEqual([held?.slugs, held?.isList, held?.max], [['b', 'a'], true, 3])
    assert.deepEqual(held?.toValue(['a', 'b']), [{ slug: 'a' }, { slug: 'b' }])
    assert.deepEqual(heldBy(json, ['b', 'a'])?.slugs, ['b', 'a'])
    assert.deepEqual(heldBy(json, null)?.slugs, [])
    assert.deepEqual(heldBy(json, ['b'])?.toValue(['a']), ['a'])
    assert.equal(heldBy(json, ['b'])?.toValue([]), null)
  })

  test('keeps its own editor where it holds anything else', () => {
    assert.equal(heldBy(json, { a: 1 }), null)
    assert.equal(heldBy(json, ['a', 1]), null)
    for (const type of ['number', 'richtext', 'markdown', 'url', 'email'])
      assert.equal(heldBy(made({ type }), ''), null)
    const two = [
      { key: 'slug', type: 'text', label: 'Slug' },
      { key: 'note', type: 'text', label: 'Note' },
    ]
    assert.equal(heldBy(made({ type: 'list', fields: two }), []), null)
  })
})
