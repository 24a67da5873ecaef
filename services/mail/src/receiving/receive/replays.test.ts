import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createTestClock } from '@stoa/kit/clock.ts'
import { createLogger } from '@stoa/kit/log.ts'
import { COPIES, createReplayWatch } from './replays.ts'

const signed = (signature: string | null, result: 'pass' | 'fail' = 'pass') => ({
  ip: '192.0.2.1',
  authenticity: { dkim: [{ result, domain: 'example.test', selector: 's', signature, isAligned: true }] },
})

const open = () => {
  const clock = createTestClock(new Date('2026-03-01T12:00:00Z'))
  const logs: string[] = []
  const log = createLogger({ name: 'mail', level: 'warn', destination: { write: (line) => void logs.push(line) } })
  return { clock, logs, watch: createReplayWatch(clock, log, (ip) => ip === '192.0.2.9') }
}

describe('a signature that is used again and again', () => {
  test('is noticed past the limit, logged once, and forgotten after an hour', async () => {
    const { clock, logs, watch } = open()
    for (let count = 0; count < COPIES.limit; count += 1) assert.equal(await watch.isReplayed(signed('one')), false)
    assert.deepEqual([await watch.isReplayed(signed('one')), await watch.isReplayed(signed('one'))], [true, true])
    assert.equal(logs.length, 1)
    assert.match(logs[0] ?? '', /example\.test/)
    clock.advance(COPIES.windowSeconds * 1_000)
    assert.equal(await watch.isReplayed(signed('one')), false)
  })

  test('is counted by itself, and only while it is good', async () => {
    const { watch } = open()
    for (let count = 0; count <= COPIES.limit; count += 1) {
      await watch.isReplayed(signed('one'))
      assert.equal(await watch.isReplayed(signed(`other ${count}`)), false)
      assert.equal(await watch.isReplayed(signed('broken', 'fail')), false)
      assert.equal(await watch.isReplayed(signed(null)), false)
    }
    assert.equal(await watch.isReplayed(signed('one')), true)
  })

  test('is not counted for hosts that are exempt of limits', async () => {
    const { watch } = open()
    for (let count = 0; count <= COPIES.limit; count += 1)
      assert.equal(await watch.isReplayed({ ...signed('one'), ip: '192.0.2.9' }), false)
    assert.equal(await watch.isReplayed(signed('one')), false)
  })
})
