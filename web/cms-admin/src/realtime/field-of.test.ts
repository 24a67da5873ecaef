import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldOf } from './field-of.ts'

test('whatever is inside a field belongs to it, and nothing else to any', () => {
  const known = ['title', 'slug', 'rows']
  for (const [path, field] of [
    [':title', 'title'],
    ['rows', 'rows'],
    ['rows.2.name', 'rows'],
    ['unknown', null],
    ['', null],
    [null, null],
    [undefined, null],
  ] as const)
    assert.equal(fieldOf(path, known), field)
})
