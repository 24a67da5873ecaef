import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { runs } from '../lib/runs.ts'
import { cutConnections } from './scenarios/cut-connections.ts'
import { fullDatabase } from './scenarios/full-database.ts'
import { killedDatabase } from './scenarios/killed-database.ts'
import { killedService } from './scenarios/killed-service.ts'
import { killedUploads } from './scenarios/killed-uploads.ts'

/** To start a process again is most of the work; `npm run faults` kills hundreds. */
const KILLS = runs(1, 3)

describe('faults of one process, its database and its disk', () => {
  test('a killed service loses and doubles nothing that it acknowledged', async () => {
    const { figures, broken } = await killedService({ kills: KILLS })
    assert.deepEqual(broken, [])
    assert.ok(Number(figures.acknowledged) > 0)
  })

  test('with the database stopped hard, requests end with 503 and a code within 10 s, and the service recovers', async () => {
    const { figures, broken } = await killedDatabase({ stops: 1, writesPerSecond: 20 })
    assert.deepEqual(broken, [])
    assert.ok(Number(figures.published) > 0)
  })

  test('with its connections cut, a service answers 503 or success, loses nothing and receives events again', async () => {
    const { figures, broken } = await cutConnections({ seconds: 1, perSecond: 20 })
    assert.deepEqual(broken, [])
    assert.ok(Number(figures.connections_cut) > 0)
  })

  test('killed in the middle of uploads, a service has no file without its bytes and no bytes too many', async () => {
    const { figures, broken } = await killedUploads({ kills: KILLS, bytes: 2_000_000 })
    assert.deepEqual(broken, [])
    assert.ok(Number(figures.rows) > 0)
  })

  test('with the disk of PostgreSQL full, what is written is refused for now, and nothing acknowledged is lost', async (context) => {
    if (process.getuid?.() !== 0) return context.skip('a small disk is mounted, which needs root')
    const { figures, broken } = await fullDatabase({ rounds: 2, perSecond: 10 })
    assert.deepEqual(broken, [])
    assert.equal(figures.server_ended, 1)
  })
})
