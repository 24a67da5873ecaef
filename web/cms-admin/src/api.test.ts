import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readRefusal } from './api.ts'

describe('refusals of the service', () => {
  test('words, code and fields are read', () => {
    const body = {
      error: 'Some members of the request are not valid',
      code: 'VALIDATION_FAILED',
      details: { fields: [{ key: 'email', message: 'must be an e-mail address' }] },
    }
    assert.deepEqual(readRefusal(body), {
      message: 'Some members of the request are not valid.',
      code: 'VALIDATION_FAILED',
      fields: [{ key: 'email', message: 'Must be an e-mail address.' }],
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
