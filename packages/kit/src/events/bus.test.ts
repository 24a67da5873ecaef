import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { freshDatabase, type TestDatabase } from '@stoa/tests/lib/cluster.ts'
import { startTcpProxy, throughProxy } from '@stoa/tests/lib/tcp-proxy.ts'
import { passTime, until } from '@stoa/tests/lib/waiting.ts'
import { type Change, type Database, openDatabase } from '../db/database.ts'
import { createLogger } from '../log.ts'
import { type Bus, openBus } from './bus.ts'

const LISTENER = 'bus-test-listener'
const lines: string[] = []
const log = createLogger({ name: 'test', level: 'debug', destination: { write: (line) => void lines.push(line) } })

/** One process of a service: its database, its bus, and what its listener received. */
type Process = { database: Database<unknown>; bus: Bus; received: string[]; resyncs(): number; url: string }

let fresh: TestDatabase
const open: Process[] = []

before(async () => {
  fresh = await freshDatabase()
})
afterEach(async () => {
  for (const { bus, database } of open.splice(0)) {
    await bus.close()
    await database.close()
  }
})
after(() => fresh.drop())

const startProcess = async (url = fresh.url, wait = true): Promise<Process> => {
  const database = openDatabase({ url: fresh.url, poolSize: 3, log })
  const bus = openBus({ directUrl: url, onCommit: database.onCommit }, { log, applicationName: LISTENER })
  const received: string[] = []
  let resyncs = 0
  bus.subscribe(
    (change, origin) => void received.push(`${origin} ${change.event}`),
    () => {
      resyncs += 1
    },
  )
  const started = { database, bus, received, url, resyncs: () => resyncs }
  open.push(started)
  if (wait) await bus.ready()
  return started
}

const publish = ({ database }: Process, ...events: string[]) =>
  database.tx(async (tx) => {
    for (const event of events) tx.changes.push({ topic: 'note', event, data: {} })
  })

const timeUntil = async (isDone: () => boolean, what: string): Promise<number> => {
  const started = performance.now()
  await until(isDone, what)
  return performance.now() - started
}

const terminateListeners = ({ database }: Process) =>
  database.db.query({
    text: 'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1 and datname = current_database()',
    values: [LISTENER],
  })

describe('a committed change', () => {
  test('is delivered to own listeners before tx returns, and to the other process once', async () => {
    const [one, two] = [await startProcess(), await startProcess()]
    await publish(one, 'first', 'second')
    assert.deepEqual(one.received, ['own first', 'own second'])
    await until(() => two.received.length >= 2, 'the other process')
    await publish(two, 'third')
    await until(() => one.received.length >= 3, 'the way back')
    assert.deepEqual(one.received, ['own first', 'own second', 'other third'])
    assert.deepEqual(two.received, ['other first', 'other second', 'own third'])
  })

  test('is the same value in every process', async () => {
    const [one, two] = [await startProcess(), await startProcess()]
    const seen: Change[] = []
    for (const { bus } of [one, two])
      bus.subscribe(
        (change) => void seen.push(change),
        () => undefined,
      )
    const data = { id: 'a', at: new Date(0), missing: undefined, text: 'é\u2028\0\ud800' }
    await one.database.tx(async (tx) => void tx.changes.push({ topic: 'note', event: 'x', data }))
    await until(() => seen.length === 2, 'both processes')
    assert.deepEqual(seen[0]?.data, { id: 'a', at: '1970-01-01T00:00:00.000Z', text: 'é\u2028\0\ud800' })
    assert.deepEqual(seen[1], seen[0])
  })

  test('too large for a notification arrives with its ids, in the own process too', async () => {
    const [one, two] = [await startProcess(), await startProcess()]
    const seen: Change[] = []
    for (const { bus } of [one, two])
      bus.subscribe(
        (change) => void seen.push(change),
        () => undefined,
      )
    const data = { id: 'a', text: 'x'.repeat(20_000) }
    await one.database.tx(async (tx) => void tx.changes.push({ topic: 'note', event: 'x', data }))
    await until(() => seen.length === 2, 'both processes')
    for (const change of seen) assert.deepEqual(change.data, { id: 'a', oversize: true })
  })

  test('is one of a thousand, and all arrive in order', async () => {
    const [one, two] = [await startProcess(), await startProcess()]
    const events = Array.from({ length: 1_000 }, (_, n) => `event-${n}`)
    await publish(one, ...events)
    await until(() => two.received.length === 1_000, 'all changes')
    assert.deepEqual(
      two.received,
      events.map((event) => `other ${event}`),
    )
  })

  test('is not delivered before commit, and never after a rollback', async () => {
    const [one, two] = [await startProcess(), await startProcess()]
    await one.database.tx(async (tx) => {
      tx.changes.push({ topic: 'note', event: 'waiting', data: {} })
      await tx.query({ text: 'select pg_sleep(0.1)' })
      assert.deepEqual([one.received, two.received], [[], []])
    })
    const failing = one.database.tx(async (tx) => {
      tx.changes.push({ topic: 'note', event: 'undone', data: {} })
      throw new Error('no')
    })
    await assert.rejects(failing)
    await publish(one, 'marker')
    await until(() => two.received.includes('other marker'), 'the marker')
    assert.deepEqual(two.received, ['other waiting', 'other marker'])
    assert.deepEqual(one.received, ['own waiting', 'own marker'])
  })
})

describe('listeners', () => {
  test('that throw are logged and stop neither the others nor the writer', async () => {
    const [one, two] = [await startProcess(), await startProcess()]
    for (const { bus } of [one, two])
      bus.subscribe(
        () => {
          throw new Error('listener broke')
        },
        () => undefined,
      )
    const later: string[] = []
    for (const { bus } of [one, two])
      bus.subscribe(
        (change) => void later.push(change.event),
        () => undefined,
      )
    await publish(one, 'x')
    await until(() => later.length === 2, 'the listeners behind')
    assert.equal(lines.filter((line) => line.includes('listener broke')).length, 2)
  })

  test('that need time to apply a change are awaited by `settled`, also when they fail', async () => {
    const [one, two] = [await startProcess(), await startProcess()]
    const { promise, resolve } = Promise.withResolvers<void>()
    two.bus.subscribe(
      () => promise,
      () => undefined,
    )
    two.bus.subscribe(
      () => Promise.reject(new Error('cannot take it in')),
      () => undefined,
    )
    await publish(one, 'slow')
    let isSettled = false
    const settled = two.bus.settled().then(() => {
      isSettled = true
    })
    await until(() => lines.some((line) => line.includes('cannot take it in')), 'the failure is logged')
    await one.bus.settled()
    assert.equal(isSettled, false)
    resolve()
    await settled
  })

  test('that could not take a change in catch up, until they have', async () => {
    const [one, two] = [await startProcess(), await startProcess()]
    const tries = { throwing: 0, rejecting: 0, fine: 0 }
    const failOnce = (kind: 'throwing' | 'rejecting') => async () => {
      tries[kind] += 1
      if (tries[kind] === 1) throw new Error(`${kind} again`)
    }
    two.bus.subscribe(() => {
      throw new Error('threw')
    }, failOnce('throwing'))
    two.bus.subscribe(() => Promise.reject(new Error('rejected')), failOnce('rejecting'))
    two.bus.subscribe(
      () => undefined,
      () => {
        tries.fine += 1
      },
    )
    await publish(one, 'x')
    await until(() => tries.throwing === 2 && tries.rejecting === 2, 'the second tries')
    assert.equal(tries.fine, 0)
  })

  test('that unsubscribed are not notified any more', async () => {
    const one = await startProcess()
    const seen: string[] = []
    const leave = one.bus.subscribe(
      (change) => void seen.push(change.event),
      () => undefined,
    )
    await publish(one, 'before')
    leave()
    await publish(one, 'after')
    assert.deepEqual(seen, ['before'])
  })

  test('are not disturbed by notifications of someone else', async () => {
    const one = await startProcess()
    await one.database.db.query({ text: "select pg_notify('changes', 'hello')" })
    await publish(one, 'x')
    await until(() => lines.some((line) => line.includes('not ours')), 'the warning')
    assert.deepEqual(one.received, ['own x'])
  })

  test('of another channel share the connection', async () => {
    const one = await startProcess()
    const seen: string[] = []
    let connects = 0
    const listener = {
      onPayload: (payload: string) => void seen.push(payload),
      onConnected: () => {
        connects += 1
      },
    }
    const leave = await one.bus.listen('Wake "me"', listener)
    const notify = () => one.database.db.query({ text: `select pg_notify('Wake "me"', 'up')` })
    await notify()
    await until(() => seen.length === 1, 'the payload')
    await terminateListeners(one)
    await until(() => connects === 1, 'the reconnect')
    await notify()
    await until(() => seen.length === 2, 'the payload after a reconnect')
    await leave()
    await notify()
    await publish(one, 'x')
    await passTime(50, 'whoever still listened would have received it')
    assert.deepEqual(seen, ['up', 'up'])
  })
})

describe('a lost connection', () => {
  test('is known, comes back by itself, has everybody catch up, and changes arrive again', async () => {
    const [one, two] = [await startProcess(), await startProcess()]
    assert.deepEqual([one.resyncs(), two.resyncs()], [1, 1])
    await terminateListeners(one)
    await until(() => !one.bus.connected && !two.bus.connected, 'the loss')
    const back = await timeUntil(() => one.bus.connected && two.bus.connected, 'the reconnect')
    console.log(`back after ${Math.round(back)} ms`)
    assert.deepEqual([one.resyncs(), two.resyncs()], [2, 2])
    await publish(one, 'again')
    await until(() => two.received.length === 1, 'a change after the reconnect')
  })

  test('is caught up with by everybody who follows, even behind one that throws and one that rejects', async () => {
    const one = await startProcess()
    const tries = { throwing: 0, rejecting: 0, left: 0, behind: 0 }
    one.bus.subscribe(
      () => undefined,
      () => {
        tries.throwing += 1
        if (tries.throwing === 1) throw new Error('catch-up threw')
      },
    )
    one.bus.subscribe(
      () => undefined,
      async () => {
        tries.rejecting += 1
        if (tries.rejecting === 1) throw new Error('catch-up was rejected')
      },
    )
    const leave = one.bus.subscribe(
      () => undefined,
      () => {
        tries.left += 1
        leave()
        throw new Error('catch-up of one that leaves')
      },
    )
    one.bus.subscribe(
      () => undefined,
      () => {
        tries.behind += 1
      },
    )
    await terminateListeners(one)
    await until(() => tries.throwing === 2 && tries.rejecting === 2, 'the second tries')
    assert.deepEqual(tries, { throwing: 2, rejecting: 2, left: 1, behind: 1 })
    for (const text of ['catch-up threw', 'catch-up was rejected'])
      assert.equal(lines.filter((line) => line.includes(`"${text}"`)).length, 1, text)
  })

  test('to a peer that is silent is known within seconds', async () => {
    const target = new URL(fresh.url)
    const proxy = await startTcpProxy({ host: target.hostname, port: Number(target.port) })
    const one = await startProcess(throughProxy(fresh.url, proxy))
    const two = await startProcess()
    proxy.freeze()
    const noticed = await timeUntil(() => !one.bus.connected, 'the loss')
    console.log(`a silent peer was noticed after ${Math.round(noticed)} ms`)
    await publish(two, 'missed')
    assert.deepEqual(one.received, [])
    proxy.thaw()
    await until(() => one.bus.connected, 'the reconnect')
    assert.ok(one.resyncs() >= 2)
    await publish(two, 'seen')
    await until(() => one.received.includes('other seen'), 'a change after the reconnect')
    await proxy.close()
  })

  test('does not keep writers from committing, nor own listeners from being notified', async () => {
    const one = await startProcess('postgres://nobody@127.0.0.1:1/nothing', false)
    await publish(one, 'x')
    assert.deepEqual(one.received, ['own x'])
    assert.equal(one.bus.connected, false)
    assert.equal(one.resyncs(), 0)
  })

  test('at the start is made up for later', async () => {
    const target = new URL(fresh.url)
    const proxy = await startTcpProxy({ host: target.hostname, port: Number(target.port) })
    proxy.freeze()
    const one = await startProcess(throughProxy(fresh.url, proxy), false)
    await passTime(100, 'a connection through this proxy would be there')
    assert.equal(one.bus.connected, false)
    proxy.thaw()
    await one.bus.ready()
    assert.equal(one.bus.connected, true)
    await proxy.close()
  })

  test('that is only being made does not hold up close', async () => {
    for (let pause = 0; pause < 20; pause += 2) {
      const { bus } = await startProcess(fresh.url, false)
      await passTime(pause, 'the connection is at another point each time')
      await bus.close()
      assert.equal(bus.connected, false)
    }
  })

  test('does not hold up close', async () => {
    const target = new URL(fresh.url)
    const proxy = await startTcpProxy({ host: target.hostname, port: Number(target.port) })
    const one = await startProcess(throughProxy(fresh.url, proxy))
    proxy.freeze()
    const started = performance.now()
    await one.bus.close()
    assert.ok(performance.now() - started < 10_000)
    await proxy.close()
  })
})

test('changes reach the other process fast', async () => {
  const [one, two] = [await startProcess(), await startProcess()]
  const taken: number[] = []
  let arrived: () => void = () => undefined
  two.bus.subscribe(
    () => arrived(),
    () => undefined,
  )
  for (let round = 0; round < 100; round += 1) {
    const arrival = new Promise<void>((resolve) => {
      arrived = resolve
    })
    const started = performance.now()
    await publish(one, 'x')
    await arrival
    taken.push(performance.now() - started)
  }
  taken.sort((a, b) => a - b)
  console.log(`fan-out incl. commit: p50 ${taken[50]?.toFixed(1)} ms, p99 ${taken[98]?.toFixed(1)} ms`)
  // A busy machine delays most of them, but not all.
  assert.ok((taken[5] ?? Number.POSITIVE_INFINITY) < 150)
})
