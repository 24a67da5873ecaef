import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { deadLine, killedDatabase, killedService, killedSignUps } from './scenarios.ts'

describe('faults', () => {
  test('a killed service loses and doubles nothing that it acknowledged', async () => {
    const { figures, broken } = await killedService({ kills: 2 })
    assert.deepEqual(broken, [])
    assert.ok(Number(figures.acknowledged) > 0)
  })

  test('a killed mail service keeps every acknowledged sign-up and has one owner', async () => {
    const { figures, broken } = await killedSignUps({ kills: 1 })
    assert.deepEqual(broken, [])
    assert.ok(Number(figures.acknowledged) > 0)
  })

  test('with the database stopped hard, requests end with 503 and a code within 10 s, and the service recovers', async () => {
    const { figures, broken } = await killedDatabase({ kills: 1 })
    assert.deepEqual(broken, [])
    assert.ok(Number(figures.acknowledged) > 0)
  })

  test('with a dead line to the database, requests end with 503 within 10 s, and the service recovers', async () => {
    const { figures, broken } = await deadLine({ seconds: 1 })
    assert.deepEqual(broken, [])
    assert.ok(Number(figures.unavailable) > 0)
  })
})
