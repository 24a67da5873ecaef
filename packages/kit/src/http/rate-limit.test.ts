import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { workMs } from '@stoa/tests/lib/work.ts'
import { createTestClock } from '../clock.ts'
import { createRateLimiter, type Rate, type RateState } from './rate-limit.ts'

const START = new Date('2026-01-01T00:00:00Z')
const RATE: Rate = { limit: 3, windowSeconds: 10 }
const figures = ({ headers }: RateState) =>
  ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'retry-after'].map((name) => headers[name])

describe('a window', () => {
  test('allows exactly the limit and then says when to come back', () => {
    const clock = createTestClock(START)
    const limiter = createRateLimiter(clock)
    const states = Array.from({ length: 5 }, () => limiter.take('a', RATE))
    assert.deepEqual(
      states.map(({ allowed }) => allowed),
      [true, true, true, false, false],
    )
    assert.deepEqual(states.map(figures), [
      ['3', '2', '10', undefined],
      ['3', '1', '10', undefined],
      ['3', '0', '10', undefined],
      ['3', '0', '10', '10'],
      ['3', '0', '10', '10'],
    ])
    assert.equal(states[4]?.retryAfterSeconds, 10)
  })

  test('shows 1, 10, 0, 1 for ten a second', () => {
    const limiter = createRateLimiter(createTestClock(START))
    const rate = { limit: 10, windowSeconds: 1 }
    for (let at = 0; at < 10; at += 1) limiter.take('a', rate)
    const { headers } = limiter.take('a', rate)
    assert.deepEqual(headers, {
      'retry-after': '1',
      'ratelimit-limit': '10',
      'ratelimit-remaining': '0',
      'ratelimit-reset': '1',
    })
  })

  test('ends at its end, not before, and refused requests do not lengthen it', () => {
    const clock = createTestClock(START)
    const limiter = createRateLimiter(clock)
    for (let at = 0; at < 3; at += 1) limiter.take('a', RATE)
    clock.advance(9_999)
    assert.equal(limiter.take('a', RATE).allowed, false)
    assert.equal(limiter.take('a', RATE).retryAfterSeconds, 1)
    clock.advance(1)
    assert.deepEqual(figures(limiter.take('a', RATE)), ['3', '2', '10', undefined])
  })

  test('of one key does not count for another', () => {
    const limiter = createRateLimiter(createTestClock(START))
    for (let at = 0; at < 4; at += 1) limiter.take('a', RATE)
    assert.equal(limiter.take('b', RATE).allowed, true)
  })

  test('is over when the clock was set back before its start', () => {
    const clock = createTestClock(START)
    const limiter = createRateLimiter(clock)
    for (let at = 0; at < 4; at += 1) limiter.take('a', RATE)
    clock.advance(-3_600_000)
    assert.deepEqual(figures(limiter.peek('a', RATE)), ['3', '3', '10', undefined])
    assert.equal(limiter.take('a', RATE).allowed, true)
  })

  test('can be looked at without counting', () => {
    const limiter = createRateLimiter(createTestClock(START))
    for (let at = 0; at < 10; at += 1) assert.deepEqual(figures(limiter.peek('a', RATE)), ['3', '3', '10', undefined])
    limiter.take('a', RATE)
    assert.deepEqual(figures(limiter.peek('a', RATE)), ['3', '2', '10', undefined])
  })
})

describe('address rotation', () => {
  test('does not grow the memory past the bound, and forgets the oldest first', () => {
    const clock = createTestClock(START)
    const limiter = createRateLimiter(clock)
    const hour = { limit: 1, windowSeconds: 3_600 }
    const used = () => limiter.peek('first', hour).headers['ratelimit-remaining'] === '0'
    limiter.take('first', hour)
    for (let at = 0; at < 99_999; at += 1) limiter.take(`key ${at}`, hour)
    assert.equal(used(), true)
    limiter.take('one more', hour)
    assert.equal(used(), false)
    assert.equal(limiter.take('key 99998', hour).allowed, false)
  })

  test('costs the same for each new key, however many there were', () => {
    const limiter = createRateLimiter(createTestClock(START))
    const round = (name: number) => {
      const started = workMs()
      for (let at = 0; at < 20_000; at += 1) limiter.take(`${name} ${at}`, RATE)
      return workMs() - started
    }
    const rounds = Array.from({ length: 15 }, (_, name) => round(name))
    // A hundred times as long is what deleting the oldest key one by one takes.
    assert.ok(Math.min(...rounds.slice(10)) < Math.min(...rounds.slice(0, 5)) * 10 + 50, rounds.join(' '))
  })

  test('a key that is used stays, however many others come by', () => {
    const limiter = createRateLimiter(createTestClock(START))
    for (let at = 0; at < 250_000; at += 1) {
      limiter.take(`key ${at}`, RATE)
      if (at % 20_000 === 0) limiter.take('busy', RATE)
    }
    assert.equal(limiter.take('busy', RATE).allowed, false)
  })
})
