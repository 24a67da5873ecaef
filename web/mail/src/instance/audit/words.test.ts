import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detailWords } from './words.ts'

test('the details of an action are a line of words without ids', () => {
  assert.equal(detailWords({ account_id: 'x', reason: 'Sends spam' }), 'Reason: Sends spam')
  assert.equal(
    detailWords({ account_id: 'x', plan: 'pro', limits: { domains: 4, storage_bytes: null } }),
    "Plan: pro, Limits: domains 4, storage bytes plan's limit",
  )
  assert.equal(detailWords({ totp: true }), 'Two-factor authentication: turned off')
  assert.equal(detailWords({ totp: false, reason: null }), '')
})
