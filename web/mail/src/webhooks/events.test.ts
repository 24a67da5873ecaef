import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { webhookEventTypes } from '@stoa/mail-model/webhook-events.ts'
import { describeEndpoint } from '@stoa/ui/webhooks/words.ts'
import { chosenEvents, nameOf, orderOf, standingOf, TEST_EVENT } from './events.ts'

describe('the events of webhooks', () => {
  test('can all be chosen but the test', () => {
    assert.deepEqual([...chosenEvents, TEST_EVENT].sort(), [...webhookEventTypes].sort())
  })
})

describe('an endpoint', () => {
  test('is not on while it fails', () => {
    const on = { status: 'enabled', disabled_reason: null, failing_since: null } as const
    const labelOf = (webhook: Parameters<typeof standingOf>[0]) => describeEndpoint(standingOf(webhook)).label
    assert.equal(labelOf(on), 'On')
    assert.equal(labelOf({ ...on, failing_since: '2026-03-01T00:00:00.000Z' }), 'Failing')
    assert.equal(labelOf({ ...on, status: 'disabled', disabled_reason: 'gone' }), 'Off after failures')
  })

  test('is called by what it is for, or by its host', () => {
    assert.equal(nameOf({ description: 'Chat', endpoint: 'https://a.test/x' }), 'Chat')
    assert.equal(nameOf({ description: null, endpoint: 'https://a.test:8443/x' }), 'a.test:8443')
  })

  test('stands where its column says', () => {
    const endpoint = (name: string, at: string | null, status: 'enabled' | 'disabled') => ({
      description: name,
      endpoint: 'https://a.test',
      status,
      disabled_reason: null,
      failing_since: null,
      last_success_at: at,
    })
    const list = [
      endpoint('b', null, 'enabled'),
      endpoint('a 10', '2026-01-01', 'disabled'),
      endpoint('A 9', '2026-02-01', 'enabled'),
    ]
    const names = (by: string, direction: 'asc' | 'desc') =>
      list.toSorted(orderOf({ by, direction })).map(({ description }) => description)
    assert.deepEqual(names('endpoint', 'asc'), ['A 9', 'a 10', 'b'])
    assert.deepEqual(names('success', 'desc'), ['A 9', 'a 10', 'b'])
    assert.deepEqual(names('state', 'asc')[0], 'a 10')
  })
})
