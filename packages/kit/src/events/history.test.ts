import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { freshDatabase, type TestDatabase } from '@stoa/tests/lib/cluster.ts'
import { passTime, until } from '@stoa/tests/lib/waiting.ts'
import fc from 'fast-check'
import { type Change, type Database, openDatabase } from '../db/database.ts'
import { createLogger } from '../log.ts'
import { type Bus, openBus } from './bus.ts'
import { createHistory } from './history.ts'
import { parseSnapshot, sees, seesAllOf, snapshotText, withOwn } from './snapshot.ts'

const change = (id: number): Change => ({ topic: 'note', event: 'changed', data: { id } })
const idsOf = (changes: readonly Change[] | null) => changes?.map(({ data }) => data.id)

describe('a snapshot', () => {
  const anySnapshot = fc
    .record({ end: fc.integer({ min: 10, max: 40 }), open: fc.uniqueArray(fc.integer({ min: 1, max: 39 })) })
    .map(({ end, open }) => ({ end, open: new Set(open.filter((xid) => xid < end)) }))
  const seenBy = (snapshot: { end: number; open: ReadonlySet<number> }) =>
    Array.from({ length: 60 }, (_, xid) => xid).filter((xid) => sees(snapshot, xid))

  test('is read as it is written, and nothing else is', () => {
    fc.assert(
      fc.property(anySnapshot, (snapshot) => {
        assert.deepEqual(seenBy(parseSnapshot(snapshotText(snapshot)) ?? assert.fail()), seenBy(snapshot))
      }),
    )
    for (const text of ['', '1', '1:2', 'a:b:', '1:2:3,', '1:2:-3', `1:${'9'.repeat(30)}:`, ' 1:2:'])
      assert.equal(parseSnapshot(text), null, text)
  })

  test('sees all of another one if it sees each of its transactions', () => {
    fc.assert(
      fc.property(anySnapshot, anySnapshot, (one, other) => {
        const isSo = seenBy(other).every((xid) => sees(one, xid))
        // The last of what `other` may have seen can be open in it: that it has begun is not known to `one`.
        if (seesAllOf(one, other)) assert.ok(isSo)
        if (isSo && one.end >= other.end) assert.ok(seesAllOf(one, other))
      }),
    )
  })

  test('with a transaction of its own sees that one more, and no other', () => {
    fc.assert(
      fc.property(anySnapshot, fc.integer({ min: 1, max: 59 }), (snapshot, xid) => {
        const expected = new Set([...seenBy(snapshot), xid])
        assert.deepEqual(new Set(seenBy(withOwn(snapshot, xid))), expected)
      }),
    )
  })
})

describe('a history', () => {
  test('gives what a position has not seen, also of transactions that ended late', () => {
    const history = createHistory({ limit: 10, isKept: () => true })
    assert.equal(history.position(), undefined)
    history.begin('a', '100:100:')
    const begin = history.position() ?? assert.fail()
    history.add(change(101), 101)
    history.pass({ xid: 101, snapshot: '100:102:100' })
    const between = history.position() ?? assert.fail()
    history.add(change(100), 100)
    history.pass({ xid: 100, snapshot: '100:102:' })
    assert.deepEqual(idsOf(history.since(begin)), [101, 100])
    assert.deepEqual(idsOf(history.since(between)), [100])
    assert.deepEqual(idsOf(history.since(history.position() ?? '')), [])
  })

  test('knows no position that is older than it, of another server, or no position at all', () => {
    const history = createHistory({ limit: 10, isKept: () => true })
    history.begin('a', '100:105:102')
    for (const position of ['a/100:104:102', 'a/100:105:102,103', 'b/105:105:', '', 'a', 'a/', '/', 'a/x'])
      assert.equal(history.since(position), null, position)
    for (const position of ['a/100:105:102', 'a/105:105:', 'a/102:109:102,107'])
      assert.deepEqual(history.since(position), [], position)
    history.end()
    assert.equal(history.since('a/105:105:'), null)
    assert.equal(history.position(), undefined)
  })

  test('lets the oldest go, and does not know positions before it any more', () => {
    const history = createHistory({ limit: 3, isKept: ({ data }) => data.id !== 0 })
    history.begin('a', '100:100:')
    for (let xid = 100; xid < 104; xid += 1) history.add(change(xid), xid)
    for (let xid = 104; xid < 120; xid += 1) history.add(change(0), xid)
    assert.equal(history.since('a/100:100:'), null)
    assert.deepEqual(idsOf(history.since('a/101:101:')), [101, 102, 103])
  })
})

describe('between processes', () => {
  const log = createLogger({ name: 'test', level: 'fatal' })
  let fresh: TestDatabase
  const processes: { database: Database<unknown>; bus: Bus; received: Change[] }[] = []
  before(async () => {
    fresh = await freshDatabase()
    for (let index = 0; index < 2; index += 1) {
      const database = openDatabase({ url: fresh.url, poolSize: 6, log })
      const history = { limit: 10_000, isKept: () => true }
      const bus = openBus({ directUrl: fresh.url, onCommit: database.onCommit }, { log, history })
      const received: Change[] = []
      bus.subscribe(
        (change) => void received.push(change),
        () => undefined,
      )
      await bus.ready()
      processes.push({ database, bus, received })
    }
    const [{ database } = assert.fail()] = processes
    await database.tx((tx) => tx.query({ text: 'create table note (id int)' }))
  })
  after(async () => {
    for (const { bus, database } of processes) {
      await bus.close()
      await database.close()
    }
    await fresh.drop()
  })

  test('a process that starts later knows the positions that the others give', async () => {
    const [one = assert.fail(), two = assert.fail()] = processes
    await until(() => two.bus.since(one.bus.position() ?? '') !== null, 'the greeting was received')
    assert.deepEqual(one.bus.since(two.bus.position() ?? ''), [])
  })

  test('what a reader did not see is sent again or sent later, however transactions overlap', async () => {
    const [one = assert.fail(), two = assert.fail()] = processes
    let next = 0
    const write = async ({ database }: typeof one): Promise<void> => {
      next += 1
      const id = next
      await database.tx(async (tx) => {
        await tx.query({ text: 'insert into note values ($1)', values: [id] })
        if (id % 3 === 0) await passTime(Math.random() * 20, 'transactions overlap')
        tx.changes.push(change(id))
      })
    }
    const readers: { seen: Set<unknown>; position: string; receivedFrom: number; at: typeof one }[] = []
    const read = async (from: typeof one, at: typeof one): Promise<void> => {
      const position = from.bus.position()
      if (position === undefined) return
      const rows = await from.database.db.query<{ id: number }>({ text: 'select id from note' })
      await passTime(Math.random() * 10, 'changes happen between reading and listening')
      // As a socket does: what was missed is sent at the moment from which everything is received.
      const receivedFrom = at.received.length
      const missed = at.bus.since(position) ?? assert.fail('the position is known')
      const seen = new Set<unknown>([...rows.map(({ id }) => id), ...missed.map(({ data }) => data.id)])
      readers.push({ seen, position, receivedFrom, at })
    }
    const pick = () => (Math.random() < 0.5 ? one : two)
    const writers = Array.from({ length: 8 }, async () => {
      for (let round = 0; round < 25; round += 1) await write(pick())
    })
    const reading = Array.from({ length: 4 }, async () => {
      for (let round = 0; round < 25; round += 1) await read(pick(), pick())
    })
    await Promise.all([...writers, ...reading])
    await until(() => [one, two].every(({ received }) => received.length === next), 'everything was received once')
    assert.ok(readers.length > 50)
    for (const { seen, at, receivedFrom, position } of readers) {
      for (const { data } of at.received.slice(receivedFrom)) seen.add(data.id)
      assert.equal(seen.size, next, `from ${position}`)
    }
    const replayed = readers.map(({ position, at }) => at.bus.since(position)?.length ?? 0)
    assert.ok(Math.min(...replayed) < next / 2, 'positions move on')
  })
})
