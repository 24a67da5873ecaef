import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { contentFields } from './field.ts'
import { checkRenames, formerPaths, occupiedTargets, renameFields, renameMembers } from './renames.ts'

const fields = contentFields.parse([
  { key: 'a', type: 'text' },
  {
    key: 'rows',
    type: 'list',
    fields: [
      { key: 'n', type: 'number' },
      { key: 'm', type: 'number' },
    ],
  },
])
const keysOf = (renames: Record<string, string>, next = renameFields(fields, renames)) =>
  checkRenames(renames, fields, next).map(({ key }) => key)

test('fields and their values get the new keys, also inside of lists that get one themselves', () => {
  const renames = { a: 'title', rows: 'items', 'rows.n': 'rows.count' }
  const next = renameFields(fields, renames)
  assert.deepEqual(
    next.map((field) => [field.key, field.type === 'list' ? field.fields.map(({ key }) => key) : []]),
    [
      ['title', []],
      ['items', ['count', 'm']],
    ],
  )
  assert.deepEqual(renameMembers({ a: 'x', rows: [{ n: 1, m: 2, gone: 3 }, 'odd'], gone: 1 }, renames), {
    title: 'x',
    items: [{ count: 1, m: 2, gone: 3 }, 'odd'],
    gone: 1,
  })
  assert.deepEqual(checkRenames(renames, fields, next), [])
  assert.equal(formerPaths(fields, renames).get('items.count'), 'rows.n')
})

test('what has nothing under the old key is the very same object', () => {
  const members = { other: 1 }
  assert.equal(renameMembers(members, { a: 'b' }), members)
})

describe('a rename is refused', () => {
  test('of a field that is not there', () => assert.deepEqual(keysOf({ nothing: 'b' }), ['renames.nothing']))
  test('to the key of another field', () => assert.deepEqual(keysOf({ a: 'rows' }), ['renames.a']))
  test('of two fields to one key', () =>
    assert.deepEqual(keysOf({ 'rows.n': 'rows.x', 'rows.m': 'rows.x' }), ['renames.rows.n', 'renames.rows.m']))
  test('out of its list', () => assert.deepEqual(keysOf({ 'rows.n': 'n' }), ['renames.rows.n']))
  test('to a key that the fields sent do not have', () => assert.deepEqual(keysOf({ a: 'b' }, fields), ['renames.a']))
  test('of what every object has', () =>
    assert.deepEqual(keysOf(JSON.parse('{"__proto__":"b","constructor":"c"}')).length, 2))
})

test('keys that hold values of a removed field are reported, empty ones are not', () => {
  assert.deepEqual(occupiedTargets({ b: 'x', rows: [{ x: 1 }] }, { a: 'b', 'rows.n': 'rows.x' }), ['b', 'rows.x'])
  assert.deepEqual(occupiedTargets({ b: '', rows: [{ x: null }] }, { a: 'b', 'rows.n': 'rows.x' }), [])
  assert.deepEqual(renameMembers({ a: 'kept', b: '' }, { a: 'b' }), { b: 'kept' })
})
