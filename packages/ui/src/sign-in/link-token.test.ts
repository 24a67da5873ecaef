import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readToken } from './link-token.ts'

test('the token of a link is what stands behind #token=, and nothing else is one', () => {
  assert.equal(readToken('#token=a-b_c'), 'a-b_c')
  for (const hash of ['', '#', '#other=1', '#tokens=1']) assert.equal(readToken(hash), '')
})
