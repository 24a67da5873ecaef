import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { z } from 'zod'
import { contentFields, type FieldOf } from './field.ts'

const problemsOf = (fields: unknown): Record<string, string> =>
  Object.fromEntries(
    contentFields.safeParse(fields).error?.issues.map((issue) => [issue.path.join('.'), issue.message]) ?? [],
  )

const keysOf = (fields: unknown): string[] => Object.keys(problemsOf(fields))

const listOf = (...fields: unknown[]) => ({ key: 'items', type: 'list', fields })

describe('a field', () => {
  test('needs a key and a type; the rest is filled in', () => {
    assert.deepEqual(contentFields.parse([{ key: 'heroTitle', type: 'text' }]), [
      {
        key: 'heroTitle',
        type: 'text',
        label: 'Hero title',
        help: '',
        required: false,
        unique: false,
        indexed: false,
        hidden: false,
        default: null,
      },
    ])
  })

  test('gets the defaults of its type', () => {
    const [url, media, reference] = contentFields.parse([
      { key: 'link', type: 'url' },
      { key: 'picture', type: 'media' },
      { key: 'author', type: 'reference', to: 'person' },
    ])
    assert.ok(url?.type === 'url' && media?.type === 'media' && reference?.type === 'reference')
    assert.deepEqual(url.protocols, ['http', 'https', 'relative'])
    assert.deepEqual(media.accept, ['image/*'])
    assert.equal(reference.multiple, true)
  })

  test('has the options of its type, by type', () => {
    const field: FieldOf<'number'> | undefined = contentFields
      .parse([{ key: 'price', type: 'number', min: 1 }])
      .find((candidate) => candidate.type === 'number')
    assert.equal(field?.min, 1)
  })

  for (const [key, advice] of [
    ['hero_title', /heroTitle instead of hero_title/],
    ['Hero-Title', /heroTitle/],
    ['HeroTitle', /camelCase/],
    ['1st', /camelCase/],
    ['', /camelCase/],
    ['a'.repeat(64), /63/],
    ['naïve', /camelCase/],
    ['a\n', /camelCase/],
    ['__layout', /reserved/],
    ['__proto__', /reserved/],
    ['constructor', /reserved/],
    ['prototype', /reserved/],
    ['toString', /reserved/],
    ['hasOwnProperty', /reserved/],
    ['valueOf', /reserved/],
  ] as const)
    test(`refuses the key ${JSON.stringify(key.slice(0, 20))} and says what to do`, () => {
      assert.match(problemsOf([{ key, type: 'text' }])['0.key'] ?? '', advice)
      assert.match(problemsOf([listOf({ key, type: 'text' })])['0.fields.0.key'] ?? '', advice)
    })

  test('refuses a type that does not exist and an option that its type does not have', () => {
    assert.match(problemsOf([{ key: 'a', type: 'string' }])['0.type'] ?? '', /text, textarea, richtext/)
    assert.deepEqual(keysOf([{ key: 'a' }]), ['0.type'])
    assert.deepEqual(keysOf([{ key: 'a', type: 'text', min: 1 }]), ['0'])
    assert.deepEqual(keysOf([{ key: 'a', type: 'text', target: 'x' }]), ['0'])
  })

  test('refuses a key that another field has', () => {
    const twice = [
      { key: 'a', type: 'text' },
      { key: 'b', type: 'text' },
      { key: 'a', type: 'number' },
    ]
    assert.deepEqual(keysOf(twice), ['2.key'])
    assert.deepEqual(keysOf([listOf(...twice)]), ['0.fields.2.key'])
    assert.deepEqual(keysOf([{ key: 'a', type: 'text' }, listOf({ key: 'a', type: 'text' })]), [])
  })

  for (const [option, field] of Object.entries({
    max: { type: 'number', min: 2, max: 1 },
    maxLength: { type: 'text', minLength: 2, maxLength: 1 },
    maxItems: { type: 'gallery', minItems: 2, maxItems: 1 },
    'options.1.value': { type: 'select', options: [{ value: 'a' }, { value: 'a' }] },
    options: { type: 'select', options: [] },
    step: { type: 'number', step: 0 },
    pattern: { type: 'text', pattern: '(a+)+' },
    multiple: { type: 'reference', to: 'post', multiple: false, maxItems: 2 },
    to: { type: 'reference', to: 'Not A Name' },
    'protocols.0': { type: 'url', protocols: ['javascript'] },
    'accept.0': { type: 'media', accept: ['<svg>'] },
    min: { type: 'date', min: '2024-02-30' },
    minLength: { type: 'text', minLength: -1 },
  }))
    test(`refuses options that cannot be met, naming ${option}`, () =>
      assert.deepEqual(keysOf([{ key: 'a', ...field }]), [`0.${option}`]))

  test('refuses bounds in the wrong order, whatever the time zone', () => {
    const bounds = { min: '2024-01-01T00:00:00+02:00', max: '2023-12-31T22:30:00Z' }
    assert.deepEqual(keysOf([{ key: 'a', type: 'datetime', ...bounds }]), [])
    assert.deepEqual(keysOf([{ key: 'a', type: 'datetime', min: bounds.max, max: bounds.min }]), ['0.max'])
    assert.deepEqual(keysOf([{ key: 'a', type: 'date', min: '2024-01-02', max: '2024-01-01' }]), ['0.max'])
  })

  test('has a default that is right itself, and cleaned', () => {
    assert.deepEqual(keysOf([{ key: 'a', type: 'number', max: 1, default: 2 }]), ['0.default'])
    assert.deepEqual(keysOf([listOf({ key: 'a', type: 'url', default: 'javascript:1' })]), ['0.fields.0.default'])
    const [field] = contentFields.parse([{ key: 'a', type: 'richtext', default: '<b onclick=x>a</b>' }])
    assert.equal(field?.default, '<p><strong>a</strong></p>')
  })

  test('is unique or indexed only where values compare, and not inside a list', () => {
    for (const type of ['text', 'number', 'boolean', 'date', 'datetime', 'color', 'url', 'email'])
      assert.deepEqual(keysOf([{ key: 'a', type, unique: true }]), [], type)
    for (const type of ['textarea', 'richtext', 'markdown', 'json', 'media', 'gallery'])
      for (const option of ['unique', 'indexed'])
        assert.deepEqual(keysOf([{ key: 'a', type, [option]: true }]), [`0.${option}`])
    assert.deepEqual(keysOf([listOf({ key: 'a', type: 'text', unique: true })]), ['0.fields.0.unique'])
    assert.deepEqual(keysOf([listOf({ key: 'a', type: 'text', indexed: true })]), ['0.fields.0.indexed'])
    assert.equal(contentFields.parse([{ key: 'a', type: 'text', unique: true }])[0]?.indexed, true)
  })
})

describe('the fields of a type', () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => ({ key: `f${index}`, type: 'text' }))
  const deep = (levels: number): unknown =>
    levels === 0 ? { key: 'a', type: 'text' } : { key: 'items', type: 'list', fields: [deep(levels - 1)] }

  test('are a hundred at most on a level and three hundred in all', () => {
    assert.deepEqual(keysOf(many(100)), [])
    assert.deepEqual(keysOf(many(101)), [''])
    const lists = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ key: `l${index}`, type: 'list', fields: many(99) }))
    assert.deepEqual(keysOf(lists(3)), [])
    assert.deepEqual(keysOf([...lists(3), ...many(1)]), [''])
  })

  test('go eight lists deep at most, and a type two hundred deep is refused, too', () => {
    assert.deepEqual(keysOf([deep(8)]), [])
    assert.equal(keysOf([deep(9)]).length, 1)
    assert.equal(keysOf([deep(200)]).length, 1)
  })

  test('are a list', () => {
    for (const wrong of [null, {}, 'text', [null], ['text'], [[]]]) assert.notEqual(keysOf(wrong).length, 0)
  })

  test('can be described to other programs', () => {
    const schema = JSON.stringify(z.toJSONSchema(contentFields, { io: 'input' }))
    assert.ok(schema.includes('"$ref"') && schema.includes('"maxLength"'))
    assert.ok(z.toJSONSchema(contentFields, { io: 'output' }))
  })
})
