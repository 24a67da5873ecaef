import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dunningAt } from './dunning.ts'

test('14 days everything goes on, then sending stops, after 44 the free plan holds', () => {
  const due = new Date('2026-03-01T00:00:00Z')
  const stageAt = (now: string) => dunningAt(due, new Date(now)).stage
  assert.equal(stageAt('2026-03-01T00:00:00Z'), 'grace')
  assert.equal(stageAt('2026-03-14T23:59:59.999Z'), 'grace')
  assert.equal(stageAt('2026-03-15T00:00:00Z'), 'sending_stopped')
  assert.equal(stageAt('2026-04-13T23:59:59.999Z'), 'sending_stopped')
  assert.equal(stageAt('2026-04-14T00:00:00Z'), 'limits_lowered')
})
