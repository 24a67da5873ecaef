import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readRefusal } from './api.ts'

const refusal = (message: string) => readRefusal({ statusCode: 400, name: 'validation_error', message })

describe('refusals of the service', () => {
  test('each invalid member gets its own message', () => {
    const text =
      'Invalid `email` field: must be an email address. Invalid `password` field: must have at least 8 bytes.'
    assert.deepEqual(refusal(text)?.fields, [
      { key: 'email', message: 'Must be an email address.' },
      { key: 'password', message: 'Must have at least 8 bytes.' },
    ])
  })

  test('a member that another sentence names is found too', () => {
    assert.deepEqual(refusal('An account with this `email` already exists.')?.fields, [
      { key: 'email', message: 'An account with this email already exists.' },
    ])
    assert.deepEqual(refusal('Missing `current_password` field.')?.fields, [
      { key: 'current_password', message: 'Missing current_password field.' },
    ])
  })

  test('a message about no member concerns the whole request', () => {
    assert.deepEqual(refusal('Wrong email address or password.'), {
      message: 'Wrong email address or password.',
      code: 'validation_error',
      fields: [],
    })
  })

  test('an answer that is not of the service is not read', () => {
    for (const body of [undefined, null, 'Bad Gateway', {}, { name: 'x' }, { name: 1, message: 'x' }]) {
      assert.equal(readRefusal(body), undefined)
    }
  })
})
