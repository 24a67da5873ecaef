import assert from 'node:assert/strict'
import { test } from 'node:test'
import { random } from './random/random.ts'

test('2,000 random requests and frames cause no 5xx, no exit and no unsound data', async () => {
  const { figures, broken } = await random({ requests: 2_000, seed: 42 })
  assert.deepEqual(broken, [])
  assert.match(String(figures.statuses), /200:/)
})
