import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type ContentType, contentTypeInput } from '@stoa/cms-model/content-types.ts'
import { scalarOf } from '@stoa/cms-model/fields/field.ts'
import { type FieldType, fieldTypeNames } from '@stoa/cms-model/fields/types/index.ts'
import fc from 'fast-check'
import { loadScreens } from '../fields/testing/load-screens.ts'
import type { FieldDraft, TypeDraft } from './draft.ts'
import { changeAt, changeBelow, fieldAt, moveItem, pathOfProblem, problemPrefix } from './field-tree.ts'

type Screens = Awaited<ReturnType<typeof loadScreens>>
let copyField: Screens['copyField']
let draftOf: Screens['draftOf']
let emptyType: Screens['emptyType']
let isScalar: Screens['isScalar']
let newField: Screens['newField']
let readDraft: Screens['readDraft']
let retype: Screens['retype']
let startingPoints: Screens['startingPoints']
// Not while the file is loaded: the runner would no longer know which file its tests belong to.
before(async () => {
  ;({ copyField, draftOf, emptyType, isScalar, newField, readDraft, retype, startingPoints } = await loadScreens())
})

const SEED = 20260301

const record = (fields: unknown[]): ContentType => ({
  ...contentTypeInput.parse({ name: 'thing', label: 'Thing', fields }),
  taxonomies: [],
  version: 1,
  createdAt: '2026-03-01T12:00:00.000Z',
  updatedAt: '2026-03-01T12:00:00.000Z',
})

const everything = record([
  { key: 'a', type: 'text', minLength: 1, maxLength: 9, pattern: '[a-z]+', unique: true, default: 'abc' },
  { key: 'b', type: 'number', min: -1.5, max: 9, step: 0.5, integer: true, default: 3 },
  { key: 'c', type: 'date', min: '2026-01-01' },
  { key: 'd', type: 'datetime', max: '2026-01-01T00:00:00.000Z' },
  { key: 'e', type: 'select', options: [{ value: 'x', label: 'X' }, { value: 'y' }], default: 'x' },
  { key: 'f', type: 'multiselect', options: [{ value: 'x' }], minItems: 0, maxItems: 1 },
  { key: 'g', type: 'media', accept: ['application/pdf'] },
  { key: 'h', type: 'gallery', maxItems: 3 },
  { key: 'i', type: 'reference', to: 'thing', multiple: false },
  { key: 'j', type: 'list', minItems: 1, fields: [{ key: 'k', type: 'list', fields: [{ key: 'l', type: 'url' }] }] },
  { key: 'm', type: 'boolean', default: true, hidden: true, help: 'Yes?' },
  ...['textarea', 'richtext', 'markdown', 'json', 'color', 'email'].map((type) => ({
    key: type,
    type,
    required: true,
  })),
])

const refusedKeys = (draft: TypeDraft): string[] => {
  const read = readDraft(draft)
  return 'problems' in read ? read.problems.map(({ key }) => key) : []
}

describe('a content type while it is edited', () => {
  test('a saved type that nobody changed is sent as it was, with all eighteen field types', () => {
    const read = readDraft(draftOf(everything))
    assert.ok('input' in read)
    assert.deepEqual(read.input.fields, everything.fields)
    assert.deepEqual(draftOf(everything), draftOf(everything))
  })

  test('a new field of every type can be saved once it has what its type needs', () => {
    const needs = (type: FieldType): Partial<FieldDraft> => ({
      ...(type.endsWith('select') && { options: { options: [{ id: '1', value: 'red', label: 'Red' }] } }),
      ...(type === 'reference' && { options: { to: 'thing' } }),
      ...(type === 'list' && { fields: [newField('text', { label: 'Inner', key: 'inner' })] }),
    })
    const fields = fieldTypeNames.map((type) => newField(type, { label: type, key: type, ...needs(type) }))
    const read = readDraft({ ...emptyType, name: 'thing', label: 'Thing', fields })
    assert.ok('input' in read)
    assert.deepEqual(
      read.input.fields.map(({ type }) => type),
      fieldTypeNames,
    )
  })

  test('it is known which types can be unique', () => {
    for (const field of everything.fields) assert.equal(isScalar(field.type), scalarOf(field) !== undefined, field.type)
  })

  test('every starting point can be saved as it is', () => {
    for (const { draft } of startingPoints) {
      assert.deepEqual(refusedKeys(draft([])), [])
      const read = readDraft(draft([{ name: 'author' }]))
      assert.ok('input' in read)
    }
  })

  test('mistakes are named where they are, once each and in words', () => {
    const draft: TypeDraft = {
      ...emptyType,
      label: 'Thing',
      name: 'Thing',
      previewUrl: 'nowhere',
      fields: [
        newField('text'),
        newField('text', { key: 'snake_case', label: 'X', options: { maxLength: 'many' } }),
        newField('select', { key: 'choice' }),
        newField('reference', { key: 'ref' }),
        newField('list', { key: 'list', fields: [newField('number', { key: 'n', options: { min: 'few' } })] }),
      ],
    }
    const read = readDraft(draft)
    assert.ok('problems' in read)
    const byKey = new Map(read.problems.map(({ key, message }) => [key, message]))
    assert.equal(byKey.size, read.problems.length)
    assert.equal(byKey.get('fields.0.label'), 'Enter a label.')
    assert.match(byKey.get('fields.1.key') ?? '', /camelCase: snakeCase/)
    assert.equal(byKey.get('fields.1.maxLength'), 'Enter a number, or leave it empty.')
    assert.equal(byKey.get('fields.2.options'), 'Add at least one choice.')
    assert.equal(byKey.get('fields.3.to'), 'Choose a content type.')
    assert.equal(byKey.get('fields.4.fields.0.min'), 'Enter a number, or leave it empty.')
    for (const key of ['name', 'previewUrl']) assert.ok(byKey.has(key), key)
  })

  test('another type keeps what it can, and drops what it cannot be', () => {
    const field = newField('text', { key: 'a', unique: true, default: 'x', options: { maxLength: '5', min: '1' } })
    const number = retype(field, 'number')
    assert.deepEqual([number.unique, number.default, number.options], [true, null, { maxLength: '5', min: '' }])
    assert.equal(retype(field, 'richtext').unique, false)
    assert.equal(retype(retype(field, 'richtext'), 'text').options.maxLength, '5')
  })

  test('another type for a moment leaves nothing behind', () => {
    const plain = draftOf(everything).fields.filter(({ unique, options, default: value }) => {
      const isBound = [options.min, options.max].some((bound) => bound !== undefined && bound !== '')
      return value === null && !unique && !isBound
    })
    assert.ok(plain.length > 10)
    for (const field of plain)
      for (const type of fieldTypeNames) assert.deepEqual(retype(retype(field, type), field.type), field, type)
  })

  test('limits are not asked of a reference to one entry: they come back with several', () => {
    const options = { to: 'thing', multiple: false, minItems: 'many', maxItems: '3' }
    const single = newField('reference', { key: 'a', label: 'A', options })
    const several = { ...single, options: { ...options, multiple: true } }
    const draft = { ...emptyType, name: 'thing', label: 'Thing' }
    assert.deepEqual(refusedKeys({ ...draft, fields: [single] }), [])
    assert.deepEqual(refusedKeys({ ...draft, fields: [several] }), ['fields.0.minItems'])
  })

  test('a copy has a key and ids of its own, all the way down', () => {
    const draft = draftOf(everything)
    const list = draft.fields.find(({ key }) => key === 'j')
    assert.ok(list)
    const copy = copyField(list, new Set(draft.fields.map(({ key }) => key)))
    assert.deepEqual([copy.key, copy.savedKey, copy.fields[0]?.savedKey], ['j2', '', ''])
    assert.notEqual(copy.fields[0]?.id, list.fields[0]?.id)
    assert.deepEqual(refusedKeys({ ...draft, fields: [...draft.fields, copy] }), [])
  })

  test('moving is a permutation, and moving back undoes it', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1 }), fc.nat(), fc.nat(), (items, a, b) => {
        const [from, to] = [a % items.length, b % items.length]
        const moved = moveItem(items, from, to)
        assert.equal(moved[to], items[from])
        assert.deepEqual(moveItem(moved, to, from), items)
      }),
      { seed: SEED },
    )
  })

  test('a problem leads to its field and back, through lists', () => {
    const { fields } = draftOf(everything)
    const path = pathOfProblem(fields, 'fields.9.fields.0.fields.0.key')
    assert.equal(fieldAt(fields, path)?.key, 'l')
    assert.equal(problemPrefix(fields, path), 'fields.9.fields.0.fields.0.')
    assert.deepEqual(pathOfProblem(fields, 'fields.4.options.1.value'), ['e'])
    assert.deepEqual(pathOfProblem(fields, 'previewUrl'), [])
    assert.deepEqual(pathOfProblem(fields, 'fields'), [])
  })

  test('a change inside a list leaves everything else as it is', () => {
    const { fields } = draftOf(everything)
    const path = ['j', 'j.k', 'j.k.l']
    const changed = changeAt(fields, path, (field) => ({ ...field, label: 'Link' }))
    assert.equal(fieldAt(changed, path)?.label, 'Link')
    assert.deepEqual(
      changeAt(changed, path, (field) => ({ ...field, label: 'L' })),
      fields,
    )
    const emptied = changeBelow(fields, ['j', 'j.k'], () => [])
    assert.equal(fieldAt(emptied, path), undefined)
    assert.deepEqual(emptied.slice(0, 9), fields.slice(0, 9))
  })
})
