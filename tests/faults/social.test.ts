import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { social } from './scenarios/social.ts'

describe('posts to nine networks', () => {
  // The database that is stopped hard is a server of its own: `npm run faults` has it.
  test('killed, or many at once: two processes post nothing twice and lose nothing', async () => {
    const { figures, broken } = await social({ kills: 2, posts: 5, crashes: 0, burst: 5, settleMs: 120_000 })
    assert.deepEqual(broken, [])
    assert.ok(Number(figures.posted) > 0 && Number(figures.kills_while_due) > 0 && Number(figures.burst) === 5)
  })
})
