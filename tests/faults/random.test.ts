import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runs } from '../lib/runs.ts'
import { random } from './random/random.ts'

const REQUESTS = runs(150, 2_000)

test(`${REQUESTS} random requests and frames cause no 5xx, no exit and no unsound data`, async () => {
  const { figures, broken } = await random({ requests: REQUESTS, seed: 42 })
  assert.deepEqual(broken, [])
  assert.match(String(figures.statuses), /200:/)
})
