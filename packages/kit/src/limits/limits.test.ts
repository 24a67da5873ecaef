import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, beforeEach, describe, test } from 'node:test'
import { freshDatabase } from '@stoa/tests/lib/cluster.ts'
import { createTestClock } from '../clock.ts'
import { type Database, openDatabase } from '../db/database.ts'
import { createLogger } from '../log.ts'
import { giveBack, type Limit, pruneLimits, readLimits, takeLimits } from './limits.ts'
import type { LimitTables } from './tables.ts'

const MINUTE = 60_000
const clock = createTestClock(new Date('2026-03-01T12:00:00Z'))
let database: Database<LimitTables>
let drop: () => Promise<void>

before(async () => {
  const fresh = await freshDatabase()
  drop = fresh.drop
  database = openDatabase<LimitTables>({
    url: fresh.url,
    poolSize: 8,
    log: createLogger({ name: 'test', level: 'silent' }),
  })
  await database.pool.query(await readFile(new URL('./tables.sql', import.meta.url), 'utf8'))
})
after(async () => {
  await database.close()
  await drop()
})
beforeEach(() => database.pool.query('truncate limit_counter'))

const take = (...limits: Limit[]) => database.tx((tx) => takeLimits(tx, limits, clock.now()))
const used = async (...limits: Limit[]) =>
  (await readLimits(database.db, limits, clock.now())).map((state) => state.used)
const fixed = (key: string, max: number, amount = 1): Limit => ({ key, max, windowMs: MINUTE, amount })
const sliding = (key: string, max: number, amount = 1): Limit => ({ ...fixed(key, max, amount), kind: 'sliding' })

describe('a fixed window', () => {
  test('begins with its first hit, rejects what is over, and returns how long to wait', async () => {
    const results = []
    for (let n = 0; n < 4; n += 1) {
      results.push(await take(fixed('a', 3)))
      clock.advance(10_000)
    }
    assert.deepEqual(
      results.map(({ allowed, retryAfterSeconds, states }) => [allowed, retryAfterSeconds, states[0]?.remaining]),
      [
        [true, 0, 2],
        [true, 0, 1],
        [true, 0, 0],
        [false, 30, 0],
      ],
    )
    assert.deepEqual(await used(fixed('a', 3)), [3], 'a refused hit does not count')
    assert.equal((await take(fixed('b', 3))).allowed, true, 'another key has its own count')
    clock.advance(20_000)
    assert.deepEqual([(await take(fixed('a', 3))).allowed, await used(fixed('a', 3))], [true, [1]])
  })

  test('may be used up by amounts, of which one that does not fit is refused whole', async () => {
    assert.equal((await take(fixed('a', 100, 70))).allowed, true)
    assert.equal((await take(fixed('a', 100, 31))).allowed, false)
    assert.equal((await take(fixed('a', 100, 30))).allowed, true)
    assert.deepEqual(await used(fixed('a', 100)), [100])
    assert.equal((await take(fixed('b', 5, 6))).allowed, false)
  })

  test('is not begun anew by a process whose clock lags', async () => {
    await take(fixed('a', 3, 3))
    clock.advance(-50)
    assert.equal((await take(fixed('a', 3))).allowed, false)
    clock.advance(50)
  })
})

describe('a sliding window', () => {
  test('still counts the part of the window before that is in sight', async () => {
    assert.equal((await take(sliding('a', 10, 10))).allowed, true)
    clock.advance(MINUTE + 15_000)
    assert.deepEqual(await used(sliding('a', 10)), [8], '7.5 of them')
    assert.equal((await take(sliding('a', 10, 3))).allowed, false)
    assert.equal((await take(sliding('a', 10, 2))).allowed, true)
    const refused = await take(sliding('a', 10, 4))
    assert.deepEqual([refused.allowed, refused.retryAfterSeconds], [false, 21])
    clock.advance(20_000)
    assert.equal((await take(sliding('a', 10, 4))).allowed, false)
    clock.advance(1_000)
    assert.equal((await take(sliding('a', 10, 4))).allowed, true)
    clock.advance(10 * MINUTE)
    assert.deepEqual(await used(sliding('a', 10)), [0])
  })

  test('returns a wait after which the same hit passes', async () => {
    await take(sliding('a', 10, 10))
    const refused = await take(sliding('a', 10, 5))
    assert.deepEqual([refused.allowed, refused.retryAfterSeconds], [false, 90])
    clock.advance(89_000)
    assert.equal((await take(sliding('a', 10, 5))).allowed, false)
    clock.advance(1_000)
    assert.equal((await take(sliding('a', 10, 5))).allowed, true)
  })
})

describe('several limits', () => {
  test('are taken together or not at all, in one statement', async () => {
    const both = [fixed('person', 2), fixed('site', 10), sliding('hour', 10)]
    await take(...both)
    await take(...both)
    const watch = database.watchStatements()
    const refused = await take(...both)
    watch.stop()
    assert.deepEqual(watch.texts.length, 3, 'begin, one statement, commit')
    assert.deepEqual(
      [refused.allowed, refused.states.map(({ key, used: count }) => [key, count])],
      [
        false,
        [
          ['person', 2],
          ['site', 2],
          ['hour', 2],
        ],
      ],
    )
    assert.deepEqual(await used(...both), [2, 2, 2])
  })

  test('let exactly as many pass as they say when many hits come at once', async () => {
    const hits = Array.from({ length: 40 }, (_, n) =>
      // In both orders: they must not wait for each other in a circle.
      take(...(n % 2 ? [fixed('a', 15), fixed('b', 30)] : [fixed('b', 30), fixed('a', 15)])),
    )
    const results = await Promise.all(hits)
    assert.equal(results.filter(({ allowed }) => allowed).length, 15)
    assert.deepEqual(await used(fixed('a', 15), fixed('b', 30)), [15, 15])
  })
})

test('what is given back may be taken again, but not in a later window', async () => {
  const first = await take(fixed('a', 2), sliding('s', 2))
  await database.tx((tx) => giveBack(tx, first.receipt))
  assert.deepEqual(await used(fixed('a', 2), sliding('s', 2)), [0, 0])
  const second = await take(fixed('a', 2), sliding('s', 2, 2))
  clock.advance(MINUTE)
  await take(fixed('a', 2))
  await take(sliding('s', 4))
  await database.tx((tx) => giveBack(tx, second.receipt))
  assert.deepEqual(await used(fixed('a', 2), sliding('s', 4)), [1, 1])
})

test('the key itself is not stored', async () => {
  await take(fixed('who@example.test', 1))
  const { rows } = await database.pool.query('select key from limit_counter')
  assert.equal(rows[0].key.length, 32)
})

test('rows that count for nothing any more are deleted in batches', async () => {
  for (let n = 0; n < 5; n += 1) await take(fixed(`old ${n}`, 1))
  clock.advance(2 * MINUTE)
  await take(fixed('new', 1))
  const prune = () => database.tx((tx) => pruneLimits(tx, clock.now(), 3))
  assert.deepEqual([await prune(), await prune()], [{ hasMore: true }, { hasMore: false }])
  const { rows } = await database.pool.query('select 1 from limit_counter')
  assert.equal(rows.length, 1)
})
