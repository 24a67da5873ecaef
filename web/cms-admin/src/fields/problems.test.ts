import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FieldInput, fieldList } from '@stoa/cms-model/fields/field.ts'
import { checkEarly, messagesOf, problemsAt, problemsWithin } from './problems.ts'

const problems = ['items', 'items.2.url', 'items.20', 'itemsMore'].map((key) => ({ key, message: `wrong ${key}` }))

test('problems are found by their place, not by the letters they begin with', () => {
  assert.deepEqual(problemsAt(problems, 'items').length, 1)
  assert.deepEqual(
    problemsWithin(problems, 'items').map(({ key }) => key),
    ['items', 'items.2.url', 'items.20'],
  )
  assert.deepEqual(
    problemsWithin(problems, 'items.2').map(({ key }) => key),
    ['items.2.url'],
  )
  assert.deepEqual(messagesOf([...problemsAt(problems, 'items'), ...problemsAt(problems, 'items')]), ['wrong items'])
})

test('a value is checked as the service would, after cleaning it', () => {
  const inputs: FieldInput[] = [
    { key: 'mail', type: 'email' },
    { key: 'size', type: 'number', required: true },
  ]
  const [mail, size] = fieldList.parse(inputs)
  assert.ok(mail && size)
  assert.deepEqual(checkEarly(mail, ' a@example.com ', 'mail'), [])
  assert.deepEqual(checkEarly(size, null, 'size'), [])
  assert.deepEqual(checkEarly(size, 'much', 'rows.1.size'), [{ key: 'rows.1.size', message: 'Must be a number.' }])
})
