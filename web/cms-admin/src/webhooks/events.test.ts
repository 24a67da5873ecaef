import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { webhookEvents } from '@stoa/cms-model/webhooks.ts'
import { describeEvents, describeOutcome, eventGroups } from './events.ts'

describe('events of webhooks', () => {
  test('every event but the test can be chosen, once', () => {
    const offered = eventGroups.flatMap(({ events }) => events.map(({ name }) => name))
    assert.deepEqual(offered.toSorted(), webhookEvents.filter((event) => event !== 'webhook.test').toSorted())
  })

  test('labels say what happened', () => {
    const labels = new Map(eventGroups.flatMap(({ events }) => events.map(({ name, label }) => [name, label])))
    assert.equal(labels.get('entry.published'), 'Published')
    assert.equal(labels.get('social.post.failed'), 'Failed')
  })

  test('a cell names two at most', () => {
    assert.equal(describeEvents(['*']), 'All events')
    assert.equal(describeEvents(['a', 'b']), 'a, b')
    assert.equal(describeEvents(['a', 'b', 'c']), '3 events')
  })

  test('an outcome tells a first wait from a retry', () => {
    const row = { status: 'pending', responseStatus: null, error: null, attempts: 0 } as const
    assert.equal(describeOutcome(row).label, 'Waiting')
    assert.equal(describeOutcome({ ...row, attempts: 2, responseStatus: 500 }).label, 'Retrying · 500')
    assert.equal(describeOutcome({ ...row, status: 'success', responseStatus: 204 }).label, 'Delivered · 204')
    assert.equal(describeOutcome({ ...row, status: 'failed' }).label, 'Failed')
  })
})
