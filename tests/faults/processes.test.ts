import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { lateWorker } from './scenarios/late-worker.ts'
import { rolling } from './scenarios/rolling.ts'
import { scheduled } from './scenarios/scheduled.ts'
import { twoProcesses } from './scenarios/two-processes.ts'

// Mostly they wait, each with a database of its own.
describe('two processes on one database', { concurrency: 2 }, () => {
  test('are one service to sockets, tickets, sign-ins and previews', async () => {
    assert.deepEqual((await twoProcesses({ rounds: 2, comesBack: false })).broken, [])
  })

  test('publish each scheduled entry once and announce it once, also when they are killed', async () => {
    const { figures, broken } = await scheduled({ entries: 40, kills: 1, awaitLeases: false, comesBack: false })
    assert.deepEqual(broken, [])
    assert.ok(Number(figures.kills_while_due) > 0)
  })

  test('refuse the late results of one that stood still past its lease', async () => {
    const options = { deliveries: 4, freezes: 1, entries: 12, waitsForLeases: false }
    const { figures, broken } = await lateWorker(options)
    assert.deepEqual(broken, [])
    assert.ok(Number(figures.dropped) > 0)
  })

  test('are replaced one after the other without a request that fails', async () => {
    const { figures, broken } = await rolling({ restarts: 2, perSecond: 8 })
    assert.deepEqual(broken, [])
    assert.ok(Number(figures.acknowledged) > 0)
  })
})
