import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limitProblems, limitsBody, limitValues } from './limit-values.ts'

test('limits of an account are read from what is typed; empty is the plan’s', () => {
  const values = limitValues({ limit_overrides: { domains: 4, storage_bytes: 2e9, filters: 0 } })
  assert.deepEqual([values.domains, values.filters, values.api_keys], ['4', '0', ''])
  assert.deepEqual(values.storage_bytes, { amount: '2', unit: 'GB' })
  const body = limitsBody({ ...values, domains: ' ', addresses: '12' })
  assert.deepEqual([body.domains, body.addresses, body.filters, body.storage_bytes], [null, 12, 0, 2e9])
})

test('what is no number is refused where it stands', () => {
  const values = limitValues({ limit_overrides: {} })
  assert.deepEqual(limitProblems(values), {})
  const wrong = { ...values, webhooks: '1.5', filters: '-1', storage_bytes: { amount: 'much', unit: 'GB' as const } }
  assert.deepEqual(Object.keys(limitProblems(wrong)), ['webhooks', 'filters', 'storage_bytes'])
})
