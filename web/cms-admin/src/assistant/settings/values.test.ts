import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type AiConnection, DEFAULT_AI_LIMITS } from '@stoa/cms-model/ai.ts'
import { inputOf, problemsOf, testOf, valuesOf } from './values.ts'

const none: AiConnection = {
  connected: false,
  kind: null,
  model: null,
  baseUrl: null,
  credential: null,
  oauthAvailable: false,
  suggestions: { a: [], b: [], local: [], cloud: [] },
  capabilities: { assistant: true, field: true },
  lastTest: null,
  limits: DEFAULT_AI_LIMITS,
  contextTokens: 32_768,
  compactTools: false,
  retentionDays: 90,
  version: 0,
}
const stored: AiConnection = {
  ...none,
  connected: true,
  kind: 'a',
  model: 'claude',
  credential: { from: 'key', last4: 'abcd' },
}

describe('the connection that is typed', () => {
  test('keeps the stored key unless another is typed', () => {
    assert.equal('apiKey' in inputOf(valuesOf(stored)), false)
    assert.equal(inputOf({ ...valuesOf(stored), apiKey: ' new ' }).apiKey, 'new')
    assert.deepEqual(problemsOf(stored, valuesOf(stored)), {})
  })

  test('needs a key for another provider than the stored one', () => {
    assert.deepEqual(Object.keys(problemsOf(stored, { ...valuesOf(stored), kind: 'b' })), ['apiKey'])
    assert.deepEqual(Object.keys(problemsOf(none, { ...valuesOf(none), model: 'x' })), ['apiKey'])
  })

  test('has an address and no key on a server of one’s own', () => {
    const values = { ...valuesOf(none), kind: 'local' as const, model: 'llama', apiKey: 'left over', baseUrl: '' }
    assert.deepEqual(testOf(values), { kind: 'local', model: 'llama', baseUrl: null })
    assert.deepEqual(problemsOf(none, values), {})
    assert.equal('baseUrl' in testOf({ ...values, kind: 'cloud' }), false)
  })

  test('has whole numbers within their limits, and a model', () => {
    const values = { ...valuesOf(stored), model: ' ', contextTokens: '100', retentionDays: '1.5', userTokensPerDay: '' }
    assert.deepEqual(Object.keys(problemsOf(stored, values)).sort(), [
      'contextTokens',
      'model',
      'retentionDays',
      'userTokensPerDay',
    ])
  })
})
