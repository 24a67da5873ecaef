import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readRefusal } from './api.ts'

describe('refusals of the service', () => {
  test('words, code and fields are read', () => {
    const body = {
      error: 'Some fields are invalid',
      code: 'VALIDATION_FAILED',
      details: { fields: [{ key: 'email', message: 'must be an email address like name@example.com' }] },
    }
    assert.deepEqual(readRefusal(body), {
      message: 'Some fields are invalid.',
      code: 'VALIDATION_FAILED',
      fields: [{ key: 'email', message: 'Must be an email address like name@example.com.' }],
    })
  })

  test('details of other shapes are left out', () => {
    for (const details of [undefined, null, 'x', { fields: 'x' }, { fields: [null, { key: 1, message: 'x' }] }]) {
      assert.deepEqual(readRefusal({ error: 'No', code: 'FORBIDDEN', details })?.fields, [])
    }
  })

  test('an answer that is not of the service is not read', () => {
    for (const body of [undefined, null, 'Bad Gateway', {}, { error: 'x' }, { error: 1, code: 'X' }]) {
      assert.equal(readRefusal(body), undefined)
    }
  })
})
