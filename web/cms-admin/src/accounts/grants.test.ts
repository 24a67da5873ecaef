import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { agentPermissions } from '@stoa/cms-model/permissions.ts'
import { grantChoices, stateOf } from './grants.ts'

describe('grants of agent keys', () => {
  test('an owner is offered all that a key can hold, each with words', () => {
    const choices = grantChoices('owner')
    assert.deepEqual(
      choices.map(({ permission }) => permission),
      agentPermissions,
    )
    for (const { permission, label } of choices) assert.notEqual(label, permission)
  })

  test('nobody is offered more than the own role may, and "own" is said', () => {
    assert.deepEqual(
      grantChoices('viewer').map(({ permission }) => permission),
      ['content.read'],
    )
    const write = grantChoices('author').find(({ permission }) => permission === 'content.write')
    assert.match(write?.help ?? '', /own/)
  })

  test('a key is active until it is revoked or its time is over', () => {
    const now = new Date('2026-03-01T12:00:00Z')
    const key = { revokedAt: null, expiresAt: '2026-03-02T12:00:00.000Z' }
    assert.equal(stateOf(key, now), 'active')
    assert.equal(stateOf({ ...key, expiresAt: '2026-03-01T12:00:00.000Z' }, now), 'expired')
    assert.equal(stateOf({ ...key, revokedAt: '2026-03-01T11:00:00.000Z' }, now), 'revoked')
  })
})
