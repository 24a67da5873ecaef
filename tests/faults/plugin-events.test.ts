import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pluginEvents } from './scenarios/plugin-events.ts'

describe('events of plugins', () => {
  test('killed while events wait, two processes deliver each at least once and in order', async () => {
    const { figures, broken } = await pluginEvents({ kills: 2, entries: 6, changes: 2 })
    assert.deepEqual(broken, [])
    assert.ok(Number(figures.seen) >= Number(figures.changes))
  })
})
