import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { webhookEventNames } from '@stoa/cms-model/webhook-events.ts'
import { eventGroups } from './events.ts'

describe('events of webhooks', () => {
  test('every event but the test can be chosen, once', () => {
    const offered = eventGroups.flatMap(({ events }) => events.map(({ name }) => name))
    assert.deepEqual(offered.toSorted(), webhookEventNames.filter((event) => event !== 'webhook.test').toSorted())
  })

  test('labels say what happened', () => {
    const labels = new Map(eventGroups.flatMap(({ events }) => events.map(({ name, label }) => [name, label])))
    assert.equal(labels.get('entry.published'), 'Published')
    assert.equal(labels.get('social.post.failed'), 'Failed')
  })
})
