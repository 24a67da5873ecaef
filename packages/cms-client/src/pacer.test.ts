import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPacer } from './pacer.ts'

test('frames go out in order, ten a second, and those of a lost connection never', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const sent: object[] = []
  const pacer = createPacer((frame) => sent.push(frame))
  for (let n = 0; n < 25; n += 1) pacer.send({ n })
  assert.equal(sent.length, 10)
  context.mock.timers.tick(1_000)
  assert.equal(sent.length, 20)
  pacer.clear()
  context.mock.timers.tick(5_000)
  assert.deepEqual(sent.at(-1), { n: 19 })
  pacer.send({ n: 'next' })
  assert.deepEqual(sent.at(-1), { n: 'next' })
  pacer.clear()
})
