import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { runs } from '../lib/runs.ts'
import { cutConnections } from './scenarios/cut-connections.ts'
import { deadLine } from './scenarios/dead-line.ts'
import { killedDatabase } from './scenarios/killed-database.ts'
import { killedService } from './scenarios/killed-service.ts'
import { killedSignUps } from './scenarios/killed-sign-ups.ts'
import { killedUploads } from './scenarios/killed-uploads.ts'

/** To start a process again is most of the work; `npm run faults` kills hundreds. */
const KILLS = runs(1, 3)

describe('faults of one process, its database and its disk', () => {
  test('a killed service loses and doubles nothing that it acknowledged', async () => {
    const { figures, broken } = await killedService({ kills: KILLS })
    assert.deepEqual(broken, [])
    assert.ok(Number(figures.acknowledged) > 0)
  })

  test('a killed mail service keeps every acknowledged sign-up and has one owner', async () => {
    const { figures, broken } = await killedSignUps({ kills: 1 })
    assert.deepEqual(broken, [])
    assert.ok(Number(figures.acknowledged) > 0)
  })

  test('with the database stopped hard, requests end with 503 and a code within 10 s, and the service recovers', async () => {
    const { figures, broken } = await killedDatabase({ stops: 1, writesPerSecond: 20 })
    assert.deepEqual(broken, [])
    assert.ok(Number(figures.published) > 0)
  })

  test('with its connections cut, a service answers 503 or success, loses nothing and hears the others again', async () => {
    const { figures, broken } = await cutConnections({ seconds: 1, perSecond: 20 })
    assert.deepEqual(broken, [])
    assert.ok(Number(figures.connections_cut) > 0)
  })

  test('with a dead line to the database, requests end with 503 within 10 s, and the service recovers', async () => {
    const { figures, broken } = await deadLine({ seconds: 2.5, requestsPerSecond: 20 })
    assert.deepEqual(broken, [])
    assert.ok(Number(figures.unavailable) > 0)
  })

  test('killed in the middle of uploads, a service has no file without its bytes and no bytes too many', async () => {
    const { figures, broken } = await killedUploads({ kills: KILLS, bytes: 2_000_000 })
    assert.deepEqual(broken, [])
    assert.ok(Number(figures.rows) > 0)
  })
})
