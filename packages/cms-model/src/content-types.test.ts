import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { z } from 'zod'
import { contentType, contentTypeInput, diffTypes, updateContentTypeInput } from './content-types.ts'
import { contentFields } from './fields/field.ts'

const keysOf = (schema: z.ZodType, value: unknown): string[] =>
  schema.safeParse(value).error?.issues.map((issue) => issue.path.join('.')) ?? []

const post = { name: 'post', label: 'Post' }

describe('a content type', () => {
  test('needs a name and a label; the rest is filled in', () => {
    assert.deepEqual(contentTypeInput.parse(post), {
      name: 'post',
      label: 'Post',
      labelPlural: 'Post',
      description: '',
      icon: '',
      kind: 'collection',
      previewUrl: null,
      fields: [],
    })
  })

  for (const name of [
    '',
    'Post',
    '1post',
    'blog_post',
    'a b',
    'a'.repeat(64),
    'constructor',
    'toString',
    '__proto__',
    'single',
    'pöst',
  ])
    test(`must not be named ${JSON.stringify(name.slice(0, 20))}`, () =>
      assert.deepEqual(keysOf(contentTypeInput, { ...post, name }), ['name']))

  for (const name of ['post', 'blogPost', 'blog-post', 'a', 'p2'])
    test(`may be named ${name}`, () => assert.deepEqual(keysOf(contentTypeInput, { ...post, name }), []))

  test('is refused with what is wrong, by its path', () => {
    assert.deepEqual(keysOf(contentTypeInput, { ...post, kind: 'many' }), ['kind'])
    assert.deepEqual(keysOf(contentTypeInput, { ...post, previewUrl: 'javascript:1' }), ['previewUrl'])
    assert.deepEqual(keysOf(contentTypeInput, { ...post, label: ' ' }), ['label'])
    assert.deepEqual(keysOf(contentTypeInput, { ...post, icon: '<svg>' }), ['icon'])
    assert.deepEqual(keysOf(contentTypeInput, { ...post, taxonomies: [] }), [''])
    assert.deepEqual(keysOf(contentTypeInput, { ...post, fields: [{ key: 'a_b', type: 'text' }] }), ['fields.0.key'])
  })

  test('changes only in the members sent, and never in its name', () => {
    assert.deepEqual(updateContentTypeInput.parse({ label: 'Article' }), { label: 'Article' })
    assert.deepEqual(updateContentTypeInput.parse({ previewUrl: null }), { previewUrl: null })
    assert.deepEqual(keysOf(updateContentTypeInput, { name: 'article' }), [''])
  })

  test('can be described to other programs', () => {
    for (const schema of [contentTypeInput, updateContentTypeInput]) assert.ok(z.toJSONSchema(schema, { io: 'input' }))
    assert.ok(z.toJSONSchema(contentType))
  })
})

describe('a change of fields', () => {
  const diff = (before: unknown[], after: unknown[]) =>
    diffTypes({ fields: contentFields.parse(before) }, { fields: contentFields.parse(after) })
  const narrowed = (before: object, after: object): string[] => {
    const [change] = diff([{ key: 'a', ...before }], [{ key: 'a', ...before, ...after }])
    return change?.change === 'narrowed' ? change.options : []
  }

  test('says which are new, gone and of another type', () => {
    const before = [
      { key: 'a', type: 'text' },
      { key: 'b', type: 'text' },
      { key: 'c', type: 'text' },
    ]
    const after = [
      { key: 'd', type: 'text' },
      { key: 'b', type: 'number' },
      { key: 'c', type: 'text', label: 'New' },
    ]
    assert.deepEqual(diff(before, after), [
      { change: 'removed', key: 'a' },
      { change: 'added', key: 'd' },
      { change: 'retyped', key: 'b', from: 'text', to: 'number' },
    ])
  })

  test('says which are hidden or shown', () => {
    const field = { key: 'a', type: 'text' }
    assert.deepEqual(diff([field], [{ ...field, hidden: true }]), [{ change: 'hidden', key: 'a' }])
    assert.deepEqual(diff([{ ...field, hidden: true }], [field]), [{ change: 'shown', key: 'a' }])
  })

  for (const [before, after, options] of [
    [{ type: 'text' }, { maxLength: 5 }, ['maxLength']],
    [
      { type: 'text', maxLength: 5 },
      { maxLength: 4, required: true, unique: true },
      ['required', 'unique', 'maxLength'],
    ],
    [{ type: 'text', maxLength: 5 }, { maxLength: 6 }, []],
    [{ type: 'text', pattern: 'a' }, { pattern: 'b' }, ['pattern']],
    [{ type: 'text', pattern: 'a' }, { pattern: undefined }, []],
    [{ type: 'number', min: 1, max: 9 }, { min: 0, max: 10 }, []],
    [{ type: 'number', min: 1, max: 9 }, { min: 2, max: 8, integer: true }, ['min', 'max', 'integer']],
    [{ type: 'date', max: '2024-02-01' }, { max: '2024-01-01' }, ['max']],
    [{ type: 'datetime', max: '2024-01-01T00:00Z' }, { max: '2024-01-01T00:30+02:00' }, ['max']],
    [
      { type: 'select', options: [{ value: 'a' }, { value: 'b' }] },
      { options: [{ value: 'b', label: 'B' }, { value: 'c' }] },
      ['options'],
    ],
    [{ type: 'select', options: [{ value: 'a' }] }, { options: [{ value: 'a', label: 'A' }, { value: 'b' }] }, []],
    [{ type: 'url' }, { protocols: ['https'] }, ['protocols']],
    [{ type: 'reference', to: 'post' }, { to: 'page', multiple: false }, ['to', 'multiple']],
  ] as const)
    test(`from ${JSON.stringify(before)} to ${JSON.stringify(after)} narrows ${options.join(', ') || 'nothing'}`, () =>
      assert.deepEqual(narrowed(before, after).sort(), [...options].sort()))

  test('goes into lists', () => {
    const list = (...fields: unknown[]) => ({ key: 'items', type: 'list', fields })
    assert.deepEqual(diff([list({ key: 'a', type: 'text' })], [list({ key: 'b', type: 'text' })]), [
      { change: 'removed', key: 'items.a' },
      { change: 'added', key: 'items.b' },
    ])
  })
})
