import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { runs } from '../lib/runs.ts'
import { billing } from './scenarios/billing.ts'

describe('faults while customers pay', () => {
  test('killed at any step, what was taken stands here once, and everybody has what they pay for', async () => {
    const { figures, broken } = await billing({ kills: runs(1, 14) })
    assert.deepEqual(broken, [])
    assert.ok(Number(figures.taken_cents) > 0)
  })
})
