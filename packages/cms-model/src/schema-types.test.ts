import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type ReadField, type ReadType, schemaTypes } from './schema-types.ts'

const type = (name: string, fields: ReadField[] = [], members: Partial<ReadType> = {}): ReadType => ({
  name,
  label: name,
  kind: 'collection',
  fields,
  ...members,
})

describe('types of a schema', () => {
  test('the same types give the same text, whatever their order', () => {
    const types = ['page', 'article', 'zebra'].map((name) => type(name, [{ key: 'body', type: 'text' }]))
    assert.equal(schemaTypes(types), schemaTypes(types.toReversed()))
  })

  test('names that are no identifiers, and names that would collide, become distinct', () => {
    const text = schemaTypes([type('blog-post'), type('blogPost'), type('x-1'), type('toString2')])
    assert.match(text, /'blog-post': \{ kind: 'collection'; data: BlogPostData \}/)
    assert.match(text, /blogPost: \{ kind: 'collection'; data: BlogPostData2 \}/)
    assert.match(text, /'x-1': \{ kind: 'collection'; data: X1Data \}/)
  })

  test('labels and options cannot break out of their comments and quotes', () => {
    const options = [{ value: "it's" }, { value: 'a"b\\c\n' }]
    const text = schemaTypes([
      type('article', [{ key: 'mood', type: 'select', label: 'Ends */ here\nand there', options }], { label: '*/ x' }),
    ])
    assert.match(text, /\/\*\* \* \/ x \*\/\nexport type ArticleData/)
    assert.match(text, /\/\*\* Ends \* \/ here and there \*\//)
    assert.ok(text.includes(`mood: 'it\\'s' | 'a"b\\\\c\\n' | null`), text)
  })

  test('a reference out of reach never arrives, and a new field type is unknown', () => {
    const text = schemaTypes([
      type('article', [
        { key: 'hidden', type: 'reference', to: null, multiple: false },
        { key: 'others', type: 'reference', to: 'gone' },
        { key: 'place', type: 'geopoint' },
      ]),
    ])
    assert.match(text, /hidden: never \| null\n/)
    assert.match(text, /others: never\[\]\n/)
    assert.match(text, /place: unknown\n/)
  })

  test('a site without types has an empty schema', () => {
    assert.match(schemaTypes([]), /export type CmsSchema = \{\n\}\n$/)
  })
})
